// The troubles of the table, for every page of a game: no connection, camera, light, board, journal, and the last
// refusal.

import { h } from "./dom.js";
import { say, told } from "./words.js";

const PASSING = ["starting", "learning", "ended"]; // nobody needs to do anything about these

/** The lines to show. `byHand` leads to keeping score by hand; it is put after a camera that does not see. */
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
