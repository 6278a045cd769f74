// A double tap is one tap: where the first one has changed what lies under the finger, the second was not meant for that.

import { forTab, keepForTab } from "./chosen.js";

const DOUBLE_MS = 500; // the two taps of a double one are not farther apart; nobody looks and aims anew so quickly
const SLOW_MS = 3000; // a table answers sooner; what changes there later is no answer to the tap
const SLIP_PX = 40; // nor do they lie farther from each other: a finger's breadth
const TAPPED = ["button", "a", "input", "label", "select", "summary"].join();
const WATCHED = { subtree: true, childList: true, characterData: true, attributes: true };
const KEPT = "tapped";

/** What a tap there means: the thing itself, its words, and of what group it is one. */
function meant(target) {
  const thing = target?.closest(TAPPED) ?? target;
  return [thing, thing?.textContent, thing?.closest("[role=group]")?.ariaLabel];
}

const differ = (one, other) => one.some((each, i) => each !== other[i]);
const there = ({ x, y }) => meant(document.elementFromPoint(x, y));

/** A tap: where it was, what it meant, what lies there now, and since when that or the finger has been gone. */
const tap = (what, x, y, at) => ({ what, x, y, at, began: at, seen: what, button: what[0]?.matches?.(TAPPED) ?? true });

/** From now on a tap is not heard that comes too soon behind another, at a place where that one has changed what lies there. */
export function takeDoubleTapsForOne() {
  let last = before();
  let slipped = false;
  document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y, timeStamp: at }) => {
    const what = meant(target);
    const soon = last && at - last.at < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < SLIP_PX;
    // Two keys side by side are two taps: the first one still lies where it was tapped.
    slipped = Boolean(soon) && differ(what, last.what) && differ(there(last), last.what);
    if (!slipped) last = tap(what, x, y, at);
  }, true);
  document.addEventListener("pointerup", ({ timeStamp: at }) => {
    if (last && !slipped) last.at = Math.max(last.at, at); // the change came when the finger rose
  }, true);
  document.addEventListener("pointercancel", () => { // the finger scrolls
    last = null;
  }, true);
  document.addEventListener("click", (click) => {
    if (!slipped || click.detail === 0) return; // a key is no tap
    click.preventDefault();
    click.stopImmediatePropagation();
  }, true);
  // A slow table changes what lies there long after the tap: whoever taps again for want of an answer meant the old thing.
  new MutationObserver(() => {
    if (!last || !last.button || performance.now() - last.began > SLOW_MS) return;
    const now = there(last);
    if (differ(now, last.seen)) [last.seen, last.at] = [now, performance.now()];
  }).observe(document.documentElement, WATCHED);
  addEventListener("pagehide", () => {
    if (last) keepForTab(KEPT, JSON.stringify([last.x, last.y]));
  });
}

/** The tap that led here from another page: whatever lies there is new. */
function before() {
  try {
    const kept = JSON.parse(forTab(KEPT));
    keepForTab(KEPT, null); // a reload is no tap
    return tap([null, null, null], ...kept, performance.now());
  } catch {
    return null;
  }
}
