// The summary after each round: its deciding reasons in words and the points before and after it; at the end the whole
// sheet, to print or take away. The words come from the table: every game has its own.

import { h, redraw, svg } from "./dom.js";
import { takeAway } from "./picture.js";
import { kiosk } from "./screen.js";
import { fetchOlder } from "./table.js";
import { lies } from "./trick.js";
import { dates, nameOf, say, signed, spoken } from "./words.js";

const PATIENCE_MS = 5000; // after this time a trick that nobody was seen to take makes room
const LONG_NAME = 14;
const OVER = ["settled", "finished"];

let sheet = null;
let fetched = null;
let over = null; // the round that is over, and since when
let put = null; // the round whose summary somebody closed

/** Fetch the sheet once a round is over; true if there is something new to draw. */
export async function renewSheet(state, redrawn) {
  const { view, game, newest } = state;
  if (!OVER.includes(view.phase) || !view.round) {
    over = null;
    return false;
  }
  const round = `${game} ${view.round}`;
  if (over?.round !== round) {
    over = { round, since: Date.now() };
    if (lies(state)) setTimeout(redrawn, PATIENCE_MS);
  }
  const wanted = `${game} ${newest} ${spoken()}`;
  if (fetched === wanted) return false;
  const said = await fetchOlder(`/api/sheet?lang=${spoken()}`);
  if (!said || said.game !== game) return false;
  fetched = wanted;
  sheet = said;
  return true;
}

/** Draw the summary of the last round, or nothing. */
export function drawSummary(state) {
  const { view } = state;
  const told = shown(state) ? sheet.rounds : [];
  const folded = put === over?.round;
  redraw("summary", [told, folded, view.over, view.winners, view.players, spoken()], () =>
    !told.length ? [] : folded ? [opener(state)] : card(view, told, state));
}

function opener(state) {
  return h("button", { key: "open", type: "button", class: "open", onclick: () => fold(state, null) }, say("sheet.open"));
}

function fold(state, round) {
  put = round;
  drawSummary(state);
}

function shown(state) {
  if (!over || !sheet || sheet.game !== state.game) return false;
  return !lies(state) || Date.now() - over.since >= PATIENCE_MS;
}

function card(view, rounds, state) {
  const last = rounds.at(-1);
  return [
    !kiosk && h("button", { key: "close", type: "button", class: "small", "aria-label": say("close"), onclick: () => fold(state, over?.round) }, "✕"),
    view.over && h("p", { class: "winners" }, view.winners.length
      ? say("sheet.winners", { who: view.winners.map((seat) => nameOf(view, seat)).join(" + ") }) : say("sheet.nobody")),
    view.over && h("p", { class: "pale" }, day(state.events.at(-1)?.wall)),
    view.over && !kiosk && h("div", { class: "choices" },
      h("button", { key: "print", type: "button", class: "on", onclick: () => print() }, say("sheet.print")), takeAway("")),
    h("h2", {}, [say("where.round", { n: last.round }), ...last.head].join(" · "), last.broken_off && ` · ${say("sheet.broken")}`),
    h("div", { class: `parts ${view.seats.some((seat) => nameOf(view, seat).length > LONG_NAME) ? "long" : ""}` }, standing(view, rounds), reasons(last), view.over && rounds.length > 1 && whole(view, rounds)),
  ];
}

const day = (wall) => (wall ? new Date(1000 * wall).toLocaleDateString(dates(), { dateStyle: "full" }) : "");

function reasons(round) {
  if (!round.reasons.length) return null;
  return h("ul", { class: "told" }, round.reasons.map(({ text, why }, i) => h("li", { key: i }, text,
    why.map((one) => h("small", { title: say("finding.rule", { rule: one.rule }) }, one.text)))));
}

/** Everybody's points before and after the round, and their course through the evening. */
function standing(view, rounds) {
  const last = rounds.at(-1);
  const courses = view.seats.map((seat) => course(rounds, seat));
  const thrown = last.steps.length > 0; // a race: show what its last throw brought
  const earlier = thrown ? last.steps.at(-2) : rounds.at(-2)?.points;
  const all = courses.flat();
  return h("table", { class: "standing" },
    h("thead", {}, h("tr", {}, ["sheet.who", "sheet.before", thrown ? "sheet.throw" : "sheet.brought", "sheet.after", "sheet.course"].map((key) =>
      h("th", { scope: "col" }, say(key))))),
    h("tbody", {}, view.seats.map((seat, i) => {
      const after = last.points[seat] ?? 0;
      const before = earlier?.[seat] ?? 0;
      return h("tr", { key: seat, class: view.over && view.winners.includes(seat) ? "won" : "" },
        h("th", { scope: "row" }, nameOf(view, seat)), h("td", {}, signed(before)),
        h("td", { class: after > before ? "plus" : after < before ? "minus" : "" }, after > before ? `+${after - before}` : signed(after - before)),
        h("td", { class: "now" }, signed(after)),
        h("td", {}, spark(courses[i], Math.min(...all), Math.max(...all), nameOf(view, seat))));
    })));
}

/** One player's points through the evening, starting at 0; in dice games after each throw. */
const course = (rounds, seat) => [0, ...rounds.flatMap(({ points, steps }) => (steps.length ? steps : [points]).map((each) => each[seat] ?? 0))];

function spark(values, least, most, who) {
  const x = (i) => (2 + (96 * i) / Math.max(1, values.length - 1)).toFixed(1);
  const y = (value) => (26 - (24 * (value - least)) / Math.max(1, most - least)).toFixed(1);
  const line = values.map((value, i) => `${x(i)},${y(value)}`).join(" ");
  return svg("svg", { class: "spark", viewBox: "0 0 100 28", preserveAspectRatio: "none", role: "img",
    "aria-label": say("sheet.spark", { who, points: values.map(signed).join(", ") }) },
    svg("line", { class: "zero", x1: 0, x2: 100, y1: y(0), y2: y(0) }),
    svg("polyline", { points: line }));
}

/** Every round of the evening. */
function whole(view, rounds) {
  return h("table", { class: "whole" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("sheet.round")), view.seats.map((seat) => h("th", { scope: "col" }, nameOf(view, seat))))),
    h("tbody", {}, rounds.map(({ round, brought }) => h("tr", { key: round }, h("th", { scope: "row" }, round),
      view.seats.map((seat) => h("td", {}, signed(brought[seat] ?? 0)))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, say("sheet.total")), view.seats.map((seat) =>
      h("td", {}, signed(rounds.at(-1).points[seat] ?? 0))))));
}

