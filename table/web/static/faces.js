// Draws the faces of cards, 60 wide and 92 high: French ones with pips and courts, Dubbe's with their glass.

import { svg } from "./dom.js";
import { SHAPES } from "./shapes.js";

const [LEFT, MIDDLE, RIGHT] = [23.5, 30, 36.5];
const [TOP, FOOT] = [20, 72];

// Places of the pips: column, height from 0 (top) to 1 (bottom); those of the lower half are upside down.
const PIPS = {
  7: [[LEFT, 0], [RIGHT, 0], [MIDDLE, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 1], [RIGHT, 1]],
  8: [[LEFT, 0], [RIGHT, 0], [MIDDLE, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [MIDDLE, 0.75], [LEFT, 1], [RIGHT, 1]],
  9: [[LEFT, 0], [RIGHT, 0], [LEFT, 0.33], [RIGHT, 0.33], [MIDDLE, 0.5], [LEFT, 0.67], [RIGHT, 0.67], [LEFT, 1], [RIGHT, 1]],
  T: [[LEFT, 0], [RIGHT, 0], [MIDDLE, 0.17], [LEFT, 0.33], [RIGHT, 0.33], [LEFT, 0.67], [RIGHT, 0.67], [MIDDLE, 0.83], [LEFT, 1], [RIGHT, 1]],
};

// One half of each court card: what is behind the head, on it and under it.
const COURTS = {
  J: { hair: "M23 27q-1 7 1 8h12q2-1 1-8z", hat: "M22.5 25.5q0-8.5 8-8.5q7 0 7 7.5zM34 19q5-7 9-2q-2 4-7 4z", beard: "" },
  Q: { hair: "M22 27q-1 11 0 14h16q1-3 0-14q-2-6-8-6q-6 0-8 6z", hat: "M24 23.5l-1.5-7 3.5 2.5 2-4 2 3 2-3 2 4 3.5-2.5-1.5 7z", beard: "" },
  K: { hair: "M23 27q-1 6 0 8h14q1-2 0-8z", hat: "M23 24v-9l3.5 3.5 3.5-5.5 3.5 5.5 3.5-3.5v9z", beard: "M23.7 31q6.3 3.5 12.6 0q0 9-6.3 9q-6.3 0-6.3-9z" },
};

const NARROW = { textLength: 17, lengthAdjust: "spacingAndGlyphs" };

const text = (x, y, size, words, more) =>
  svg("text", { x, y, "font-size": size, "text-anchor": "middle", ...more }, words);

/** The marks at the top left and, rotated, at the bottom right. */
function twice(marks) {
  return [svg("g", {}, ...marks()), svg("g", { transform: "rotate(180 30 46)" }, ...marks())];
}

/** A French card: the sign of its suit, its rank and the text in its corners. */
export function french(sign, rank, index) {
  const corner = () => [
    text(index.length > 1 ? 10.5 : 9.5, 18.5, 20, index, { class: "index", ...(index.length > 1 ? NARROW : {}) }),
    text(9.5, 33, 15, sign, { class: "sign" }),
  ];
  if (COURTS[rank]) return [...court(sign, rank), ...twice(corner)];
  if (!PIPS[rank]) return [text(30, 62, 46, sign, { class: "sign" }), ...twice(corner)];
  const pips = PIPS[rank].map(([x, at]) => {
    const y = TOP + (FOOT - TOP) * at;
    return text(x, y + 4.6, 13.5, sign, { class: "sign", transform: at > 0.5 ? `rotate(180 ${x} ${y})` : null });
  });
  return [...pips, ...twice(corner)];
}

function court(sign, rank) {
  const { hair, hat, beard } = COURTS[rank];
  return [
    svg("rect", { class: "court", x: 17, y: 9, width: 26, height: 74, rx: 2 }),
    ...twice(() => [
      svg("path", { class: "hair", d: hair }),
      svg("path", { class: "robe", d: "M18 46q1-9 12-9q11 0 12 9z" }),
      svg("circle", { class: "skin", cx: 30, cy: 29.5, r: 6.3 }),
      svg("path", { class: "hair", d: beard }),
      svg("path", { class: "eyes", d: "M27.2 28.5h.1M32.7 28.5h.1" }),
      svg("path", { class: "hat", d: hat }),
      text(30, 45.2, 8, sign, { class: "badge" }),
    ]),
    svg("path", { class: "waist", d: "M17 46H43" }),
  ];
}

/** A Dubbe card: its number in two corners and in the glass, which has as many Dubbe as the card is worth. */
export function glass(colour, value) {
  const n = Number(value);
  const corner = () => [
    text(n > 9 ? 11.5 : 9.5, 19, 20, value, { class: "index", ...(n > 9 ? NARROW : {}) }),
    ["6", "9"].includes(value) && svg("rect", { class: "sign", x: 4.5, y: 21.5, width: 10, height: 1.8 }),
    svg("path", { class: "sign", d: SHAPES[colour], transform: "translate(46.5 4.5) scale(.4)" }),
  ].filter(Boolean);
  const dubbe = [];
  for (let i = 0; i < n; i++) {
    const row = Math.floor(i / 5);
    const many = Math.min(5, n - 5 * row);
    const x = 30 + 5.6 * ((i % 5) - (many - 1) / 2);
    dubbe.push(svg("path", { class: "on", d: SHAPES[colour], transform: `translate(${(x - 2.3).toFixed(1)} ${52 + 5.6 * row}) scale(.19)` }));
  }
  return [
    svg("path", { class: "glass", d: "M12 24H48L44 70H16z" }),
    svg("path", { class: "foam", d: "M12.3 24.4H47.7L47.4 28H12.6z" }),
    text(30, 48, 21, value, { class: "on" }),
    ...dubbe,
    ...twice(corner),
  ];
}
