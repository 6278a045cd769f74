// A double tap is one tap: where the first one has changed what lies under the finger, the second was not meant for that.

const DOUBLE_MS = 500; // the two taps of a double one are not farther apart; nobody looks and aims anew so quickly
const SLIP_PX = 40; // nor do they lie farther from each other: a finger's breadth
const TAPPED = ["button", "a", "input", "label", "select", "summary"].join();

/** What a tap there means: the thing itself, its words, and of what group it is one. */
function meant(target) {
  const thing = target?.closest(TAPPED) ?? target;
  return [thing, thing?.textContent, thing?.closest("[role=group]")?.ariaLabel];
}

const differ = (one, other) => one.some((each, i) => each !== other[i]);

/** From now on a tap is not heard that comes too soon behind another, at a place where that one has changed what lies there. */
export function takeDoubleTapsForOne() {
  let last = null;
  let slipped = false;
  document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y, timeStamp: at }) => {
    const what = meant(target);
    const soon = last && at - last.at < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < SLIP_PX;
    // Two keys side by side are two taps: the first one still lies where it was tapped.
    slipped = Boolean(soon) && differ(what, last.what) && differ(meant(document.elementFromPoint(last.x, last.y)), last.what);
    if (!slipped) last = { what, x, y, at };
  }, true);
  document.addEventListener("click", (click) => {
    if (!slipped || click.detail === 0) return; // a key is no tap
    click.preventDefault();
    click.stopImmediatePropagation();
  }, true);
}
