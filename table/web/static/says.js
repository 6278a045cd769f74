// What people enter because no camera can perceive it: answers to the table's questions, and everything that is said.

import { h } from "./dom.js";
import { shape } from "./cards.js";
import { beginButton } from "./begin.js";
import { askEvent, askSay } from "./dialog.js";
import { correct, tell } from "./table.js";
import { colourName, known, nameOf, say, spokenWords } from "./words.js";

/** The table's prompts, each with its buttons. */
export function drawPrompts(state) {
  const { view } = state;
  if (!view.game) return [h("p", {}, say("begin.none")), h("div", { class: "choices" }, beginButton(view, () => state))];
  const between = ["settled", "finished"].includes(view.phase) && !view.over && !view.boxed; // a dice game just goes on
  const asked = view.prompts.map(({ what, seat, words: may }) => {
    const who = nameOf(view, seat);
    const words = known(`prompt.${what}`) ? say(`prompt.${what}`, { who, die: scoreDie(view, seat) })
      : say("prompt.other", { who, what });
    return h("article", { key: `${what} ${seat}` }, h("p", {}, words), h("div", { class: "choices" }, answers(what, seat, may, state)));
  });
  const unseen = unopened(state);
  if (!asked.length && !between && !unseen) return [];
  return [
    asked.length || unseen ? h("h2", {}, say("prompts")) : null,
    ...asked,
    unseen,
    between ? h("div", { class: "choices" }, nextRound(), endEvening()) : null,
  ];
}

const UNSEEN = ["lost", "unread", "safe", "unfit", "ended", "none"]; // camera states in which it will not see who begins

/** The question who opens the first round, if no camera will see it; otherwise null. */
export const unopened = ({ view, health }) => (view.round || !UNSEEN.includes(health?.camera.what) ? null
  : h("article", { key: "opener" }, h("p", {}, say(view.boxed ? "round.first" : "begin.dealer")), opener(view)));

/** Buttons for who opens the first round: in card games by dealing, with dice by the first throw. */
export const opener = (view) => h("div", { class: "choices chips" }, view.seats.map((seat) => h("button", {
  key: seat, type: "button", onclick: () => tell({ kind: "round", [view.boxed ? "first" : "dealer"]: seat }) }, nameOf(view, seat))));

const nextRound = (words = "next.round") =>
  h("button", { key: words, type: "button", class: "on", onclick: () => tell({ kind: "round" }) }, say(words));

const endEvening = () => h("button", { key: "end", type: "button", onclick: () => tell({ kind: "end" }) }, say("end.evening"));

/** The buttons that answer a prompt: the words that the rules accept, or the page's own actions. */
function answers(what, seat, words, { view, events, proof }) {
  if (words.length && !seat && !view.boxed) { // anybody may say it
    return view.seats.flatMap((each) => words.map((word) =>
      h("button", { key: `${each} ${word}`, type: "button", onclick: () => tell({ kind: "say", seat: each, what: word }) },
        say("prompt.said-by", { who: nameOf(view, each), what: spokenWords(word) }))));
  }
  if (words.length) return words.map((word) => word_(view, seat, word));
  if (what === "deciding-game") return [nextRound()];
  if (what === "another-round?") return [nextRound("prompt.another-round.yes")];
  if (what === "call") return [h("button", { type: "button", onclick: () => askSay(view, view.sayings, null) }, say("speak"))];
  if (what === "turn-card") {
    return [h("button", { type: "button", onclick: () => askEvent(view, null, { kind: "turned" }) }, say("speak.turned"))];
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
  return h("button", { key: what, type: "button", onclick: () => tell({ kind: "say", ...(seat ? { seat } : {}), what }) },
    ["trump", "farbe"].includes(word) && shape(of), ` ${["trump", "spinner"].includes(word) ? colourName(of) : spokenWords(what)}`);
}

function scoreDie(view, seat) {
  const right = view.score_dice[seat];
  return right ? say(right[0] ? "die.on.mat" : "die.off.mat", { faces: right[1].join(" + ") }) : "?";
}
