// The page of one seat (/seat/S1), for its player's phone: whose turn it is, and what this player may say now.
// Only this phone requests what he may say; others learn of it when he says it.

import { choose, chosenLanguage, firstLanguage } from "./chosen.js";
import { forget, h, redraw } from "./dom.js";
import { agree } from "./agree.js";
import { agreed, awaited, awaitedFor, cardName, colourName, nameOf, other, points, say, speak, spoken, spokenWords, title, unawaited, UNANSWERED } from "./words.js";
import { drawOffers, fetchOffers } from "./offers.js";
import { unopened } from "./says.js";
import { follow, undo } from "./table.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { troubleLines } from "./troubles.js";

const seat = decodeURIComponent(location.pathname.split("/").at(-1));
const place = (id) => document.getElementById(id);

let state = null;
let offers = null;
let online = true;
let failure = null;

function draw() {
  redraw("language", [spoken()], () => [say("language")]);
  place("language").title = say("language.hint");
  redraw("table", [spoken()], () => [say("seat.table")]);
  redraw("troubles", [online, state?.health, failure, state?.view.game, spoken()], troubles);
  if (!state) return;
  const { view } = online ? state : unawaited(state);
  const sits = here(view);
  title(sits ? nameOf(view, seat) : seat);
  redraw("who", [view.players, view.seats, spoken()], () => [sits ? nameOf(view, seat) : seat]);
  redraw("where", [view.game, view.round, spoken()], () => [view.game ? [view.title, view.round && say("seat.round", { n: view.round })].filter(Boolean).join(" · ") : ""]);
  place("now").classList.toggle("turn", sits && isAwaited(view));
  redraw("now", [view, state.health.camera.what, spoken()], () => (sits ? now(view) : [h("p", {}, say(view.game ? "seat.nobody" : "begin.none"))]));
  redraw("offers", [offers, view.pack, spoken()], () => may(view));
  redraw("mine", [view.declared, state.undo, state.events, spoken()], () => mine(view));
}

const here = (view) => view.seats.includes(seat);

/** Troubles as on the table's page, with a link to it, since score is kept by hand there. */
function troubles() {
  return troubleLines({ online, health: state?.health, failure }, state?.view.game ? h("a", { href: "/" }, say("seat.table")) : null);
}

/** Whose turn it is, what is played, what has been played. */
function now(view) {
  const score = view.points[seat];
  const lies = view.trick.map((each) => `${nameOf(view, each.seat)}: ${cardName(each.card)}`);
  return [
    score !== undefined && h("span", { class: "points" }, points(score)),
    h("p", { class: "big" }, turn(view)),
    unopened(state),
    agreed(view) && h("p", {}, agreed(view)),
    view.trump && h("p", {}, say("say.trump", { colour: colourName(view.trump) })),
    lies.length > 0 && h("p", { class: "pale" }, lies.join(" · ")),
  ];
}

/** Whether the table waits for this seat; it may ask several at once. */
const isAwaited = (view) => awaited(view) === seat || (view.phase === "declare" && view.prompts.some((each) => each.seat === seat));

function turn(view) {
  if (isAwaited(view)) return say(view.turn === seat && awaitedFor(view) !== say("asked") ? "seat.your.turn" : "seat.asked");
  const other = awaited(view);
  if (other) return `${nameOf(view, other)} ${awaitedFor(view)}`;
  if (view.over) return say("phase.finished");
  if (["settled", "finished"].includes(view.phase)) return say("seat.settled");
  return say(unopened(state) ? "prompts" : "seat.wait");
}

function may(view) {
  if (!offers) return [];
  return [h("h2", {}, say("seat.may")),
    ...(offers.length ? drawOffers(view, offers) : [h("p", { class: "pale" }, say("seat.silent"))])];
}

/** What this seat has said in the round; the last word can be taken back until something follows it. */
function mine(view) {
  const said = view.declared.filter(([who]) => who === seat);
  const last = state.events.find(({ id }) => id === state.undo)?.event;
  const own = last?.kind === "say" && last.seat === seat;
  if (!said.length && !own) return [];
  return [...(said.length ? [h("h2", {}, say("seat.said")),
    h("ul", { class: "says" }, said.map(([, what]) => h("li", { key: what }, spokenWords(what))))] : []),
    own && h("div", { class: "choices" }, h("button", { type: "button", onclick: () => undo(state.undo) }, `↶ ${say("seat.undo", { what: spokenWords(last.what) })}`))];
}

let newest = 0;

/** Fetch the offers; only the newest answer counts, as an older one may come late. */
async function renew(now) {
  const number = ++newest;
  const found = here(now.view) ? await fetchOffers(seat) : null;
  if (number !== newest) return;
  offers = found;
  draw();
}

function failed(why) {
  failure = why;
  draw();
  setTimeout(() => {
    failure = null;
    draw();
  }, 8000);
}

place("language").addEventListener("click", async () => {
  if (!(await speak(other()))) {
    failed(UNANSWERED);
    return;
  }
  choose("language", spoken());
  forget();
  draw();
});

takeDoubleTapsForOne();
await speak(firstLanguage());
draw();
follow(
  async (now) => {
    if (!chosenLanguage() && now.language !== spoken()) {
      if (await speak(now.language)) forget();
    }
    const before = Boolean(state) && here(state.view) && isAwaited(state.view);
    const after = here(now.view) && isAwaited(now.view);
    state = now;
    draw();
    if (after !== before) place("said").textContent = after ? turn(now.view) : ""; // announce only changes
    await renew(now);
  },
  (up) => {
    if (up !== online) {
      online = up;
      draw();
    }
  },
  failed,
  (consequences) => agree(state.view, consequences),
);
