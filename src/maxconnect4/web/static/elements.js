// Creation of elements, and formatting of texts. Texts are never parsed as HTML, so a player's name cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * Create an HTML element. Functions become event listeners (`onclick`); null, undefined and false are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const created = document.createElement(tag);
  applyAttributes(created, attributes, children);
  return created;
}

/**
 * Create an SVG element, in the same way.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const created = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  applyAttributes(created, attributes, children);
  return created;
}

/** @param {Element} created @param {Record<string, Attribute>} attributes @param {(Node | string)[]} children */
function applyAttributes(created, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) created.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) created.setAttribute(name, `${value}`);
  }
  created.append(...children);
}

/**
 * Create a button, which does nothing while it is disabled with `setEnabled`.
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, Attribute>} [more]
 */
export function button(label, onclick, more = {}) {
  const handleClick = (/** @type {MouseEvent} */ event) => created.getAttribute("aria-disabled") !== "true" && onclick(event);
  const created = element("button", { type: "button", onclick: handleClick, ...more }, label);
  return created;
}

/**
 * Create a button with an icon before its label.
 * @param {string} path of the icon, 16 by 16
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, Attribute>} [more]
 */
export function iconButton(path, label, onclick, more = {}) {
  const created = button("", onclick, more);
  created.append(svgElement("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svgElement("path", { d: path })), element("span", {}, label));
  return created;
}

/**
 * Enable or disable a button. A disabled button stays focusable, so that the keyboard focus is not lost.
 * @param {HTMLButtonElement} target
 * @param {boolean} enabled
 */
export function setEnabled(target, enabled) {
  target.setAttribute("aria-disabled", `${!enabled}`);
}

/** Find an element that is known to exist. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element ${id}`);
  return found;
}

/** Add a capital letter and a full stop to a message. @param {string} message */
export function toSentence(message) {
  const capitalised = message.replace(/^[a-z]+ /, (first) => first.charAt(0).toUpperCase() + first.slice(1)); // unless it is a file name
  return /[\w'")\]]$/.test(capitalised) ? `${capitalised}.` : capitalised;
}

/** Replace hyphens before digits by minus signs. @param {string} text */
export function withMinusSigns(text) {
  return text.replace(/-(?=\d)/g, "−");
}
