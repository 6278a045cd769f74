// The line to the table: states come in by themselves, requests go out, and a dead line is mended.

const SILENCE_MS = 25000; // the table says something every ten seconds
let sight = null;
let onFailure = () => {};
let onConsequences = async () => false;
let take = () => {};

/** Follow the table: `onState(state)` for every state, `onLine(true|false)` when the line comes or goes,
 *  `failed(why)` when a request fails, `agree(consequences)` before one that would accuse somebody. */
export function follow(onState, onLine, failed, agree) {
  onFailure = failed;
  onConsequences = agree;
  take = (state) => {
    sight = { game: state.game ?? 0, id: state.newest };
    onState(state);
  };
  let pause = 250;
  const connect = () => {
    const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    let watch;
    const heard = () => {
      clearTimeout(watch);
      watch = setTimeout(() => line.close(), SILENCE_MS);
    };
    heard();
    line.onmessage = ({ data }) => {
      heard();
      pause = 250;
      const message = JSON.parse(data);
      if (message.type === "state") {
        onLine(true);
        take(message);
      }
    };
    line.onclose = () => {
      clearTimeout(watch);
      onLine(false);
      setTimeout(connect, pause);
      pause = Math.min(2 * pause, 4000);
    };
  };
  connect();
}

/** What the page shows now: number of the game, id of its newest line. A dialog keeps what it was opened on. */
export const seen = () => sight;

/** Ask for something older. */
export async function fetchOlder(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function post(path, body, on = sight) {
  try {
    const request = (more) => fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...body, seen: on, ...more }),
    });
    let answer = await request({});
    let said = await answer.json();
    // It would accuse somebody: whoever tapped sees first whom of what.
    while (!answer.ok && said.consequences) {
      if (!(await onConsequences(said.consequences))) return false;
      answer = await request({ agreed: said.consequences.state });
      said = await answer.json();
    }
    if (!answer.ok) onFailure(said.error ?? answer.statusText);
    if (answer.status === 409) await refresh();
    return answer.ok;
  } catch (wrong) {
    onFailure(wrong.message);
    return false;
  }
}

/** Draw anew what may have changed without a word on the live line. */
async function refresh() {
  const now = await fetchOlder("/api/state");
  if (now) take(now);
}

/** Event `of` was really `event`; null = it never happened. */
export const correct = (of, event, on) => post("/api/correction", { of, event }, on);

/** Take back event `id`, the last thing that holds. */
export const undo = (id) => post("/api/undo", { id });

/** Bring back what the correction `id` took back. */
export const redo = (id) => post("/api/redo", { id });

/** The same people play another game. */
export const again = () => post("/api/again", {});

/** Begin the game that `wish` names; null when it has begun, else why it has not. */
export async function begin(wish, on) {
  try {
    const answer = await fetch("/api/begin", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ ...wish, seen: on }),
    });
    if (answer.status === 409) await refresh();
    return answer.ok ? null : (await answer.json()).error ?? answer.statusText;
  } catch (wrong) {
    return wrong.message;
  }
}

/** Tell the table something that it cannot see. */
export const tell = (event, on) => post("/api/event", event, on);
