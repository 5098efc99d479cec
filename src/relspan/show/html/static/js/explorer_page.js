/** The page that the server of relspan sends. */

import { mountExplorer } from "./explorer.js";
import { httpTransport, tokenOfTab } from "./http_transport.js";

const place = /** @type {HTMLElement} */ (document.getElementById("root"));
const mounted = mountExplorer(place, httpTransport(tokenOfTab()));
/** @type {any} */ (window).relspan = mounted; // for measurements and tests
