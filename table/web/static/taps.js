// A double tap is one tap: if the first changed what is under the finger, the second was not meant for the new thing.

import { forTab, keepForTab } from "./chosen.js";

const DOUBLE_MS = 500; // longest time between the taps of a double tap; nobody looks and aims again so quickly
const SLOW_MS = 3000; // a table answers sooner; later changes are no answer to the tap
const SLIP_PX = 40; // largest distance between the taps of a double tap: a finger's breadth
const TAPPED = ["button", "a", "input", "label", "select", "summary"].join();
const WATCHED = { subtree: true, childList: true, characterData: true, attributes: true };
const KEPT = "tapped";

/** What a tap there means: the element, its words, and the group that it belongs to. */
function meant(target) {
  const thing = target?.closest(TAPPED) ?? target;
  return [thing, thing?.textContent, thing?.closest("[role=group]")?.ariaLabel];
}

const differ = (one, other) => one.some((each, i) => each !== other[i]);
const there = ({ x, y }) => meant(document.elementFromPoint(x, y));

/** A tap: where it was, what it meant, what is there now (`seen`), and when that last changed or the finger rose (`at`). */
const tap = (what, x, y, at) => ({ what, x, y, at, began: at, seen: what, button: what[0]?.matches?.(TAPPED) ?? true });

/** From now on, ignore a tap that comes too soon after another one that changed what is there. */
export function takeDoubleTapsForOne() {
  let last = before();
  let slipped = false;
  document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y, timeStamp: at }) => {
    const what = meant(target);
    const soon = last && at - last.at < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < SLIP_PX;
    // Taps on two neighbouring buttons are two taps: the first button is still where it was tapped.
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
    if (!slipped || click.detail === 0) return; // a click by keyboard is no tap
    click.preventDefault();
    click.stopImmediatePropagation();
  }, true);
  // A slow table changes what is there long after the tap: a guest who taps again for lack of an answer meant the old thing.
  new MutationObserver(() => {
    if (!last || !last.button || performance.now() - last.began > SLOW_MS) return;
    const now = there(last);
    if (differ(now, last.seen)) [last.seen, last.at] = [now, performance.now()];
  }).observe(document.documentElement, WATCHED);
  addEventListener("pagehide", () => {
    if (last) keepForTab(KEPT, JSON.stringify([last.x, last.y]));
  });
}

/** The tap that led here from another page: everything here is new. */
function before() {
  try {
    const kept = JSON.parse(forTab(KEPT));
    keepForTab(KEPT, null); // a reload is no tap
    return tap([null, null, null], ...kept, performance.now());
  } catch {
    return null;
  }
}
