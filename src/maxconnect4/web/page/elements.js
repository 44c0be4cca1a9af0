// Making elements, without a word of markup in a string.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */

/**
 * An element of the page: attributes as they are, functions as listeners (`onclick`), null and false left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

/**
 * A part of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function shape(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  fill(made, attributes, children);
  return made;
}

/**
 * @param {Element} made
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} children
 */
function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, `${value}`);
  }
  made.append(...children);
}

/**
 * A button with words on it. See `allow` for what it does while that is not allowed: nothing.
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, Attribute>} [more]
 */
export function button(label, onclick, more = {}) {
  const allowed = (/** @type {MouseEvent} */ event) => made.getAttribute("aria-disabled") !== "true" && onclick(event);
  const made = element("button", { type: "button", onclick: allowed, ...more }, label);
  return made;
}

/**
 * Let a button do what it does, or not. It stays where the keyboard can be, so that nobody loses their place.
 * @param {HTMLButtonElement} made
 * @param {boolean} allowed
 */
export function allow(made, allowed) {
  made.setAttribute("aria-disabled", `${!allowed}`);
}

/**
 * The element of the page that has this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element ${id}`);
  return found;
}

/** Words of the server as a sentence of the page. @param {string} words */
export function sentence(words) {
  const begun = words.replace(/^[a-z]+ /, (first) => first.charAt(0).toUpperCase() + first.slice(1)); // but not the name of a file
  return /[\w'")\]]$/.test(begun) ? `${begun}.` : begun;
}

/** Numbers with the sign that belongs to them. @param {string} text */
export function minus(text) {
  return text.replace(/-(?=\d)/g, "−");
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
