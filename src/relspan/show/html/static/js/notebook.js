/** The explorer in a notebook cell: mounted by anywidget, with the kernel as its back end. */

import { h } from "./dom.js";
import { mountExplorer } from "./explorer.js";
import { messageTransport } from "./message_transport.js";

/**
 * @param {{model: import("./message_transport.js").WidgetModel, el: HTMLElement}} given
 * @returns {() => void}  Called when the cell is cleared.
 */
export function renderNotebook({ model, el }) {
  const root = h("div", { class: "relspan-explorer" });
  el.replaceChildren(root);
  const { transport, close } = messageTransport(model);
  // keys pressed elsewhere in the notebook are not ours; those pressed here are not the notebook's
  root.addEventListener("keydown", (event) => event.stopPropagation());
  mountExplorer(root, transport, root);
  // Jupyter says whether its own colours are light; the reader's choice, if there is one, counts more
  const light = document.body.dataset.jpThemeLight;
  if (light && !document.documentElement.dataset.theme) document.documentElement.dataset.theme = light === "true" ? "light" : "dark";
  return close;
}
