// A button that is held down for a moment: what accuses somebody is done by nobody's slip, and by no toddler's tap.

import { h } from "./dom.js";

/** How long, in milliseconds: longer than any tap. */
export const HOLD_MS = 800;

/** A button that calls `held` once pointer, Enter or Space has rested on it for so long. */
export function holdButton(label, held) {
  let waiting = null;
  const end = () => {
    clearTimeout(waiting);
    waiting = null;
    button.classList.remove("held");
  };
  const begin = () => {
    if (waiting !== null) return; // a key that is held repeats itself
    button.classList.add("held");
    waiting = setTimeout(() => {
      end();
      held();
    }, HOLD_MS);
  };
  const byKey = (event) => {
    if (!/^(Enter| )$/.test(event.key)) return;
    event.preventDefault();
    begin();
  };
  const button = h("button", {
    type: "button", class: "hold", style: { "--hold": `${HOLD_MS}ms` },
    onpointerdown: (event) => event.button === 0 && begin(), onpointerup: end, onpointerleave: end, onpointercancel: end,
    onkeydown: byKey, onkeyup: end, onblur: end, oncontextmenu: (event) => event.preventDefault(),
  }, label);
  return button;
}
