// Cards, dice and the shapes that go with the colours, for people who cannot see the colours.

import { svg } from "./dom.js";
import { french, glass } from "./faces.js";
import { SHAPES, SUITS } from "./shapes.js";
import { cardName, colourName, known, say } from "./words.js";

/** The shape of a colour, or a suit's sign. */
export function shape(colour, place = {}) {
  const frame = { viewBox: "0 0 24 24", class: `shape ink-${colour}`, role: "img", "aria-label": colourName(colour), ...place };
  if (SUITS[colour]) {
    return svg("svg", frame, svg("text", { x: 12, y: 20, "text-anchor": "middle", "font-size": 24 }, SUITS[colour]));
  }
  return svg("svg", frame, svg("path", { d: SHAPES[colour] ?? SHAPES.red }));
}

let faces = null; // the `v` with which to request the enrolled faces; null: there are none

/** Use the enrolled faces with this `v` from now on; true if that changes anything. */
export function useFaces(mark) {
  const changed = faces !== mark;
  faces = mark;
  return changed;
}

/** The enrolled face over a drawn card; if there is none, the drawing shows. */
const enrolled = (name) => faces && svg("image", { class: "face", href: `/face/${encodeURIComponent(name)}.jpg?v=${faces}`,
  x: 1, y: 1, width: 58, height: 90, preserveAspectRatio: "none", onerror: ({ target }) => target.remove() });

/** A card on the table; null is a card that the table is not sure of. */
export function card(name) {
  const [colour, value] = (name ?? "").split("-");
  const dubbe = value && SHAPES[colour];
  const suit = name?.length === 2 && SUITS[name[0]];
  const ink = dubbe ? colour : suit ? name[0] : "unsure";
  const frame = { viewBox: "0 0 60 92", class: `card ink-${ink}`, role: "img", "aria-label": cardName(name) };
  const paper = svg("rect", { class: "paper", x: 1, y: 1, width: 58, height: 90, rx: 5 });
  if (dubbe) return svg("svg", frame, paper, ...glass(colour, value), enrolled(name));
  if (suit) return svg("svg", frame, paper, ...french(suit, name[1], indexOf(name[1])), enrolled(name));
  return svg("svg", frame, paper, svg("text", { class: "big", x: 30, y: 62, "text-anchor": "middle" }, (name ?? "?").slice(0, 4)));
}

const indexOf = (rank) => (known(`index.${rank}`) ? say(`index.${rank}`) : rank === "T" ? "10" : rank);

const PIPS = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "abcghi" }; // a b c / d e f / g h i, turned

/** A die of this colour; a value above six is shown as a number. */
export function die(colour, value) {
  const frame = { viewBox: "0 0 24 24", class: `die ink-${colour}`, role: "img", "aria-label": say("die.value", { n: value ?? "?" }) };
  const body = svg("rect", { class: "paper", x: 1, y: 1, width: 22, height: 22, rx: 5 });
  if (!PIPS[value]) {
    return svg("svg", frame, body, svg("text", { x: 12, y: 17, "text-anchor": "middle", "font-size": 14 }, value ?? "?"));
  }
  const pips = [...PIPS[value]].map((letter) => {
    const i = letter.charCodeAt(0) - 97;
    return svg("circle", { cx: 6 + 6 * Math.floor(i / 3), cy: 6 + 6 * (i % 3), r: 2.2 });
  });
  return svg("svg", frame, body, ...pips);
}
