// An idle screen on the wall shows a round that plays itself, until a card, a hand or a touch comes.

import { fetchOlder } from "./table.js";

const PACE_MS = 1400;
let shown = null; // the state that is shown instead of the table's
let idle = null;
let pace = null;
let mark = null;
let minutes = 0;
let steps = 0;
let redraw = () => {};

/** The state to draw: that of the show while it is on. */
export const onStage = (state) => shown ?? state;

/** Whether the show is on. */
export const attracting = () => shown !== null;

/** Start the show after as many idle minutes as `asked` or the table says; `drawn` redraws the page. */
export async function watchIdle(asked, drawn) {
  redraw = drawn;
  const told = await fetchOlder("/api/attract");
  minutes = asked > 0 ? asked : (told?.minutes ?? 0);
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, stir);
  stir();
}

/** Take in a new state: any new line of the log, even a hand, ends the show. */
export function heard({ game, newest }) {
  const now = `${game} ${newest}`;
  if (now === mark) return;
  mark = now;
  stir();
}

function stir() {
  clearTimeout(idle);
  clearTimeout(pace);
  if (shown) {
    shown = null;
    document.body.classList.remove("attract");
    redraw();
  }
  if (minutes > 0) idle = setTimeout(begin, 60000 * minutes);
}

async function begin() {
  const asked = mark;
  steps = (await fetchOlder("/api/attract"))?.steps ?? 0;
  if (asked === mark && steps) step(1);
  else idle = setTimeout(begin, 60000 * minutes);
}

async function step(at) {
  const asked = mark;
  const state = await fetchOlder(`/api/attract/${at}`);
  if (asked !== mark) return; // somebody plays
  if (state) {
    Object.assign(state.view, state.form);
    shown = state;
    document.body.classList.add("attract");
    redraw();
  }
  pace = setTimeout(() => step(at % steps + 1), PACE_MS);
}
