// The score kept wholly by hand, while the camera is out or absent: one tap for each card, seat after seat; in DoppelX
// a throw after the other, die by die.

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
let thrown = null; // the throw that is being told: the plan, and behind which throw it comes

const dialog = () => document.getElementById("hand");

/** The button that opens the grid. */
export const handButton = (view) => h("button", { key: "hand", type: "button", onclick: open, disabled: !view.game }, say("hand"));

function open() {
  chosen = thrown = null;
  dialog().showModal();
  drawHand(latest);
}

/** Draw the grid anew while it is open. */
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
  // Who told a card by keyboard is led to whose turn it is: a key that is held down plays no card there.
  // Who tapped it sees the cards stay where they are.
  if (keyed && !focused.isConnected) {
    (dialog().querySelector(".chips [aria-pressed=true]") ?? dialog().querySelector(".foot button"))?.focus({ preventScroll: true });
  }
}

/** What was noted last, so that whoever types sees that it was. */
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

/** The plan of the next throw; another throw since makes it anew. */
function renew({ view, proof }) {
  if (!view.box) return;
  const behind = `${view.round} ${view.box.event}`;
  if (thrown?.behind === behind) return;
  const plan = (player) => planToTell(view, proof[view.box.event], player);
  const by = (player) => {
    if (player !== thrown.plan.player) thrown.plan = plan(player); // a second tap on who throws loses no die
  };
  thrown = { behind, plan: plan(), by };
}

/** Whether a throw may come now. */
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

/** Every card that was not seen yet, legal ones first; of two alike how many are left. */
function grid(view, seat, sure) {
  return legalGrid(view, sure, (name, left) => left > 0 && {
    disabled: !seat, onclick: async () => {
      chosen = null;
      await tell({ kind: "card", seat, card: name });
    },
  });
}
