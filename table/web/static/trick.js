// The cards in the middle: the trick as it falls, bright until it is collected, then small beside the table.

import { h } from "./dom.js";
import { card } from "./cards.js";
import { awaited, awaitedFor, cardName, nameOf, say } from "./words.js";

/** Where a seat is: S1 at the bottom, then clockwise. */
export function at(view, seat) {
  const angle = Math.PI / 2 + (2 * Math.PI * view.seats.indexOf(seat)) / view.seats.length;
  return { "--x": Math.cos(angle).toFixed(4), "--y": Math.sin(angle).toFixed(4) };
}

/** Whether the last trick still lies in the middle: nobody was seen to take it, and nothing came after it. */
export function lies({ view, events }) {
  if (view.trick.length || !view.last_trick.length) return false;
  const end = Math.max(...view.last_trick.map(({ event }) => event));
  return !events.some(({ id, event, now }) => id > end && ["collected", "round", "end"].includes((now ?? event).kind) && now !== null);
}

/** The trick on the felt; the winner of a complete one is marked. */
export function middle(state) {
  const { view } = state;
  const whole = lies(state);
  const shown = whole ? view.last_trick : view.trick;
  const winner = whole ? view.last_winner : null;
  return h("div", { key: "trick", class: `trick of-${view.seats.length}`, role: "group",
    "aria-label": winner ? say("trick.last", { who: nameOf(view, winner) }) : say("trick") },
    shown.map((played, i) => {
      const won = winner === played.seat;
      const place = at(view, played.seat);
      const fresh = !whole && i === shown.length - 1;
      return h("figure", { key: played.event, class: `played ${fresh ? "new" : ""} ${won ? "won" : ""} ${place["--y"] > 0.5 ? "low" : ""} ${place["--y"] < -0.9 ? "high" : ""}`, style: place },
        card(played.card),
        h("figcaption", {}, won ? say("trick.won", { who: nameOf(view, played.seat) }) : nameOf(view, played.seat),
          h("span", { class: "unseen" }, `: ${cardName(played.card)}`)));
    }),
    !shown.length && h("p", { class: "next", "aria-hidden": true }, next(view)));
}

/** The text on an empty felt: who comes next. */
function next(view) {
  if (view.phase === "idle") return say("felt.idle");
  const seat = ["play", "declare"].includes(view.phase) && awaited(view);
  return seat ? `${nameOf(view, seat)} ${awaitedFor(view)}` : null;
}

/** The last trick once it no longer lies in the middle: small, in the order in which it fell. */
export function lastTrick(state) {
  const { view } = state;
  if (view.box || !view.last_trick.length || lies(state)) return [];
  return [
    h("p", { class: "past" }, view.last_winner ? say("trick.last", { who: nameOf(view, view.last_winner) }) : say("trick")),
    h("div", { class: "cards" }, view.last_trick.map((played) =>
      h("span", { key: played.event, class: played.seat === view.last_winner ? "won" : "" }, card(played.card)))),
  ];
}
