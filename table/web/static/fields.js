// The fields of a dialog for each kind of event, and the event that the choices make.

import { h, patch } from "./dom.js";
import { legalGrid } from "./grid.js";
import { drawThrow, planToRight, throwOf } from "./throw.js";
import { cardName, colourName, nameOf, say, spokenWords } from "./words.js";

const DICE = ["blue", "brown", "yellow", "green", "red", "black"];

const KINDS = {
  throw: throwFields, card: cardFields, die: dieFields, turned: turnedFields, say: sayFields,
  collected: seatFields, touch: seatFields, round: roundFields, end: noFields,
};

/** What an event may have been instead: the kinds that people may enter in this game. */
export function kindsOf(view, kind) {
  if (["turned", "game"].includes(kind)) return [kind];
  const known = Object.keys(KINDS).filter((each) => view.kinds.includes(each));
  // Nobody types in the dice of a throw, so another event cannot become one.
  const possible = known.filter((each) => each !== "throw" || kind === "throw");
  return possible.includes(kind) || kind === "unsure" ? possible : [...possible, kind];
}

/** The fields of a kind, filled from an event, and `read()`, which makes an event of the choices. */
export const fieldsOf = (view, kind, event, sure = [], at = 0) => (KINDS[kind] ?? unknownFields)(view, event, kind, sure, at);

function seatChoice(view, event) {
  return choice(view.seats.map((s) => [s, nameOf(view, s)]), event.seat);
}

function cardFields(view, event, kind, sure) {
  const seat = seatChoice(view, event);
  const cards = Object.keys(view.pack);
  // Cards not seen yet come first: it was most likely one of them.
  const free = cards.filter((c) => (view.seen[c] ?? 0) < view.pack[c]);
  const rest = cards.filter((c) => !free.includes(c));
  const card = choice([...free, ...rest].map((c) => [c, cardName(c)]), event.card);
  return {
    elements: [labelled("seat", seat), labelled("card", card), ...tapped(view, card, sure)],
    read: () => ({ kind: "card", seat: seat.value, card: card.value }),
  };
}

/** The same choice for a finger: a tap on a card chooses it. `sure` cards come first, seen ones are dimmed. */
function tapped(view, select, sure = []) {
  const rows = legalGrid(view, sure, (name, left) => ({
    "data-card": name, class: left > 0 ? "one" : "one seen", onclick: () => {
      select.value = name;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    },
  }));
  const buttons = rows.flatMap((row) => [...row.querySelectorAll("button")]);
  const mark = () => buttons.forEach((button) => button.setAttribute("aria-pressed", `${button.dataset.card === select.value}`));
  select.addEventListener("change", mark);
  mark();
  return rows;
}

function turnedFields(view, event) {
  const card = choice(Object.keys(view.pack).map((c) => [c, cardName(c)]), event.card);
  return { elements: [labelled("card", card), ...tapped(view, card)], read: () => ({ kind: "turned", card: card.value }) };
}

function dieFields(view, event) {
  const colour = choice(DICE.map((c) => [c, colourName(c)]), event.colour);
  const value = choice([1, 2, 3, 4, 5, 6].map((n) => [String(n), say("die.value", { n })]), String(event.value));
  const spots = view.characters.map((c) => [c.name, say(`character.${c.name}`)]);
  const spot = choice([...spots, ["", say("die.nowhere")]], event.spot ?? "");
  return {
    elements: [labelled("die.colour", colour), labelled("die.shows", value), spots.length && labelled("die.spot", spot)].filter(Boolean),
    read: () => ({ kind: "die", colour: colour.value, value: +value.value, ...(spot.value ? { spot: spot.value } : {}) }),
  };
}

function sayFields(view, event) {
  const seat = choice([...view.seats.map((s) => [s, nameOf(view, s)]), ["", say("nobody.in.particular")]], event.seat ?? "");
  const words = [...view.sayings];
  if (event.what && !words.includes(event.what)) words.unshift(event.what);
  const what = choice(words.map((word) => [word, spokenWords(word)]), event.what);
  return {
    elements: [!view.boxed && labelled("seat", seat), labelled("speak.what", what)].filter(Boolean),
    read: () => ({ kind: "say", what: what.value, ...(seat.value ? { seat: seat.value } : {}) }),
  };
}

function roundFields(view, event) {
  const begins = view.boxed;
  const names = begins ? view.players.map((colour) => [colour, colourName(colour)]) : view.seats.map((s) => [s, nameOf(view, s)]);
  const chosen = (begins ? event.first : event.dealer) ?? "";
  const who = choice([...names, ["", say("dealer.unknown")]], chosen);
  return {
    elements: [labelled(begins ? "round.first" : "round.dealer", who)],
    read: () => ({ kind: "round", ...(who.value ? { [begins ? "first" : "dealer"]: who.value } : {}) }),
  };
}

function seatFields(view, event, kind) {
  const seat = seatChoice(view, event);
  return { elements: [labelled("seat", seat)], read: () => ({ kind, seat: seat.value }) };
}

/** Who threw, what each die shows and where it lies. */
function throwFields(view, event, _kind, _sure, at) {
  const plan = planToRight(view, event, at);
  const place = h("div", { class: "throwing" });
  const draw = () => patch(place, drawThrow(view, plan, draw));
  draw();
  return { elements: [place], read: () => throwOf(plan) };
}

function noFields(view, event, kind) {
  return { elements: [], read: () => ({ kind }) };
}

function unknownFields(view, event) {
  return { elements: [], read: () => event };
}

/** A control under its name. */
export const labelled = (key, element) => h("label", {}, say(key), element);

/** A select of [value, words] pairs. If none is `chosen`, none is selected, so that nobody saves the first by accident. */
export function choice(pairs, chosen) {
  const open = !pairs.some(([value]) => value === chosen);
  const none = open && h("option", { value: "", selected: true, disabled: true }, say("dialog.choose"));
  return h("select", { required: open },
    none, pairs.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}

/** A button that submits `form`, disabled until everything is chosen. */
export function saves(form, button) {
  const check = () => {
    button.disabled = !form.checkValidity();
  };
  form.addEventListener("change", check);
  check();
}
