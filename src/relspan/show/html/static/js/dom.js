/** Elements from descriptions. Text is only ever set as text: nothing a table holds is read as markup. */

const SVG_SPACE = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, any>} Attributes
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes  `on` holds listeners, `style` CSS properties; false and null leave one out.
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [kind, listener] of Object.entries(value)) element.addEventListener(kind, /** @type {any} */ (listener));
    } else if (name === "style") {
      for (const [key, item] of Object.entries(value)) {
        /** @type {any} */ (element).style.setProperty(key, String(item));
      }
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * An HTML element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG_SPACE, tag));
  fill(element, attributes, children);
  return element;
}

/**
 * Set attributes that differ; cheap enough for every frame.
 * @param {Element} element
 * @param {Record<string, string | number | null>} attributes  null takes one away.
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(value)) {
      element.setAttribute(name, String(value));
    }
  }
}

/**
 * Set the text of an element if it differs.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Redraw a part of the page without losing the keyboard's place: an element with the same `data-focus` gets the focus
 * back, else the one that stands where the old one stood.
 * @param {HTMLElement} part
 * @param {() => void} redraw
 */
export function keepingFocus(part, redraw) {
  const focused = /** @type {HTMLElement | null} */ (part.contains(document.activeElement) ? document.activeElement : null);
  const reachable = () => /** @type {HTMLElement[]} */ ([...part.querySelectorAll("button, input, select, textarea, [tabindex]")]).filter((one) => one.offsetParent !== null);
  const place = focused ? reachable().indexOf(focused) : -1;
  const key = focused?.dataset.focus;
  redraw();
  if (!focused || part.contains(focused)) return;
  const now = reachable();
  const next = now.find((one) => key !== undefined && one.dataset.focus === key) ?? now[Math.min(place, now.length - 1)];
  if (!next) part.tabIndex = -1;
  (next ?? part).focus({ preventScroll: true });
}

/**
 * A button; give an aria-label where the face is only a sign.
 * @param {string} face
 * @param {() => void} press
 * @param {Attributes} [attributes]
 */
export function button(face, press, attributes = {}) {
  return h("button", { type: "button", on: { click: press }, ...attributes }, face);
}
