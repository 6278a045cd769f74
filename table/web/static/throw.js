// A throw of DoppelX entered or corrected by touch: who threw, what every die shows and where it lies.

import { die } from "./cards.js";
import { h } from "./dom.js";
import { lying, ZONES } from "./unsure.js";
import { colourName, say, zoneName } from "./words.js";

const FACES = ["1", "2", "3", "X"];
const BETS = [..."ABCDEFGH"];
const LOST = ["hole", "outside"];
const COLOURS = ["blue", "green", "yellow", "red", "purple", "orange", "black", "pink", "brown", "white"];
const ALL = "all";
const WHITE = "white";
const HAND = null; // place of a die that is not in the box; undefined: not said yet

const placeOf = ({ where, counts_as: zone }) => (where === "field" ? zone : where);

/** A die of the plan: as the table has it (`die`), and what was tapped since (`told`). */
const lain = (die) => ({ die, colour: die.colour ?? null, face: die.face ?? null, place: placeOf(die), told: new Set() });
const absent = (colour, place) => ({ die: { colour }, colour, face: null, place, told: new Set(["colour"]) });

/** The plan of a throw that the table has: every die as it lies, then those in hands; die `at` is edited first. */
export function planToRight(view, event, at = 0) {
  const dice = (event.dice ?? []).map(lain);
  const missing = [...view.players, WHITE].filter((colour) => !dice.some((each) => each.colour === colour));
  const player = event.player ?? (event.after_gap ? null : ALL);
  return { event, player, dice: [...dice, ...missing.map((colour) => absent(colour, HAND))], at, due: [] };
}

/** The plan of the next throw: dice on field and bets still lie there, the thrower's two dice come down again. */
export function planToTell(view, last, player = thrower(view)) {
  const due = player === ALL ? view.players : [player, WHITE];
  const back = view.box.take_back;
  const lay = (last?.dice ?? []).filter(({ colour, where }) => !due.includes(colour) && !(colour in back) && !LOST.includes(where));
  const inHand = [...view.players, WHITE].filter((colour) => !lay.some((each) => each.colour === colour));
  const dice = [...inHand.filter((colour) => due.includes(colour)).map((colour) => absent(colour, undefined)),
    ...lay.map(lain), ...inHand.filter((colour) => !due.includes(colour)).map((colour) => absent(colour, HAND))];
  return { event: { kind: "throw" }, player, dice, at: 0, due };
}

/** Whose turn it is, by colour; at first all throw. */
function thrower(view) {
  if (!view.box.throw) return ALL;
  return view.players[view.seats.indexOf(view.turn ?? view.box.due[0])] ?? view.players[0];
}

const open = ({ place, face }) => place === undefined || (ZONES.includes(place) && face === null);

/** Whether everything that a throw needs was said. */
export const isWhole = (plan) => !plan.dice.some(open);

/** The event of a plan. What was tapped is settled; the rest stays as the table had it. */
export function throwOf(plan) {
  const dice = plan.dice.filter(({ place }) => place !== HAND);
  return { ...plan.event, ...(plan.player ? { player: plan.player } : {}), dice: dice.map(settled) };
}

function settled({ die: was, colour, face, place, told }) {
  const known_ = { colour: ["colour"], face: ["face", "cocked"], place: ["line", "throw"] };
  const sure = [...told].flatMap((what) => known_[what]);
  const { candidates, doubt, cocked, ...rest } = was;
  const left = (doubt ?? []).filter((what) => !sure.includes(what));
  return {
    ...rest, ...(left.length ? { candidates, doubt: left } : {}), ...(cocked && !told.has("face") ? { cocked } : {}),
    ...(colour ? { colour } : {}), ...(face ? { face } : {}), ...(told.has("place") ? lies(place) : {}),
  };
}

/** The fields for a die's new place; the table's own measurement of the old place is dropped. */
function lies(place) {
  if (ZONES.includes(place) || place === "hole") return lying(place, []);
  return { where: place, touches: [], counts_as: undefined, margin_mm: undefined, center: undefined, yaw: undefined };
}

/** Draw the plan; `again` redraws it after a tap, `renew` makes a new one for another thrower. */
export function drawThrow(view, plan, again, renew = null) {
  const takeThrower = (player) => {
    if (renew) renew(player);
    else plan.player = player;
    again();
  };
  return [
    h("h3", { key: "who" }, say("throw.player")),
    h("div", { key: "throwers", class: "chips", role: "group", "aria-label": say("throw.player") },
      [...view.players, ALL].map((player) => pressable(player, plan.player === player, () => takeThrower(player),
        player === ALL ? say("throw.all") : colourName(player)))),
    h("h3", { key: "which" }, say("throw.dice")),
    h("div", { key: "dice", class: "chips dice-row", role: "group", "aria-label": say("throw.dice") },
      plan.dice.map((each, i) => pressable(i, plan.at === i, () => { plan.at = i; again(); },
        die(each.colour ?? "unsure", each.face ?? "?"), h("span", {}, each.colour ? colourName(each.colour) : "?", h("small", {}, placeName(each))))),
      h("button", { key: "more", type: "button", onclick: () => { plan.at = plan.dice.push(absent(null, undefined)) - 1; again(); } }, say("throw.more"))),
    ...one(view, plan, again),
  ];
}

const placeName = ({ place }) => (place === HAND ? say("throw.hand") : place === undefined ? "…" : zoneName(place));

/** The die that was tapped: its face, its place, its colour. */
function one(view, plan, again) {
  const each = plan.dice[plan.at];
  if (!each) return [];
  const take = (what, value) => {
    each[what] = value;
    each.told.add(what);
    if (!open(each) && plan.due.includes(each.colour)) plan.at = next(plan);
    again();
  };
  const called = each.colour ? colourName(each.colour) : "?";
  const row = (what, values, words) => h("div", { key: what, class: "chips", role: "group", "aria-label": say(`throw.of.${what}`, { die: called }) },
    values.map((value) => pressable(value ?? "hand", each[what] === value, () => take(what, value), words(value))));
  const bets = (view.box?.bets ?? []).length ? view.box.bets : BETS;
  const places = [...ZONES, ...LOST, ...bets.map((bet) => `bet:${bet}`), HAND];
  const paint = h("select", { onchange: ({ target }) => take("colour", target.value) },
    [...(each.colour ? [] : [""]), ...COLOURS].map((colour) => h("option", { value: colour, selected: colour === (each.colour ?? "") }, colour ? colourName(colour) : "?")));
  return [
    h("h3", { key: "shows" }, say("throw.of.face", { die: called })), row("face", FACES, (face) => face),
    h("h3", { key: "lies" }, say("throw.of.place", { die: called })), row("place", places, (place) => (place === HAND ? say("throw.hand") : zoneName(place))),
    h("label", { key: "paint" }, say("throw.of.colour"), paint),
  ];
}

/** The next die about which something is still to be said; otherwise the same. */
function next(plan) {
  const later = [...plan.dice.keys()].map((i) => (plan.at + i) % plan.dice.length);
  return later.find((i) => open(plan.dice[i])) ?? plan.at;
}

const pressable = (key, pressed, act, ...words) =>
  h("button", { key, type: "button", "data-of": key, "aria-pressed": `${pressed}`, onclick: act }, ...words);
