/** The page that relspan's server gives out. */

import { mountExplorer } from "./explorer.js";
import { httpTransport, tokenOfTab } from "./http.js";

const place = /** @type {HTMLElement} */ (document.getElementById("root"));
const mounted = mountExplorer(place, httpTransport(tokenOfTab()));
/** @type {any} */ (window).relspan = mounted; // for measurements and tests
