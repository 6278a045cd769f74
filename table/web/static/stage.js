// The table from above: players around it, the trick in the middle, the characters below.

import { h, redraw } from "./dom.js";
import { drawBox } from "./box.js";
import { die, shape } from "./cards.js";
import { at, lastTrick, lies, middle } from "./trick.js";
import { agreed, awaited, awaitedFor, cardName, colourName, dieName, known, nameOf, points, say, signed, spokenWords } from "./words.js";

/** Draw everything that belongs to the game in progress. */
export function drawStage(state) {
  const { view } = state;
  redraw("game", [view.game], () => [view.game ? view.title : say("title")]);
  redraw("where", [view.game, view.round, view.rounds_agreed, view.phase, view.over, view.trick_number, view.bock], () => [where(view)]);
  redraw("trump", [view.trump, view.game, view.phase, view.contract, view.turned, view.prompts], () => trump(view));
  document.body.classList.toggle("boxed", Boolean(view.box));
  if (view.box) {
    drawBox(state);
    for (const id of ["characters", "last"]) redraw(id, [], () => []);
    return;
  }
  const { trick, last_trick, last_winner, dealer, winners, seats, players, characters, black_die } = view;
  const played = [trick, last_trick, last_winner, lies(state), seats, players];
  redraw("last", [played], () => lastTrick(state));
  redraw("stage", [view.game, view.phase, view.over, played, awaited(view), dealer, winners, view.points, characters, black_die,
    view.sides, view.declared, view.augen, view.score_dice],
    () => view.game
      ? [h("div", { key: "felt", class: "felt", "aria-hidden": true }), middle(state), ...seats.map((seat, i) => player(view, seat, i))]
      : [h("p", { class: "waiting" }, say("waiting"))]);
  redraw("characters", [characters, players, seats, black_die, view.expected_dice, view.dice_seen, trick.length, view.sides, view.points, view.phase, winners],
    () => [...company(view), ...parties(view), standings(view)]);
}

function where(view) {
  if (!view.round) return "";
  const round = view.rounds_agreed
    ? say(view.round > view.rounds_agreed ? "where.beyond" : "where.of", { n: view.round, all: view.rounds_agreed })
    : say("where.round", { n: view.round });
  const phase = view.phase === "finished" && !view.over ? "settled" : view.phase;
  const now = phase === "play"
    ? (view.box ? null : say("where.trick", { n: view.trick_number || 1 }))
    : ["declare", "settled", "finished"].includes(phase) ? say(`phase.${phase}`) : null;
  return [round, now, view.bock && say("bock")].filter(Boolean).join(" · ");
}

function trump(view) {
  const contract = agreed(view) && h("span", { class: "contract" }, agreed(view));
  const turned = view.turned.length && !view.trump
    ? h("span", { class: "pale" }, say("event.turned", { card: cardName(view.turned[0]) })) : null;
  if (view.trump) return [contract, shape(view.trump), h("span", {}, `${say("trump")} ${colourName(view.trump)}`)];
  if (contract || turned) return [contract, turned];
  return view.prompts.some(({ what }) => what === "declare-trump") ? [h("span", { class: "pale" }, say("trump.none"))] : [];
}

function player(view, seat) {
  const mine = view.characters.filter((c) => c.owner === seat);
  const turn = awaited(view) === seat;
  const won = view.over && view.winners.includes(seat);
  const side = view.sides[seat];
  const said = view.declared.filter(([who]) => who === seat).map(([, what]) => what);
  const augen = view.augen[seat];
  const right = view.score_dice[seat];
  const place = at(view, seat);
  // On a television, players at the sides are pinned to the very edge, which leaves the felt to the cards.
  place["--pin"] = Math.abs(place["--x"]) > 0.8 ? Math.sign(place["--x"]) : place["--x"];
  place["--sit"] = place["--y"] < -0.7 ? -1 : place["--y"]; // of five two sit above: at the very rim, clear of their cards
  return h("section", { key: seat, class: `player ${Math.abs(place["--x"]) < 0.5 ? "across" : ""} ${place["--y"] < -0.9 ? "above" : ""} ${place["--sit"] < place["--y"] ? "upper" : ""} ${nameOf(view, seat).length > 10 ? "long" : ""} ${turn ? "turn" : ""} ${won ? "won" : ""}`, "aria-current": turn, style: place },
    h("h2", {}, nameOf(view, seat),
      view.dealer === seat && h("span", { class: "tag" }, say("dealer")),
      turn && h("span", { class: "tag on" }, awaitedFor(view)),
      won && h("span", { class: "tag on" }, say("winner")),
      side && h("span", { class: `tag side-${side}` }, sideName(side, 1))),
    h("div", { class: "stand" },
      h("p", { class: "points" }, h("span", { "aria-hidden": true }, signed(view.points[seat] ?? 0)),
        h("span", { class: "unseen" }, points(view.points[seat] ?? 0))),
      augen !== undefined && h("p", { class: "augen" }, say("augen", { n: augen })),
      h("p", { class: "dice" },
        right && h("span", { class: `score ${right[0] ? "" : "off"}`, title: say(right[0] ? "die.on.mat" : "die.off.mat", { faces: right[1].join(" + ") }) },
          right[1].map((n) => die("white", n))),
        mine.map((c) => die(c.colour, c.value)),
        view.black_die?.[0] === seat && die("black", view.black_die[1]))),
    said.length > 0 && h("p", { class: "said" }, said.slice(-4).map((what) => h("span", { class: "tag" }, spokenWords(what)))));
}

