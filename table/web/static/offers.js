// What a seat may say now according to the rules: buttons under their deadline. This module knows no game.

import { card, shape } from "./cards.js";
import { h } from "./dom.js";
import { fetchOlder, tell } from "./table.js";
import { cardName, colourName, say, spokenWords } from "./words.js";

const MANY = 7; // up to this many choices of one word are shown; more are folded away under the word

/** Fetch what this seat may say; null if that is unknown. */
export const fetchOffers = async (seat) => (await fetchOlder(`/api/seat/${encodeURIComponent(seat)}`))?.offers ?? null;

/** Draw what may be said, one block for each deadline; `told` is called once the table has accepted a word, `who` is
 *  named on pages that others read, too. */
export function drawOffers(view, offers, told = () => {}, who = null) {
  const blocks = new Map();
  for (const offer of offers) {
    const key = `${offer.until} ${offer.n ?? ""}`;
    blocks.set(key, [...(blocks.get(key) ?? []), offer]);
  }
  return [...blocks].map(([key, block]) => h("div", { key, class: `offer ${block[0].until}` },
    h("h3", {}, deadline(block[0], who)),
    h("div", { class: "choices" }, words(block).flatMap(([word, same]) => same.length > MANY
      ? h("details", { key: word }, h("summary", {}, `${say(`word.${word}`)} …`),
        h("div", { class: same.some((offer) => isCard(view, offer)) ? "cards" : "choices" }, same.map((offer) => button(view, offer, told, true))))
      : same.map((offer) => button(view, offer, told, false))))));
}

const isCard = (view, { event }) => event.what.split(":")[1] in view.pack;

function words(block) {
  const found = new Map();
  for (const offer of block) {
    const word = offer.event.what.split(":")[0];
    found.set(word, [...(found.get(word) ?? []), offer]);
  }
  return [...found];
}

/** Until when something may be said, in the rules' own terms. */
export const deadline = ({ until, n }, who = null) => {
  const of = who && n ? ".of" : "";
  return say(n === 1 ? `until.${until}${of}.1` : `until.${until}${of}`, { n, who });
};

function button(view, { event }, told, picture) {
  const [word, of] = event.what.split(":");
  const send = async () => {
    if (await tell(event)) told(event);
  };
  const name = word === "trump" ? colourName(of) : spokenWords(event.what);
  return h("button", { key: event.what, type: "button", onclick: send, "aria-label": picture && spokenWords(event.what) },
    picture && of in view.pack ? [card(of), cardName(of)]
      : [["trump", "farbe"].includes(word) && shape(of), ` ${name}`]);
}
