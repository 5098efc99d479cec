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
  // keys pressed elsewhere in the notebook are not ours; those pressed here are not the notebook's, except its shortcuts
  // with Ctrl, Alt or Cmd that mean nothing here, such as saving
  root.addEventListener("keydown", (event) => {
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    if (!shortcut || event.key.toLowerCase() === "z") event.stopPropagation();
  });
  mountExplorer(root, transport, root);
  return close;
}
