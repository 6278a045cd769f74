// Step 5: each lamp shines in turn, and somebody says whether it is where it should be.

import { h } from "./dom.js";
import { colourName, known, say } from "./words.js";

let at = null; // the lamp that shines; null: none yet
let dark = []; // lamps that did not shine, or are elsewhere

const button = (words, act, first) => h("button", { key: words, type: "button", class: first ? "on" : "", onclick: act }, words);

/** What a lamp shows and at which seat, in words. */
function named({ index, shows, seat, character }) {
  const what = shows === "none" ? say("setup.lamp.none") : character ? say(`character.${character}`) : say(`setup.lamp.${shows}`);
  return say(seat ? "setup.lamp.at" : "setup.lamp.free", { n: index + 1, what, seat: known(`colour.${seat}`) ? colourName(seat) : (seat ?? "") });
}

export const lamps = {
  asks: true,
  begin() {
    [at, dark] = [null, []];
  },
  draw(now, { wish }) {
    const { lamps: all, board } = now;
    if (board === "none" || !all.length) return [h("p", { key: "none", class: "pale" }, say("setup.lamps.none"))];
    const light = (index) => {
      at = index;
      return wish({ do: "lamp", index: index < all.length ? index : null });
    };
    const trouble = board === "lost" ? h("p", { key: "lost", class: "bad" }, say("health.board.lost")) : null;
    if (at === null) return [trouble, h("div", { key: "go", class: "choices" }, button(say("setup.lamps.go", { n: all.length }), () => light(0), true))].filter(Boolean);
    if (at >= all.length) {
      return [h("p", { key: "end", class: dark.length ? "bad" : "well" }, say(dark.length ? "setup.lamps.bad" : "setup.lamps.well", { n: dark.length })),
        dark.length > 0 && h("ul", { key: "dark" }, dark.map((lamp) => h("li", {}, named(lamp)))),
        h("div", { key: "again", class: "choices" }, button(say("setup.lamps.again"), () => { dark = []; return light(0); }))].filter(Boolean);
    }
    return [
      trouble,
      h("p", { key: "lit", class: "asked", role: "status" }, h("small", {}, say("setup.lamps.of", { n: at + 1, of: all.length })), named(all[at])),
      h("div", { key: "buttons", class: "choices" },
        button(say("setup.lamps.yes"), () => light(at + 1), true),
        button(say("setup.lamps.no"), () => { dark = [...dark, all[at]]; return light(at + 1); }),
        at > 0 && button(say("setup.lamps.back"), () => { dark = dark.filter(({ index }) => index !== at - 1); return light(at - 1); })),
    ].filter(Boolean);
  },
};
