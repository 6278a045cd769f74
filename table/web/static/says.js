// What people tell the table because no camera hears it: answers to what it asks, and everything that is said.

import { h } from "./dom.js";
import { shape } from "./cards.js";
import { beginButton } from "./begin.js";
import { askEvent, askSay } from "./dialog.js";
import { DUBBE, MARRIAGES, RESERVES, sayings, SUITS } from "./sayings.js";
import { correct, tell } from "./table.js";
import { colourName, known, nameOf, say, spokenWords } from "./words.js";

const WORDS = {
  "declare-trump": DUBBE.map((colour) => `trump:${colour}`),
  "vorbehalt?": ["gesund", "vorbehalt"],
  "schweinchen?": ["schweinchen"],
  "orgi?": ["passe", "orgi"],
  "kleines?": ["passe", "kleines"],
  "besser?": ["passe", "besser"],
  "name-suit": SUITS.map((suit) => `farbe:${suit}`),
  "armut-together?": ["armut-nehmen"],
  "trumps-returned?": [0, 1, 2, 3].map((n) => `armut-zurueck:${n}`),
};

/** What the table waits for, each with its buttons. */
export function drawPrompts(state) {
  const { view } = state;
  if (!view.game) return [h("p", {}, say("begin.none")), h("div", { class: "choices" }, beginButton(view, () => state))];
  const between = ["settled", "finished"].includes(view.phase) && !view.over && view.game !== "doppelx"; // a dice game just goes on
  const asked = view.prompts.map(({ what, seat }) => {
    const who = nameOf(view, seat);
    const words = known(`prompt.${what}`) ? say(`prompt.${what}`, { who, die: scoreDie(view, seat) })
      : say("prompt.other", { who, what });
    return h("article", { key: `${what} ${seat}` }, h("p", {}, words), h("div", { class: "choices" }, answers(what, seat, state)));
  });
  if (!asked.length && !between) return [];
  return [
    asked.length ? h("h2", {}, say("prompts")) : null,
    ...asked,
    between ? h("div", { class: "choices" }, nextRound(), endEvening()) : null,
  ];
}

const nextRound = (words = "next.round") =>
  h("button", { key: words, type: "button", class: "on", onclick: () => tell({ kind: "round" }) }, say(words));

const endEvening = () => h("button", { key: "end", type: "button", onclick: () => tell({ kind: "end" }) }, say("end.evening"));

function answers(what, seat, { view, events, proof }) {
  const words = what === "name-vorbehalt" ? [...(view.preset === "club" ? MARRIAGES : []), ...RESERVES] : WORDS[what];
  if (words) return words.map((word) => word_(view, seat, word));
  if (what === "take-armut?") {
    return view.seats.map((each) =>
      h("button", { key: each, type: "button", onclick: () => tell({ kind: "say", seat: each, what: "armut-nehmen" }) },
        say("prompt.take-armut", { who: nameOf(view, each) })));
  }
  if (what === "deciding-game") return [nextRound()];
  if (what === "another-round?") return [nextRound("prompt.another-round.yes")];
  if (what === "call") return [h("button", { type: "button", onclick: () => askSay(view, sayings(view), null) }, say("speak"))];
  if (what === "turn-card") {
    return [h("button", { type: "button", onclick: () => askEvent(view, null, { kind: "turned" }) }, say("speak.turned"))];
  }
  if (what === "spinner?") {
    return flung(view).map((colour) =>
      h("button", { key: colour, type: "button", onclick: () => tell({ kind: "say", what: `spinner:${colour}` }) }, colourName(colour)));
  }
  const thrown = proof[view.box?.event];
  if (what === "cocked?" && thrown) {
    const dice = thrown.dice.map((die) => (die.cocked ? { ...die, cocked: false } : die));
    return [h("button", { type: "button", onclick: () => correct(view.box.event, { ...thrown, dice }) }, say("prompt.cocked.yes"))];
  }
  const offence = what === "offence?" && events.findLast(({ event, now }) =>
    ["touch", "collected"].includes(event.kind) && event.seat === seat && now === undefined);
  return offence
    ? [h("button", { type: "button", onclick: () => correct(offence.id, null) }, say("prompt.offence.no"))]
    : [];
}

function word_(view, seat, what) {
  const [word, of] = what.split(":");
  return h("button", { key: what, type: "button", onclick: () => tell({ kind: "say", seat, what }) },
    ["trump", "farbe"].includes(word) && shape(of), ` ${word === "trump" ? colourName(of) : spokenWords(what)}`);
}

/** Dice that the spinner may have flung: lying ones in a hole, on X or on −1. */
function flung(view) {
  const dice = (view.box?.dice ?? []).filter(({ colour, where, zone }) =>
    colour && colour !== "white" && (where === "hole" || ["X", "-1"].includes(zone)));
  return [...new Set(dice.map(({ colour }) => colour))];
}

function scoreDie(view, seat) {
  const right = view.score_dice[seat];
  return right ? say(right[0] ? "die.on.mat" : "die.off.mat", { faces: right[1].join(" + ") }) : "?";
}
