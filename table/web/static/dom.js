// A few lines instead of a framework: elements are created anew, and the page is patched to look like them. Nodes that
// stay the same thing are kept, with their focus, scroll position, selection, animations and what people opened.

const MADE = Symbol("made"); // key of the attributes and listeners that an element was made with

/** Make an element: h("button", {class: "big", onclick}, "text", child, …). Empty children are left out.
 *  `key` identifies an element among its siblings, `style` takes CSS properties by name. */
export function h(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/** As `h`, for SVG elements. */
export function svg(tag, attributes = {}, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function made(element, attributes, children) {
  element[MADE] = {};
  dress(element, attributes);
  element.append(...solid(children));
  return element;
}

const solid = (children) => children.flat().filter((child) => child != null && child !== false);

/** Replace the attributes that an element was made with; what people have changed since stays. */
function dress(element, attributes) {
  const before = element[MADE];
  for (const name of new Set([...Object.keys(before), ...Object.keys(attributes)])) {
    const [old, value] = [before[name], attributes[name]];
    if (name === "key") continue;
    if (name.startsWith("on")) hear(element, name.slice(2), value);
    else if (name === "style") style(element, old ?? {}, value ?? {});
    else if (old === value) continue;
    else if (value === false || value == null) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element[MADE] = attributes;
}

const HEARD = Symbol("heard");

/** Set the listener of a kind, replacing that of an earlier drawing. */
function hear(element, kind, listener) {
  element[HEARD] ??= new Map();
  if (!element[HEARD].has(kind)) {
    element.addEventListener(kind, function (event) {
      return this[HEARD].get(kind)?.call(this, event);
    });
  }
  element[HEARD].set(kind, listener);
}

function style(element, before, now) {
  for (const name of Object.keys(before)) if (!(name in now)) element.style.removeProperty(name);
  for (const [name, value] of Object.entries(now)) if (before[name] !== value) element.style.setProperty(name, value);
}

/** Make the children of `place` like `wanted`, keeping the present nodes that are the same things. */
export function patch(place, wanted) {
  const focused = document.activeElement;
  patchChildren(place, wanted);
  // In some browsers a node that is moved loses the focus.
  if (focused !== document.activeElement && focused.isConnected && place.contains(focused)) focused.focus({ preventScroll: true });
}

function patchChildren(place, wanted) {
  const present = [...place.childNodes];
  const matches = match(present, wanted.map((child) => (child instanceof Node ? child : document.createTextNode(child))));
  const kept = new Set(matches.map(({ old }) => old));
  for (const old of present) if (!kept.has(old)) old.remove();
  const resting = rest(matches.map(({ old }) => present.indexOf(old)));
  let before = null;
  for (let i = matches.length - 1; i >= 0; i--) {
    const { old, fresh } = matches[i];
    if (!old) place.insertBefore(fresh, before);
    else {
      if (!resting.has(i)) (place.moveBefore ?? place.insertBefore).call(place, old, before);
      become(old, fresh);
    }
    before = old ?? fresh;
  }
}

/** The present node for each wanted one: that of the same key, or else the next of its kind without a key. */
function match(present, wanted) {
  const keyed = new Map();
  const others = new Map();
  for (const node of present) {
    if (keyOf(node) != null) keyed.set(`${node.nodeName} ${keyOf(node)}`, node);
    else others.set(node.nodeName, [...(others.get(node.nodeName) ?? []), node]);
  }
  return wanted.map((fresh) => {
    if (keyOf(fresh) == null) return { old: others.get(fresh.nodeName)?.shift(), fresh };
    const name = `${fresh.nodeName} ${keyOf(fresh)}`;
    const old = keyed.get(name);
    keyed.delete(name);
    return { old, fresh };
  });
}

const keyOf = (node) => node[MADE]?.key;

/** The indices of nodes that may stay in place: a longest increasing subsequence of `places` (-1 = new). */
function rest(places) {
  const ends = []; // ends[n] = the index that ends the subsequence of length n + 1 with the smallest last place
  const before = [];
  places.forEach((place, i) => {
    if (place < 0) return;
    let n = ends.findIndex((end) => places[end] > place);
    if (n < 0) n = ends.length;
    before[i] = ends[n - 1];
    ends[n] = i;
  });
  const resting = new Set();
  for (let i = ends.at(-1); i !== undefined; i = before[i]) resting.add(i);
  return resting;
}

function become(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  dress(old, fresh[MADE]);
  patchChildren(old, [...fresh.childNodes]);
}

const drawn = new Map();

/** Fill the element with this id, but only if `value` has changed. */
export function redraw(id, value, draw) {
  const now = JSON.stringify(value);
  if (drawn.get(id) === now) return;
  drawn.set(id, now);
  patch(document.getElementById(id), solid(draw()));
}

/** Forget what was drawn, after a change of language. */
export const forget = () => drawn.clear();
