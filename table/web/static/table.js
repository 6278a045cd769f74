// The line to the table: states come in by themselves, requests go out, and a dead line is mended.

const SILENCE_MS = 25000; // the table says something every ten seconds
let onFailure = () => {};

/** Follow the table: `onState(state)` for every state, `onLine(true|false)` when the line comes or goes. */
export function follow(onState, onLine, failed) {
  onFailure = failed;
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
        onState(message);
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

async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok) onFailure(said.error ?? answer.statusText);
    return answer.ok;
  } catch (wrong) {
    onFailure(wrong.message);
    return false;
  }
}

/** Event `of` was really `event`; null = it never happened. */
export const correct = (of, event) => post("/api/correction", { of, event });

/** Take back the last thing. */
export const undo = () => post("/api/undo", {});

/** The same people play another game. */
export const again = () => post("/api/again", {});

/** Tell the table something that it cannot see. */
export const tell = (event) => post("/api/event", event);