/** A wrong die on a character's place, with the one that belongs there; only between tricks. */
function mismatch(view, name) {
  const [seen, right] = [view.dice_seen[name], view.expected_dice[name]];
  if (!seen || view.trick.length || view.phase === "declare") return null;
  if (right && seen[0] === right[0] && seen[1] === right[1]) return null;
  const text = ([colour, face]) => dieName({ colour, face });
  const words = !right ? say("character.wrong.none", { seen: text(seen) })
    : seen[0] === right[0] ? say("character.wrong", { seen: seen[1], right: right[1] })
    : say("character.wrong", { seen: text(seen), right: text(right) });
  return h("span", { class: "wrong" }, words);
}

/** The parties, as far as known. */
function parties(view) {
  const sides = [...new Set(Object.values(view.sides))];
  return sides.map((side) => h("p", { key: side, class: "party" },
    h("span", { class: `tag side-${side}` }, sideName(side, members(view, side).length)), " ",
    members(view, side).map((seat) => nameOf(view, seat)).join(" + ")));
}

const members = (view, side) => view.seats.filter((seat) => view.sides[seat] === side);

/** A party in words; a party of one is named after that player's role. */
function sideName(side, many) {
  const key = many === 1 && known(`side.of.${side}`) ? `side.of.${side}` : `side.${side}`;
  return known(key) ? say(key) : side;
}

/** The standings, if no characters take that place; readable from afar on a television. */
function standings(view) {
  if (view.characters.length || !view.round || view.phase === "idle") return null;
  const most = Math.max(...view.seats.map((seat) => view.points[seat] ?? 0));
  const long = view.seats.some((seat) => nameOf(view, seat).length > 14);
  return h("table", { key: "standings", class: long ? "standings long" : "standings" }, h("caption", {}, say("standings")),
    h("tbody", {}, view.seats.map((seat) => {
      const own = view.points[seat] ?? 0;
      return h("tr", { key: seat, class: own === most && own > 0 ? "first" : "" },
        h("th", { scope: "row" }, nameOf(view, seat)), h("td", {}, signed(own)));
    })));
}

const MINUS = ["aagewwer", "jammerlabbe"];

function company(view) {
  if (!view.characters.length) return [];
  const tiles = view.characters.map((c) => {
    const name = say(`character.${c.name}`);
    const words = c.owner
      ? say("character.owned", { name, colour: colourName(c.colour), value: c.value, who: nameOf(view, c.owner) })
      : `${name}: ${say("character.free")}`;
    return h("li", { key: c.name, class: `character ${c.owner || c.colour ? `ink-${c.colour}` : "free"}` },
      h("span", { class: "unseen" }, words),
      h("div", { "aria-hidden": true },
        h("span", { class: "name" }, name),
        h("span", { class: "held" }, h("b", {}, MINUS.includes(c.name) ? "−" : "+"),
          c.colour && shape(c.colour), c.colour && die(c.colour, c.value)),
        h("span", { class: "owner" }, c.owner ? nameOf(view, c.owner) : say("character.free")),
        mismatch(view, c.name)));
  });
  if (view.black_die) {
    tiles.push(h("li", { key: "black", class: "character ink-black" }, h("div", {},
      h("span", { class: "name" }, say("black")),
      h("span", { class: "held" }, h("b", {}, "−"), die("black", view.black_die[1])),
      h("span", { class: "owner" }, nameOf(view, view.black_die[0])))));
  }
  return [h("h2", { class: "unseen" }, say("characters")), h("ul", {}, tiles)];
}
