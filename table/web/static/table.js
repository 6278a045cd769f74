// The connection to the table: states come in by themselves, requests go out, and a dead line is reopened.

import { askPin } from "./pin.js";
import { UNANSWERED } from "./words.js";

const SILENCE_MS = 25000; // the table sends something every ten seconds
const FIRST_WORD_MS = 10000; // a line without a first message is retried sooner than one that worked
const ASLEEP_MS = 12000; // after this long without a message, a page that becomes visible is taken for outdated
const ANSWER_MS = 15000; // wishes are answered within a second; a network that is gone gives no error
let sight = null;
let latest = null;
let onFailure = () => {};
let onConsequences = async () => false;
let take = () => {};

/** Follow the table: calls `onState(state)` for every state, `onLine(true|false)` when the line comes or goes,
 *  `failed(why)` when a request fails, `agree(consequences)` before one that would accuse somebody. */
export function follow(onState, onLine, failed, agree) {
  onFailure = failed;
  onConsequences = agree;
  take = (state) => {
    sight = { game: state.game ?? 0, id: state.newest };
    latest = state;
    Object.assign(state.view, state.form); // what the rules say of the game: title, boxed, kinds, sayings
    onState(state);
  };
  let pause = 250;
  let heard = Date.now(); // wall-clock time, which goes on while a phone sleeps, unlike timers
  let again = null;
  let lose = () => {};
  const connect = () => {
    again = null;
    const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    let gone = false;
    // Do not wait for the close event: an unreachable table does not answer it, and the browser would wait again.
    lose = () => {
      if (gone) return;
      gone = true;
      clearTimeout(watch);
      line.close();
      onLine(false);
      again = setTimeout(connect, pause);
      pause = Math.min(2 * pause, 4000);
    };
    const mine = lose;
    let watch = setTimeout(mine, FIRST_WORD_MS);
    line.onmessage = ({ data }) => {
      if (gone) return;
      clearTimeout(watch);
      watch = setTimeout(mine, SILENCE_MS);
      heard = Date.now();
      pause = 250;
      const message = JSON.parse(data);
      if (message.type === "state") {
        onLine(true);
        take(message);
      }
    };
    line.onclose = mine;
  };
  // After sleep or a change of network, a phone shows at once that it is behind, and catches up.
  const wake = () => {
    if (document.hidden) return;
    if (again === null && Date.now() - heard > ASLEEP_MS) lose();
    if (again === null) return;
    clearTimeout(again);
    again = setTimeout(connect, 0);
  };
  document.addEventListener("visibilitychange", wake);
  for (const kind of ["pageshow", "online"]) addEventListener(kind, wake);
  addEventListener("offline", () => lose());
  connect();
}

/** What the page shows now: number of the game, id of its newest line. A dialog keeps the value of its opening. */
export const seen = () => sight;

/** The state that the page shows now. */
export const shown = () => latest;

/** Ask for something older. */
export async function fetchOlder(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Send a wish. If the table asks back, for the PIN or before it accuses somebody, the guest is asked, and the wish is
 *  sent again. Returns the refusal or null, and whether the guest himself declined. */
async function wish(path, body, on) {
  let more = {};
  for (;;) {
    const answer = await fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...body, seen: on, ...more }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const said = await answer.json();
    if (answer.ok) return { why: null };
    if (said.code === "pin.needed") {
      if (!(await askPin())) return { why: said, own: true };
    } else if (said.consequences) {
      // It would accuse somebody: show the guest first whom of what.
      if (!(await onConsequences(said.consequences))) return { why: said, own: true };
      more = { agreed: said.consequences.state };
    } else {
      if (answer.status === 409) await refresh();
      return { why: said.code ? said : UNANSWERED };
    }
  }
}

/** Send a wish: true if it was done, false if it was refused and the refusal shown, null if the guest declined. */
async function post(path, body, on = sight) {
  try {
    const { why, own } = await wish(path, body, on);
    if (own) return null;
    if (why) onFailure(why);
    return !why;
  } catch {
    onFailure(UNANSWERED);
    return false;
  }
}

/** Whether this screen may show the camera's picture; asks for the PIN where it needs one. */
export async function mayLook() {
  try {
    const answer = await fetch("/camera.jpg", { method: "HEAD" });
    return answer.status !== 403 || (await askPin());
  } catch {
    return true; // no connection: the picture comes when the line does
  }
}

/** Fetch the state, which may have changed without a message on the live line. */
async function refresh() {
  const now = await fetchOlder("/api/state");
  if (now) take(now);
}

/** Event `of` was really `event`; null = it never happened. */
export const correct = (of, event, on) => post("/api/correction", { of, event }, on);

/** Take back event `id`, the last that holds. */
export const undo = (id) => post("/api/undo", { id });

/** Bring back what the correction `id` took back. */
export const redo = (id) => post("/api/redo", { id });

/** The same people play another game. */
export const again = () => post("/api/again", {});

/** Begin the game that `game` describes; null if it has begun, otherwise why not. */
export async function begin(game, on) {
  try {
    return (await wish("/api/begin", game, on)).why;
  } catch {
    return UNANSWERED;
  }
}

/** Enter an event that the table cannot see; returns true, false or null as `post`. */
export const tell = (event, on) => post("/api/event", event, on);
