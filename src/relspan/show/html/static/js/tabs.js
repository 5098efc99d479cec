/** Tabs: the arrow keys move between them, and Tab reaches the chosen one. */

import { h, setAttributes } from "./dom.js";

/**
 * @param {string} label
 * @param {[string, string, HTMLElement][]} entries  key, label, panel
 * @param {(key: string) => void} chosen
 */
export function tabs(label, entries, chosen) {
  let current = entries[0][0];
  const heads = entries.map(([key, title]) => h("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `panel-${key}`, on: { click: () => choose(key) } }, title));
  const bodies = entries.map(([key, , body]) => h("div", { role: "tabpanel", id: `panel-${key}`, "aria-labelledby": `tab-${key}`, class: "tabpanel" }, body));
  const bar = h("div", { role: "tablist", class: "tablist", "aria-label": label }, heads);
  bar.addEventListener("keydown", (event) => {
    const at = entries.findIndex(([key]) => key === current);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(entries[(next + entries.length) % entries.length][0]);
    heads[(next + entries.length) % entries.length].focus();
  });

  /** @param {string} key */
  function choose(key) {
    current = key;
    show();
    chosen(key);
  }

  function show() {
    for (const [i, [key]] of entries.entries()) {
      const own = key === current;
      setAttributes(heads[i], { "aria-selected": String(own), tabindex: own ? 0 : -1 });
      bodies[i].hidden = !own;
      if (own && heads[i].isConnected) heads[i].scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  show();
  return {
    element: h("aside", { class: "inspector", "aria-label": label }, bar, bodies),
    choose,
    get current() {
      return current;
    },
  };
}
