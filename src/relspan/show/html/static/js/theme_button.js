/** Light or dark colours, or those of the system; in a notebook, those of the notebook. */

import { button, setAttributes, setText } from "./dom.js";

const CHOSEN = "relspan-theme";

/** Jupyter says on its page whether its own colours are light; elsewhere the browser knows. */
function themeOfHost() {
  const light = document.body.dataset.jpThemeLight;
  return light === undefined ? null : light === "true" ? "light" : "dark";
}

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
    const shown = theme === "auto" ? themeOfHost() : theme;
    if (shown === null) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = shown;
    setText(element, faces[theme] ?? "◑");
    const around = themeOfHost() === null ? "system" : "notebook";
    const label = { auto: `Colours of the ${around}`, light: "Light colours", dark: "Dark colours" }[theme] ?? theme;
    setAttributes(element, { "aria-label": label, title: label });
    try {
      localStorage.setItem(CHOSEN, theme);
    } catch {
      // see above
    }
  }

  apply();
  new MutationObserver(apply).observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  return element;
}
