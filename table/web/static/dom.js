// A few lines instead of a framework.

/** Make an element: h("button", {class: "big", onclick}, "text", child, …). Empty children are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  put(element, attributes, children);
  return element;
}

/** The same for pictures in SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  put(element, attributes, children);
  return element;
}

function put(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
}

const drawn = new Map();

/** Fill the element with this id, but only when `value` has changed: focus and animations live on. */
export function redraw(id, value, draw) {
  const now = JSON.stringify(value);
  if (drawn.get(id) === now) return;
  drawn.set(id, now);
  document.getElementById(id).replaceChildren(...draw().filter((child) => child != null && child !== false));
}

/** Forget what was drawn, after a change of language. */
export const forget = () => drawn.clear();
