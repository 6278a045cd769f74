// A double tap is one tap: where the first one has changed what lies under the finger, the second was not meant for that.

const DOUBLE_MS = 500; // the two taps of a double one are not farther apart; nobody looks and aims anew so quickly
const SLIP_PX = 40; // nor do they lie farther from each other: a finger's breadth
const TAPPED = ["button", "a", "input", "label", "select", "summary"].join();

/** What a tap there means: the thing itself, its words, and of what group it is one. */
function meant(target) {
  const thing = target.closest(TAPPED) ?? target;
  return [thing, thing.textContent, thing.closest("[role=group]")?.ariaLabel];
}

/** From now on a tap is not heard that comes too soon behind another and meets something else at the same place. */
export function takeDoubleTapsForOne() {
  let last = null;
  let slipped = false;
  document.addEventListener("pointerdown", ({ target, clientX: x, clientY: y, timeStamp: at }) => {
    const now = { what: meant(target), x, y, at };
    const soon = last && at - last.at < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < SLIP_PX;
    slipped = Boolean(soon) && now.what.some((each, i) => each !== last.what[i]);
    last = slipped ? { ...last, at } : now;
  }, true);
  document.addEventListener("click", (click) => {
    if (!slipped || click.detail === 0) return; // a key is no tap
    click.preventDefault();
    click.stopImmediatePropagation();
  }, true);
}
