// Keeping score entirely by hand while there is no working camera: one tap for each card, seat after seat; in DoppelX
// throw after throw, die by die.

import { card } from "./cards.js";
import { askSay } from "./dialog.js";
import { h, redraw } from "./dom.js";
import { legalGrid } from "./grid.js";
import { drawPrompts, opener } from "./says.js";
import { tell, undo } from "./table.js";
import { drawThrow, isWhole, planToTell, throwOf } from "./throw.js";
import { eventName, nameOf, say } from "./words.js";

let chosen = null; // a seat that somebody chose instead of the one whose turn it is, for one card
let latest = null;
let thrown = null; // the throw that is being entered: its plan, and the throw before it

const dialog = () => document.getElementById("hand");

/** The button that opens the grid. */
export const handButton = (view) => h("button", { key: "hand", type: "button", onclick: open, disabled: !view.game }, say("hand"));

function open() {
  chosen = thrown = null;
  dialog().showModal();
  drawHand(latest);
}

/** Redraw the grid while it is open. */
export function drawHand(state) {
  latest = state;
  if (!state || !dialog().open) return;
  const { view } = state;
  const dice = view.boxed;
  const focused = document.activeElement;
  const keyed = focused.matches(":focus-visible");
  if (dice) renew(state);
  redraw("hand", [view, state.events.at(-1)?.id, state.undo, chosen, dice && thrown, thrown?.plan.dice.map(({ told }) => [...told])], () => [
    h("h2", { id: "hand-title" }, say("hand.title")),
    h("div", { class: "body" }, line(state), ...(view.round ? drawPrompts(state).filter(Boolean) : []), ...(dice ? box(state) : table(view, state.sure))),
    h("div", { class: "foot choices" },
      dice && ready(view) && h("button", { key: "tell", type: "button", class: "on", disabled: !isWhole(thrown.plan), onclick: () => tell(throwOf(thrown.plan)) }, say("throw.tell")),
      h("button", { type: "button", onclick: () => undo(state.undo), disabled: state.undo === null }, `↶ ${say("undo")}`),
      view.sayings.length > 0 && h("button", { type: "button", onclick: () => askSay(view, view.sayings, seatOf(view)), disabled: !view.round }, say("speak")),
      h("button", { type: "button", onclick: () => dialog().close() }, say("close"))),
  ]);
  // After a card by keyboard, focus the next seat, where a key that is still held down plays no card.
  // After a tap, the cards stay where they are.
  if (keyed && !focused.isConnected) {
    (dialog().querySelector(".chips [aria-pressed=true]") ?? dialog().querySelector(".foot button"))?.focus({ preventScroll: true });
  }
}

/** The last entry, as a confirmation. */
function line(state) {
  const last = state.events.at(-1);
  return h("p", { class: "pale", role: "status" }, last ? say("hand.last", { what: eventName(state.view, last.now === undefined ? last.event : last.now) }) : "");
}

function table(view, sure) {
  if (!view.round) return [h("h3", {}, say("begin.dealer")), opener(view)];
  if (["settled", "finished"].includes(view.phase)) return [];
  const seat = seatOf(view);
  const take = (each) => {
    chosen = each;
    drawHand(latest);
  };
  return [
    view.trick.length > 0 && h("div", { class: "laid", "aria-label": say("trick") }, view.trick.map((played) => h("span", { key: played.event }, card(played.card), nameOf(view, played.seat)))),
    h("h3", {}, seat ? say("hand.whose", { who: nameOf(view, seat) }) : say("hand.who")),
    seats(view, seat, take),
    ...grid(view, seat, seat === view.turn ? sure : []),
  ].filter(Boolean);
}

/** Make the plan of the next throw, again after each throw. */
function renew({ view, proof }) {
  if (!view.box) return;
  const behind = `${view.round} ${view.box.event}`;
  if (thrown?.behind === behind) return;
  const plan = (player) => planToTell(view, proof[view.box.event], player);
  const by = (player) => {
    if (player !== thrown.plan.player) thrown.plan = plan(player); // a second tap on the same thrower keeps the dice
  };
  thrown = { behind, plan: plan(), by };
}

/** Whether a throw may be entered now. */
const ready = (view) => Boolean(view.box) && !["settled", "finished"].includes(view.phase);

function box({ view }) {
  if (!view.round) {
    return [h("h3", {}, say("round.first")), opener(view)];
  }
  if (!ready(view)) return [];
  return [
    h("div", { key: "throwing", class: "throwing" }, drawThrow(view, thrown.plan, () => drawHand(latest), thrown.by)),
    h("p", { key: "open", class: "pale" }, isWhole(thrown.plan) ? "" : say("throw.open")),
  ];
}

const seatOf = (view) => chosen ?? view.turn;

const seats = (view, seat, take) => h("div", { class: "chips seats" }, view.seats.map((each) =>
  h("button", { key: each, type: "button", "aria-pressed": `${each === seat}`, onclick: () => take(each) }, nameOf(view, each))));

/** Every card not seen yet, legal ones first; with the number left if the deck has two. */
function grid(view, seat, sure) {
  return legalGrid(view, sure, (name, left) => left > 0 && {
    disabled: !seat, onclick: async () => {
      chosen = null;
      await tell({ kind: "card", seat, card: name });
    },
  });
}
