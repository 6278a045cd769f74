// Who plays the next game, on which seats or with which dice, who deals, how many rounds. This browser stores the names.

import { keep, kept } from "./chosen.js";
import { chips, stepper } from "./controls.js";
import { h } from "./dom.js";
import { colourName, isGuest, say } from "./words.js";

const MOST_NAMES = 24;
const LONGEST = 40; // the table's own limit

/** The names that sat here before, newest first. */
function remembered() {
  try {
    const names = JSON.parse(kept("names") ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

/** The people of a game: `draw()`, `read()` for the wish, `wrong()` for what is missing, `keep()` stores the names. */
export function peopleOf(game, seats, view, before) {
  return game.colours.length ? colours(game, view, before) : places(game, seats, view, before);
}

/** After a change of players, everything that depends on them is redrawn, nothing else. */
function company(game) {
  const people = {
    rounds: null, first: null, changed: () => {},
    onChange(ask) { people.changed = ask; },
  };
  people.roundsField = () => game.rounds && h("fieldset", {}, h("legend", {}, say("begin.rounds")),
    stepper(say("begin.rounds"), () => roundsWords(people.rounds), (by) => {
      const start = people.count();
      const next = people.rounds === null ? (by > 0 ? start : null) : people.rounds + by;
      people.rounds = next === null || next < 1 ? null : next;
    }));
  people.count_words = () => say("begin.count", { game: game.title, n: list(game.players) });
  return people;
}

function roundsWords(n) {
  if (n === null) return say("begin.rounds.open");
  return n === 1 ? say("begin.rounds.1") : say("begin.rounds.n", { n });
}

function list(numbers) {
  if (numbers.length < 2) return `${numbers[0] ?? ""}`;
  const row = numbers.at(-1) - numbers[0] === numbers.length - 1 && numbers.length > 2;
  if (row) return `${numbers[0]}–${numbers.at(-1)}`;
  return say("begin.or", { list: numbers.slice(0, -1).join(", "), last: numbers.at(-1) });
}

function places(game, seats, view, before) {
  const people = company(game);
  const all = seats.length ? seats : Array.from({ length: Math.max(...game.players) }, (_, i) => `S${i + 1}`);
  people.names = before?.names ?? namesOf(view);
  people.taken = seated(game, all, before?.taken?.size ? [...before.taken] : view?.seats ?? []);
  let focused = null;
  const dealer = h("div", {});
  const offered = h("div", { class: "chips names" });
  const alike = h("p", { class: "pale", role: "status" });
  const inputs = {};

  const guest = (seat) => say("begin.guest", { n: all.indexOf(seat) + 1 });
  const called = (seat) => people.names[seat]?.trim() || guest(seat);
  const taken = () => all.filter((seat) => people.taken.has(seat));
  const redraw = () => {
    if (people.first && !people.taken.has(people.first)) people.first = null;
    dealer.replaceChildren(chips("dealer", [[null, say("begin.dealer.open")], ...taken().map((seat) => [seat, called(seat)])], people.first,
      (seat) => { people.first = seat; }));
    const here = new Set(taken().map((seat) => called(seat).toLowerCase()));
    const free = remembered().filter((name) => !here.has(name.toLowerCase()));
    offered.replaceChildren(...free.slice(0, 12).map((name) => h("button", { type: "button", onclick: () => sit(name) }, name)));
    offered.previousElementSibling?.toggleAttribute("hidden", !free.length);
    people.changed();
  };
  /** The second of two with the same name gets a number, to distinguish them. */
  const rename = (seat, name) => {
    const others = new Set(taken().filter((other) => other !== seat).map((other) => called(other).toLowerCase()));
    let own = name.trim().slice(0, LONGEST);
    for (let n = 2; own && others.has(own.toLowerCase()); n += 1) own = `${name.trim().slice(0, LONGEST - 4)} ${n}`;
    alike.textContent = own && own !== name.trim() ? say("begin.alike", { name: name.trim(), other: own }) : "";
    people.names[seat] = own;
    inputs[seat].value = own;
    redraw();
  };
  const sit = (name) => {
    const blank = (seat) => !people.names[seat];
    const seat = (focused && blank(focused) ? focused : taken().find(blank)) ?? focused ?? taken().at(-1);
    focused = null;
    if (seat) rename(seat, name);
  };
  const row = (seat) => {
    const name = h("input", {
      type: "text", maxlength: LONGEST, autocomplete: "off", autocapitalize: "words", spellcheck: "false", "aria-label": say("begin.name", { seat }), placeholder: guest(seat),
      value: people.names[seat] ?? "", onfocus: () => { focused = seat; }, onchange: () => rename(seat, name.value),
    });
    const plays = h("input", {
      type: "checkbox", checked: people.taken.has(seat), onchange: () => {
        people.taken[plays.checked ? "add" : "delete"](seat);
        name.disabled = !plays.checked;
        redraw();
      },
    });
    name.disabled = !plays.checked;
    inputs[seat] = name;
    return h("li", { class: "place" },
      h("label", { class: "chip" }, plays, h("span", {}, say("begin.seat", { seat }), h("span", { class: "unseen" }, ` ${say("begin.plays")}`))), name);
  };
  people.count = () => people.taken.size;
  people.draw = () => {
    const drawn = [
      h("fieldset", {}, h("legend", {}, say("begin.people")), h("p", { class: "pale" }, people.count_words()),
        h("ul", { class: "places" }, all.map(row)), alike, h("p", { class: "pale" }, say("begin.names")), offered),
      h("fieldset", {}, h("legend", {}, say("begin.dealer")), dealer),
      people.roundsField(),
    ];
    redraw();
    return drawn;
  };
  people.wrong = () => (game.players.includes(people.taken.size) ? null : people.count_words());
  people.read = () => ({ seats: taken(), players: taken().map(called), dealer: people.first, rounds: game.rounds ? people.rounds : null });
  people.keep = () => {
    const now = taken().map((seat) => people.names[seat]?.trim()).filter(Boolean);
    const known = remembered().filter((name) => !now.some((other) => other.toLowerCase() === name.toLowerCase()));
    keep("names", JSON.stringify([...now, ...known].slice(0, MOST_NAMES)));
  };
  return people;
}

/** People who sit there go on playing; the nearest free seats are filled only up to the smallest allowed number. At a
 *  table where nobody sits yet, four play if the game allows it. */
function seated(game, all, sat) {
  const here = sat.filter((seat) => all.includes(seat));
  const wanted = game.players.find((many) => many >= (here.length || 4)) ?? Math.max(...game.players);
  return new Set([...here, ...all.filter((seat) => !here.includes(seat))].slice(0, wanted));
}

/** The names in the current game by seat; people called after their seat or dice have none. */
function namesOf(view) {
  const names = {};
  if (view?.box) return names;
  view?.seats.forEach((seat, i) => {
    const guest = view.players[i] === seat || isGuest(view.players[i]);
    if (!guest) names[seat] = view.players[i];
  });
  return names;
}

/** At the dice box people are called after their dice, and throw in the order in which they were tapped. */
function colours(game, view, before) {
  const people = company(game);
  people.names = before?.names;
  people.taken = before?.taken;
  people.chosen = view?.box ? [...view.players] : game.colours.slice(0, game.players[0]);
  const dice = h("div", { class: "chips" });
  const first = h("div", {});
  const redraw = () => {
    if (!people.chosen.includes(people.first)) people.first = people.chosen[0] ?? null;
    dice.replaceChildren(...game.colours.map((colour) => {
      const at = people.chosen.indexOf(colour);
      return h("button", {
        type: "button", class: `colour ink-${colour}`, "aria-pressed": `${at >= 0}`, onclick: () => {
          people.chosen = at >= 0 ? people.chosen.filter((other) => other !== colour) : [...people.chosen, colour];
          redraw();
        },
      }, h("span", { class: "dot", "aria-hidden": true }, at >= 0 ? at + 1 : ""), colourName(colour));
    }));
    first.replaceChildren(chips("dealer", people.chosen.map((colour) => [colour, colourName(colour)]), people.first, (colour) => { people.first = colour; }));
    people.changed();
  };
  people.count = () => people.chosen.length;
  people.draw = () => {
    redraw();
    return [
      h("fieldset", {}, h("legend", {}, say("begin.people")), h("p", { class: "pale" }, `${people.count_words()} ${say("begin.colours")}`), dice),
      h("fieldset", {}, h("legend", {}, say("begin.starts")), first),
      people.roundsField(),
    ];
  };
  people.wrong = () => (game.players.includes(people.chosen.length) ? null : people.count_words());
  people.read = () => ({ players: people.chosen, dealer: people.first, rounds: game.rounds ? people.rounds : null });
  people.keep = () => {};
  return people;
}
