// Small helpers for elements. Text always goes in as text, never as markup.

/**
 * The element that a selector names: of whatever kind it is there.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * All elements that a selector names.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any[]}
 */
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * An element with attributes and children.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/**
 * An element of a picture.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
export function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Says something to screen readers, even if it was said before. @param {string} text */
export function say(text) {
  $("#said").replaceChildren(element("p", {}, text));
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** Says something below the page for a while, with a button that undoes it if it can be undone. @param {string} text @param {boolean} [canUndo] */
export function toast(text, canUndo = false) {
  const place = $("#toast");
  $("p", place).textContent = text;
  $("button", place).hidden = !canUndo;
  place.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (place.hidden = true), canUndo ? 12_000 : 6000);
}
