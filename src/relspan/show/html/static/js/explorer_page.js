/** The page that the server of relspan sends. */

import { mountExplorer } from "./explorer.js";
import { httpTransport, tokenOfTab } from "./http_transport.js";

const place = /** @type {HTMLElement} */ (document.getElementById("root"));
const mounted = mountExplorer(place, httpTransport(tokenOfTab()));
addEventListener("hashchange", () => location.hash.includes("token=") && location.reload()); // an address with another token
/** @type {any} */ (window).relspan = mounted; // for measurements and tests
