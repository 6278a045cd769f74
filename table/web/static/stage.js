// The table as seen from above: players round it, the trick in the middle, the characters below.

import { h, redraw } from "./dom.js";
import { card, die, shape } from "./cards.js";
import { cardName, colourName, nameOf, points, say, signed } from "./words.js";

/** Draw everything that belongs to play. */
export function drawStage(view) {
  redraw("game", [view.game], () => [view.game ? say(`game.${view.game}`) : say("title")]);
  redraw("where", [view.round, view.rounds_agreed, view.phase, view.trick_number], () => [where(view)]);
  redraw("trump", [view.trump, view.game, view.phase], () => trump(view));
  const { trick, last_trick, last_winner, turn, dealer, winners, seats, players, characters, black_die } = view;
  redraw("stage", [view.game, trick, last_trick, last_winner, turn, dealer, winners, seats, players, view.points, characters, black_die],
    () => view.game
      ? [h("div", { class: "felt", "aria-hidden": true }), middle(view), ...seats.map((seat, i) => player(view, seat, i))]
      : [h("p", { class: "waiting" }, say("waiting"))]);
  redraw("characters", [characters, players, seats, black_die], () => company(view));
}

function where(view) {
  if (!view.round) return "";
  const round = view.rounds_agreed
    ? say("where.of", { n: view.round, all: view.rounds_agreed })
    : say("where.round", { n: view.round });
  const now = view.phase === "play"
    ? say("where.trick", { n: view.trick_number || 1 })
    : ["declare", "settled", "finished"].includes(view.phase) ? say(`phase.${view.phase}`) : null;
  return now ? `${round} · ${now}` : round;
}

function trump(view) {
  if (view.trump) return [shape(view.trump), h("span", {}, `${say("trump")} ${colourName(view.trump)}`)];
  return view.game && view.phase === "declare" ? [h("span", { class: "pale" }, say("trump.none"))] : [];
}

/** Where a seat is: S1 at the bottom, then clockwise. */
function at(element, view, seat) {
  const angle = Math.PI / 2 + (2 * Math.PI * view.seats.indexOf(seat)) / view.seats.length;
  element.style.setProperty("--x", Math.cos(angle).toFixed(4));
  element.style.setProperty("--y", Math.sin(angle).toFixed(4));
  return element;
}

function middle(view) {
  const open = view.trick.length > 0;
  const shown = open ? view.trick : view.last_trick;
  const title = open ? say("trick") : view.last_winner ? say("trick.last", { who: nameOf(view, view.last_winner) }) : "";
  return h("div", { class: `trick ${open ? "" : "past"}`, role: "group", "aria-label": title },
    shown.map((played, i) => at(
      h("figure", { class: open && i === shown.length - 1 ? "played new" : "played" },
        card(played.card),
        h("figcaption", {}, nameOf(view, played.seat), h("span", { class: "unseen" }, `: ${cardName(played.card)}`))),
      view, played.seat)),
    open ? null : h("p", { class: "past" }, title));
}

function player(view, seat) {
  const mine = view.characters.filter((c) => c.owner === seat);
  const turn = view.turn === seat;
  const won = view.winners.includes(seat);
  return at(
    h("section", { class: `player ${turn ? "turn" : ""} ${won ? "won" : ""}`, "aria-current": turn },
      h("h2", {}, nameOf(view, seat),
        view.dealer === seat && h("span", { class: "tag" }, say("dealer")),
        turn && h("span", { class: "tag on" }, say("turn")),
        won && h("span", { class: "tag on" }, say("winner"))),
      h("p", { class: "points" }, h("span", { "aria-hidden": true }, signed(view.points[seat] ?? 0)),
        h("span", { class: "unseen" }, points(view.points[seat] ?? 0))),
      h("p", { class: "dice" },
        mine.map((c) => die(c.colour, c.value)),
        view.black_die?.[0] === seat && die("black", view.black_die[1]))),
    view, seat);
}

const MINUS = ["aagewwer", "jammerlabbe"];

function company(view) {
  if (!view.characters.length) return [];
  const tiles = view.characters.map((c) => {
    const name = say(`character.${c.name}`);
    const words = c.owner
      ? say("character.owned", { name, colour: colourName(c.colour), value: c.value, who: nameOf(view, c.owner) })
      : `${name}: ${say("character.free")}`;
    return h("li", { class: `character ${c.owner || c.colour ? `ink-${c.colour}` : "free"}` },
      h("span", { class: "unseen" }, words),
      h("div", { "aria-hidden": true },
        h("span", { class: "name" }, name),
        h("span", { class: "held" }, h("b", {}, MINUS.includes(c.name) ? "−" : "+"),
          c.colour && shape(c.colour), c.colour && die(c.colour, c.value)),
        h("span", { class: "owner" }, c.owner ? nameOf(view, c.owner) : say("character.free"))));
  });
  if (view.black_die) {
    tiles.push(h("li", { class: "character ink-black" }, h("div", {},
      h("span", { class: "name" }, say("black")),
      h("span", { class: "held" }, h("b", {}, "−"), die("black", view.black_die[1])),
      h("span", { class: "owner" }, nameOf(view, view.black_die[0])))));
  }
  return [h("h2", { class: "unseen" }, say("characters")), h("ul", {}, tiles)];
}
