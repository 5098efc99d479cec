/** Light or dark colours, or those of the system. */

import { button, setAttributes, setText } from "./dom.js";

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
    setText(element, faces[theme] ?? "◑");
    const label = { auto: "Colours of the system", light: "Light colours", dark: "Dark colours" }[theme] ?? theme;
    setAttributes(element, { "aria-label": label, title: label });
    try {
      localStorage.setItem(CHOSEN, theme);
    } catch {
      // see above
    }
  }

  apply();
  return element;
}
