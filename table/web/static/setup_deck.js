// Step 4: the deck, card after card; then all faces to look at, and those that are hard to distinguish.

import { livePicture, wake } from "./setup_table.js";
import { chips } from "./controls.js";
import { h } from "./dom.js";
import { cardName, say, told } from "./words.js";

let resumes = null; // the game whose deck was partly learnt when somebody went to another step
let kept = null; // the file that was written last
let game = null; // the chosen game; the table may be learning another one

const button = (words, act, first) => h("button", { key: words, type: "button", class: first ? "on" : "", onclick: act }, words);

/** The cards learnt so far; a tap on a wrong face has its card asked for again. */
function sheet({ learnt, missing }, { wish }) {
  return h("section", { key: "sheet" }, h("h3", {}, say("setup.deck.sheet", { n: learnt.length, of: learnt.length + missing })),
    h("p", { class: "pale" }, say("setup.deck.wrong")),
    h("div", { class: "sheet" }, learnt.map((card) => h("button", { key: card, type: "button", class: "face", onclick: () => wish({ do: "deck-again", card }) },
      h("img", { src: `/api/setup/face/${card}.jpg`, alt: "", width: 80, height: 120, loading: "lazy" }), h("span", {}, cardName(card))))));
}

/** What to do next: leave the table bare, lay a card, or look at the result. */
function asking(deck, { wish }) {
  const { phase, asked, last, learnt, missing } = deck;
  const done = phase === "cards" && !asked;
  const came = last && say(last.again ? "setup.deck.same" : "setup.deck.got", { card: cardName(last.name) });
  const said = phase === "ground" ? say("setup.deck.bare") : phase === "learning" ? say("setup.deck.learning")
    : done ? say("setup.deck.all") : say("setup.deck.lay", { card: cardName(asked) });
  return [
    h("p", { key: "asked", class: "asked", role: "status" }, came && h("small", {}, came), said),
    h("progress", { key: "progress", max: learnt.length + missing, value: learnt.length, "aria-label": say("setup.deck.what") }),
    h("div", { key: "buttons", class: "choices" },
      asked && last?.again && button(say("setup.deck.insist", { card: cardName(asked) }), () => wish({ do: "deck-insist" })),
      asked && button(say("setup.deck.skip"), () => wish({ do: "deck-skip" })),
      learnt.length > 0 && phase !== "learning" && button(say(done ? "setup.deck.look" : "setup.deck.enough"), () => wish({ do: "deck-learn" }), done)),
  ];
}

/** The result: doubtful pairs, cards that were not learnt, and whether to play with this deck. */
function outcome(deck, now, { wish, draw }) {
  const { alike, doubted, refused, missing, unchecked } = deck;
  return [
    missing > 0 && h("p", { key: "missing", class: "bad" }, say("setup.deck.missing", { n: missing })),
    h("p", { key: "alike", class: alike.length ? "bad" : "well" }, say(alike.length ? "setup.deck.alike" : "setup.deck.apart")),
    alike.length > 0 && h("ul", { key: "pairs", class: "pairs" }, alike.slice(0, 8).map(([one, other, apart]) => h("li", { key: one + other },
      [one, other].map((card) => h("figure", {}, h("img", { src: `/api/setup/face/${card}.jpg`, alt: "", width: 80, height: 120 }), h("figcaption", {}, cardName(card)))),
      h("span", {}, say("setup.deck.differs", { n: Math.round(1000 * apart) / 10 }))))),
    doubted.length > 0 && h("ul", { key: "doubted" }, doubted.map(([card, other]) => h("li", { class: "bad" },
      say("setup.deck.doubted", { card: cardName(card), other: cardName(other) })))),
    unchecked && h("p", { key: "unchecked" }, say("setup.deck.unchecked")),
    refused.length > 0 && h("ul", { key: "refused" }, refused.map(({ card, why }) => h("li", { class: "bad" },
      button(cardName(card), () => wish({ do: "deck-again", card })), ` ${told(why)}`))),
    h("div", { key: "buttons", class: "choices" },
      missing > refused.length && button(say("setup.deck.go", { n: missing - refused.length }), () => wish({ do: "deck-again" })),
      now.keeps ? button(say("setup.deck.keep"), async () => {
        const answer = await wish({ do: "deck-keep" });
        if (answer.kept) kept = answer.kept;
        draw();
      }, true) : h("p", { class: "pale" }, say("setup.deck.demo"))),
  ].filter(Boolean);
}

function chosen(now, { wish, draw }) {
  if (!now.games.length) return [h("p", { key: "none", class: "pale" }, say("setup.deck.box"))];
  game ??= now.games[0].name;
  const { cards } = now.games.find(({ name }) => name === game);
  return [
    kept && h("p", { key: "kept", class: "well" }, say("setup.deck.kept", { file: kept })),
    h("div", { key: "games" }, chips("deck", now.games.map(({ name, title }) => [name, title]), game, (name) => { game = name; draw(); })),
    h("div", { key: "buttons", class: "choices" }, button(say("setup.deck.go", { n: cards }), () => { kept = null; return wish({ do: "deck", game }); }, true)),
  ].filter(Boolean);
}

export const deck = {
  asks: true,
  idle: (now) => !now.games.length, // a dice box has no deck
  async begin({ wish }) {
    kept = null;
    if (resumes) await wish({ do: "deck", game: resumes });
  },
  look(now) {
    resumes = now?.deck?.game ?? null;
    if (now?.camera) wake();
  },
  draw(now, doing) {
    const learning = now.deck;
    if (!learning) return [livePicture(), ...chosen(now, doing)];
    return [
      h("div", { key: "both", class: "both" }, livePicture(), h("div", {}, learning.phase === "learnt" ? outcome(learning, now, doing) : asking(learning, doing))),
      learning.learnt.length > 0 && sheet(learning, doing),
    ].filter(Boolean);
  },
};
