// What keeps the table from seeing or telling, for every page of a game: no line, camera, light, board, journal, and what
// was refused just now.

import { h } from "./dom.js";
import { say, told } from "./words.js";

const PASSING = ["starting", "learning", "ended"]; // nobody needs to do anything about it

/** The lines to show. `byHand` is what leads to the score kept by hand, put behind a camera that does not see. */
export function troubleLines({ online, health = {}, failure, demo = false }, byHand = null) {
  const lines = online ? [] : [h("p", { class: "bad away" }, say("offline"))];
  if (demo && health.sight?.what === "fine") lines.push(h("p", { class: "mild" }, say("demo")));
  for (const [part, { what, detail }] of Object.entries(health)) {
    if (["fine", "none"].includes(what)) continue;
    const mild = PASSING.includes(what);
    if (part === "board" && mild) continue;
    if (part === "sight" && health.camera.what === "lost") continue;
    lines.push(h("p", { class: mild ? "mild" : "bad" }, say(`health.${part}.${what}`), detail && h("small", {}, ` ${told(detail)}`),
      ...(part === "camera" && (!mild || what === "learning") && byHand ? [" ", byHand] : [])));
  }
  if (failure) lines.push(h("p", { class: "bad failed" }, say("failed", { why: told(failure) })));
  return lines;
}
