// Cards, dice and the shapes that go with the colours, for eyes that do not see the colour.

import { svg } from "./dom.js";
import { cardName, colourName, known, say } from "./words.js";

const SUITS = { C: "♣", S: "♠", H: "♥", D: "♦" };

// The same shapes as on the printed cards: a drop, a barrel's square, a sun, a fir, a round Dubbe.
const SHAPES = {
  blue: "M12 1c5 6 8 9 8 13a8 8 0 0 1-16 0c0-4 3-7 8-13z",
  brown: "M3 3h18v18h-18z",
  yellow: sun(),
  green: "M12 1l11 20h-22z",
  red: "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
};

function sun() {
  const points = [...Array(12).keys()].map((i) => {
    const [r, a] = [i % 2 ? 6 : 11.5, (i * Math.PI) / 6];
    return `${(12 + r * Math.sin(a)).toFixed(1)} ${(12 - r * Math.cos(a)).toFixed(1)}`;
  });
  return `M${points.join("L")}z`;
}

/** The shape of a colour, or a suit's sign. */
export function shape(colour, place = {}) {
  const frame = { viewBox: "0 0 24 24", class: `shape ink-${colour}`, role: "img", "aria-label": colourName(colour), ...place };
  if (SUITS[colour]) {
    return svg("svg", frame, svg("text", { x: 12, y: 20, "text-anchor": "middle", "font-size": 24 }, SUITS[colour]));
  }
  return svg("svg", frame, svg("path", { d: SHAPES[colour] ?? SHAPES.red }));
}

/** A card as it lies on the table; null is a card the table is not sure of. */
export function card(name) {
  const [colour, value] = face(name);
  const frame = {
    viewBox: "0 0 60 92", class: `card ink-${colour ?? "unsure"}`, role: "img", "aria-label": cardName(name),
  };
  const paper = svg("rect", { class: "paper", x: 1, y: 1, width: 58, height: 90, rx: 6 });
  if (!colour) {
    return svg("svg", frame, paper, svg("text", { class: "big", x: 30, y: 60, "text-anchor": "middle" }, value));
  }
  const [x, y, size] = SUITS[colour] ? [14, 52, 32] : [18, 56, 24];
  const sign = shape(colour, { x, y, width: size, height: size, "aria-hidden": true });
  return svg("svg", frame, paper, sign,
    svg("text", { class: "big", x: 30, y: 46, "text-anchor": "middle" }, value));
}

function face(name) {
  if (!name) return [null, "?"];
  const [colour, value] = name.split("-");
  if (value && SHAPES[colour]) return [colour, value];
  if (name.length === 2 && SUITS[name[0]]) {
    const rank = name[1];
    return [name[0], known(`index.${rank}`) ? say(`index.${rank}`) : rank === "T" ? "10" : rank];
  }
  return [null, name.slice(0, 4)];
}

const PIPS = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "abcghi" }; // a b c / d e f / g h i, turned

/** A die of this colour; above six it shows the number. */
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
