// Controls for fingers.

import { h } from "./dom.js";
import { say } from "./words.js";

/** Buttons side by side. */
export const choices = (...buttons) => h("div", { class: "choices" }, buttons);

/** A choice of one among chips, each given as [value, words, disabled]. */
export function chips(name, pairs, chosen, take) {
  return h("div", { class: "chips" }, pairs.map(([value, words, off]) =>
    h("label", { class: "chip" },
      h("input", { type: "radio", name, checked: value === chosen, disabled: Boolean(off), onchange: () => take(value) }),
      h("span", {}, words))));
}

/** A number changed by taps: `read` returns it in words, `move(by)` changes it. */
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
