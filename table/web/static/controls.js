// Controls that a finger can use.

import { h } from "./dom.js";
import { say } from "./words.js";

/** Buttons beside one another. */
export const choices = (...buttons) => h("div", { class: "choices" }, buttons);

/** One of several, each a chip: [value, words, disabled]. */
export function chips(name, pairs, chosen, take) {
  return h("div", { class: "chips" }, pairs.map(([value, words, off]) =>
    h("label", { class: "chip" },
      h("input", { type: "radio", name, checked: value === chosen, disabled: Boolean(off), onchange: () => take(value) }),
      h("span", {}, words))));
}

/** A number that grows and shrinks by taps: `read` says it in words, `move(by)` changes it. */
export function stepper(what, read, move) {
  const shown = h("output", {}, read());
  const tap = (by) => () => {
    move(by);
    shown.textContent = read();
  };
  return h("span", { class: "stepper" },
    h("button", { type: "button", "aria-label": `${what}: ${say("begin.less")}`, onclick: tap(-1) }, "−"), shown,
    h("button", { type: "button", "aria-label": `${what}: ${say("begin.more")}`, onclick: tap(1) }, "+"));
}
