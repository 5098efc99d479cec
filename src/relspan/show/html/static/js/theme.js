/** Light, dark, or as the system has it. */

import { button, say, set } from "./dom.js";

const CHOSEN = "relspan-theme";

export function themeButton() {
  const faces = /** @type {Record<string, string>} */ ({ auto: "◑", light: "☀", dark: "☾" });
  const order = ["auto", "light", "dark"];
  let theme = "auto";
  try {
    theme = localStorage.getItem(CHOSEN) ?? "auto";
  } catch {
    // storage may be forbidden; the choice then lasts for this page
  }
  const element = button("", () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    apply();
  }, { class: "icon theme" });

  function apply() {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    say(element, faces[theme] ?? "◑");
    set(element, { "aria-label": `colours: ${theme}`, title: `colours: ${theme}` });
    try {
      localStorage.setItem(CHOSEN, theme);
    } catch {
      // see above
    }
  }

  apply();
  return element;
}
