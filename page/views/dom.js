// Small helpers for elements. Text always goes in as text, never as markup.

/** The element that a selector names. */
export const $ = (selector, root = document) => root.querySelector(selector);

/** An element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Says something to screen readers, even if it was said before. */
export function say(text) {
  const region = $("#said");
  region.replaceChildren(element("p", {}, text));
}
