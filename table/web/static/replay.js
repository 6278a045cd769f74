// Replays a game step by step: the table as it was at each line of the log, with that line's picture.

import { h, redraw } from "./dom.js";
import { fetchKept } from "./kept.js";
import { drawStage } from "./stage.js";
import { dates, eventName, say, spoken } from "./words.js";

const PACE_MS = 900;
const PAGE = 500;
const AROUND = 12; // lines that are listed before and after the current one

let replayed = null; // { game, steps, at, state, kept }
let playing = null;

/** Show game `number` at line `event`, or at its first one; calls `missed(why)` if it is not available. */
export async function openReplay(number, event, kept, missed) {
  if (replayed?.game !== number) {
    replayed = { game: number, steps: [], at: -1, state: null, kept };
    const opened = replayed;
    redraw("stage", ["opening", number, spoken()], () => [h("p", { class: "waiting", role: "status" }, say("replay.opening"))]);
    const why = await fetchSteps(opened);
    if (replayed !== opened) return;
    if (why) {
      replayed = null;
      missed(why);
      return;
    }
  }
  const at = event === null ? 0 : replayed.steps.findLastIndex(({ id }) => id <= event);
  await show(Math.max(0, at));
}

/** Stop the replay, as the list is shown again. */
export function leaveReplay() {
  stop();
  replayed = null;
  for (const id of ["stage", "characters", "last", "step", "steps", "where", "trump"]) redraw(id, [], () => []);
}

/** Fetch all steps; null once they are there, otherwise why not. */
async function fetchSteps(opened) {
  let left = 1;
  while (left > 0) {
    const said = await fetchKept(`/api/history/${opened.game}?limit=${PAGE}&after=${opened.steps.at(-1)?.id ?? 0}`);
    if (!said || said.code) return said ?? { code: "history.missing", args: { n: opened.game } };
    opened.steps.push(...said.steps);
    left = said.steps.length ? said.left_out : 0;
  }
  return opened.steps.length ? null : { code: "history.missing", args: { n: opened.game } };
}

/** Go to a step; of several requested in quick succession the last one is shown. */
async function show(at) {
  const now = replayed;
  if (!now || now.at === at) return;
  now.at = at;
  const { id } = now.steps[at];
  const state = await fetchKept(`/api/history/${now.game}/${id}`);
  if (!state?.view || replayed !== now || now.at !== at) return;
  Object.assign(state.view, state.form);
  now.state = state;
  history.replaceState(null, "", `#${now.game}/${id}`);
  drawReplay();
}

/** Draw the current step. */
export function drawReplay() {
  if (!replayed?.state) return;
  const { state, steps, at, game } = replayed;
  drawStage(state);
  redraw("step", [game, at, steps.length, Boolean(playing), spoken()], () => controls(state.view, steps, at, game));
  redraw("steps", [game, at, spoken()], () => lines(state.view, steps, at));
}

function controls(view, steps, at, game) {
  const { id, event, now, wall, crop } = steps[at];
  const button = (key, sign, to, off) => h("button", { key, type: "button", "aria-label": say(`replay.${key}`), title: say(`replay.${key}`), disabled: off, onclick: () => { stop(); show(to); } }, sign);
  return [
    h("div", { key: "buttons", class: "choices" },
      button("first", "«", 0, at === 0), button("back", "‹", at - 1, at === 0),
      h("button", { key: "play", type: "button", class: "on", onclick: toggle }, say(playing ? "replay.pause" : "replay.play")),
      button("on", "›", at + 1, at === steps.length - 1), button("last", "»", steps.length - 1, at === steps.length - 1),
      h("a", { key: "list", class: "button", href: "#" }, say("history.title"))),
    h("input", { key: "slide", type: "range", min: 0, max: steps.length - 1, step: 1, value: at, "aria-label": say("replay.slide"), "aria-valuetext": say("replay.of", { n: at + 1, all: steps.length }), oninput: ({ target }) => { stop(); show(+target.value); } }),
    h("p", { key: "told", class: "told", role: "status" }, h("small", {}, `${say("replay.of", { n: at + 1, all: steps.length })} · ${new Date(1000 * wall).toLocaleTimeString(dates())}`),
      h("b", {}, eventName(view, event)), now !== undefined && h("small", {}, say("replay.now", { what: eventName(view, now) }))),
    crop !== undefined && h("img", { key: id, class: "crop", src: `/crop/${game}/${crop}.jpg`, alt: say("doubt.picture") }),
  ];
}

function lines(view, steps, at) {
  const first = Math.max(0, at - AROUND);
  return [h("ol", { class: "events" }, steps.slice(first, at + AROUND + 1).map(({ id, event, crop }, i) =>
    h("li", { key: id, "aria-current": first + i === at }, h("span", { class: "number" }, id),
      h("button", { type: "button", class: "link", onclick: () => { stop(); show(first + i); } }, eventName(view, event), crop !== undefined && " ▣"))))];
}

function toggle() {
  if (playing) stop();
  else {
    playing = setInterval(() => (replayed && replayed.at < replayed.steps.length - 1 ? show(replayed.at + 1) : stop()), PACE_MS);
    if (replayed.at === replayed.steps.length - 1) show(0);
  }
  drawReplay();
}

function stop() {
  clearInterval(playing);
  playing = null;
  drawReplay();
}

addEventListener("keydown", ({ key, target }) => {
  if (!replayed || target.closest?.("input") || target.closest?.("dialog")) return;
  const to = { ArrowLeft: replayed.at - 1, ArrowRight: replayed.at + 1, Home: 0, End: replayed.steps.length - 1 }[key];
  if (to >= 0 && to < replayed.steps.length) {
    stop();
    show(to);
  }
});
