// A button that must be held down for a moment, so that neither a slip nor a toddler's tap accuses anybody.
// People who cannot hold it (switch, screen reader, shaking hand) tap it, then a second button that appears elsewhere.

import { h } from "./dom.js";
import { say } from "./words.js";

/** How long, in milliseconds: longer than any tap, and than the time between the taps of a double tap. */
export const HOLD_MS = 800;
const OFFERED_MS = 10000;

/** A button that calls `held` once pointer, Enter or Space has been held on it that long; with the second way. */
export function holdButton(label, held) {
  let waiting = null;
  let offering = null;
  const end = () => {
    clearTimeout(waiting);
    waiting = null;
    button.classList.remove("held");
  };
  const done = () => {
    end();
    clearTimeout(offering);
    held();
  };
  const begin = () => {
    if (waiting !== null) return; // a held key repeats
    button.classList.add("held");
    waiting = setTimeout(done, HOLD_MS);
  };
  const show = (there) => {
    sure.hidden = !there;
    if (there) offering = setTimeout(show, OFFERED_MS, false);
  };
  /** A tap alone does nothing but show the second button, too late for a double tap. */
  const tap = () => {
    clearTimeout(offering);
    offering = setTimeout(show, HOLD_MS, true);
  };
  const byKey = (event) => {
    if (!/^(Enter| )$/.test(event.key)) return;
    event.preventDefault();
    begin();
  };
  const button = h("button", {
    type: "button", class: "hold", style: { "--hold": `${HOLD_MS}ms` }, onclick: tap,
    onpointerdown: (event) => event.button === 0 && begin(), onpointerup: end, onpointerleave: end, onpointercancel: end,
    onkeydown: byKey, onkeyup: end, onblur: end, oncontextmenu: (event) => event.preventDefault(),
  }, label);
  const sure = h("button", { type: "button", class: "sure", hidden: true, onclick: done }, say("agree.sure"));
  return h("span", { class: "holding", role: "status" }, button, sure);
}
