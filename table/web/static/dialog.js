// One dialog for what has to be put right: which card, whose, or nothing at all.

import { h } from "./dom.js";
import { correct, tell } from "./table.js";
import { cardName, colourName, eventName, nameOf, say, spokenWords } from "./words.js";

const DICE = ["blue", "brown", "yellow", "green", "red", "black"];

/** Ask what event `id` really was (null = an event that the table has not seen). */
export function askEvent(view, id, event) {
  const dialog = document.getElementById("dialog");
  const fields = { card: cardFields, unsure: cardFields, die: dieFields, turned: turnedFields }[event.kind]?.(view, event);
  const send = async (right) => {
    if (await (id === null ? tell(right) : correct(id, right))) dialog.close();
  };
  const form = h("form", {
    method: "dialog",
    onsubmit: (submit) => {
      submit.preventDefault();
      send(fields.read());
    },
  },
    h("h2", {}, id === null ? say("add.title") : say("correct.title", { id })),
    id !== null && h("p", { class: "pale" }, eventName(view, event)),
    fields?.elements,
    h("div", { class: "choices" },
      fields && h("button", { type: "submit", class: "on" }, say("save")),
      id !== null && h("button", { type: "button", onclick: () => send(null) }, say("correct.never")),
      id === null && event.kind !== "turned" && h("button", { type: "button", onclick: () => send({ kind: "round" }) }, say("next.round")),
      id === null && event.kind !== "turned" && h("button", { type: "button", onclick: () => send({ kind: "end" }) },
        say(["settled", "finished"].includes(view.phase) ? "end.evening" : "end")),
      h("button", { type: "button", onclick: () => dialog.close() }, say("close"))));
  dialog.replaceChildren(form);
  dialog.showModal();
}

/** Ask who said what; `words` are all the words of the game. */
export function askSay(view, words, seat) {
  const dialog = document.getElementById("dialog");
  const who = choice([...view.seats.map((s) => [s, nameOf(view, s)]), ["", say("nobody.in.particular")]], seat ?? "");
  const what = choice(words.map((word) => [word, spokenWords(word)]), words[0]);
  const send = async () => {
    if (await tell({ kind: "say", what: what.value, ...(who.value ? { seat: who.value } : {}) })) dialog.close();
  };
  dialog.replaceChildren(h("form", {
    method: "dialog",
    onsubmit: (submit) => {
      submit.preventDefault();
      send();
    },
  },
    h("h2", {}, say("speak.title")),
    view.game !== "doppelx" && labelled("seat", who), labelled("speak.what", what),
    h("div", { class: "choices" },
      h("button", { type: "submit", class: "on" }, say("save")),
      h("button", { type: "button", onclick: () => dialog.close() }, say("close")))));
  dialog.showModal();
}

function turnedFields(view, event) {
  const card = choice(Object.keys(view.pack).map((c) => [c, cardName(c)]), event.card);
  return { elements: [labelled("card", card)], read: () => ({ kind: "turned", card: card.value }) };
}

function cardFields(view, event) {
  const seat = choice(view.seats.map((s) => [s, nameOf(view, s)]), event.seat);
  const cards = Object.keys(view.pack);
  // Cards that were not seen yet stand first: it was most likely one of them.
  const free = cards.filter((c) => (view.seen[c] ?? 0) < view.pack[c]);
  const rest = cards.filter((c) => !free.includes(c));
  const card = choice([...free, ...rest].map((c) => [c, cardName(c)]), event.card ?? free[0]);
  return {
    elements: [labelled("seat", seat), labelled("card", card)],
    read: () => ({ kind: "card", seat: seat.value, card: card.value }),
  };
}

function dieFields(view, event) {
  const colour = choice(DICE.map((c) => [c, colourName(c)]), event.colour);
  const value = choice([1, 2, 3, 4, 5, 6].map((n) => [n, say("die.value", { n })]), event.value);
  return {
    elements: [colour, value],
    read: () => ({ kind: "die", colour: colour.value, value: +value.value, ...(event.spot ? { spot: event.spot } : {}) }),
  };
}

const labelled = (key, element) => h("label", {}, say(key), element);

const choice = (pairs, chosen) =>
  h("select", {}, pairs.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
