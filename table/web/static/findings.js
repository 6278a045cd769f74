// What was noticed: each finding in words with its proof, and what the table says without accusing anybody.

import { h } from "./dom.js";
import { askEvent } from "./dialog.js";
import { moreButton, older, olderProof } from "./older.js";
import { cardName, colourName, eventName, known, nameOf, say, spokenWords } from "./words.js";

/** The findings, newest first, and the remarks. */
export function drawFindings(state, redrawn) {
  const { view } = state;
  if (!view.findings.length && !view.remarks.length) return [];
  const proof = { ...olderProof(), ...state.proof };
  const all = [...older(state, "findings"), ...view.findings].reverse();
  return [
    h("h2", {}, say("findings")),
    h("ul", { class: "findings" }, all.map((found) => h("li", { key: [found.finding, found.seat, found.event, found.about].join(" ") }, findingName(view, found, proof), proofOf(view, found, proof)))),
    moreButton(state, "findings", say("findings.older"), redrawn),
    view.remarks.length > 0 && h("ul", { class: "remarks" }, [...view.remarks].reverse().map(([, what, whom]) => h("li", {}, remark(view, what, whom)))),
  ];
}

/** A finding as a sentence; `proof` holds the events it points to. */
export function findingName(view, found, proof) {
  const name = (id) => {
    const event = proof[id];
    return event?.card ? cardName(event.card) : event ? eventName(view, event) : "?";
  };
  const plain = `finding.${found.finding}`;
  const key = known(`${plain}.${found.rule}`) ? `${plain}.${found.rule}` : plain; // one finding, several offences
  const places = { who: nameOf(view, found.seat), card: name(found.event), about: name(found.about) };
  return known(key) ? say(key, places) : `${found.finding}: ${places.who}`;
}

/** What proves it, each event to be put right by a tap, and the rule: nobody has to read them who does not ask. */
function proofOf(view, found, proof) {
  const proofs = [...new Set([found.about, found.event])].filter((id) => id != null && proof[id]);
  return h("details", { class: "proof" }, h("summary", {}, say("finding.proof")),
    proofs.map((id, i) => [
      i > 0 && "; ",
      h("button", { key: id, type: "button", class: "link", onclick: () => askEvent(view, id, proof[id]) }, eventName(view, proof[id])),
    ]).flat(),
    h("small", {}, say("finding.rule", { rule: found.rule })));
}

/** What the table says without accusing anybody; `whom` is a seat, a card, a character or a word. */
function remark(view, what, whom) {
  const who = known(`character.${whom}`) ? say(`character.${whom}`) : nameOf(view, whom);
  const places = { who, card: whom in view.pack ? cardName(whom) : colourName(whom), what: spokenWords(whom) };
  return known(`remark.${what}`) ? say(`remark.${what}`, places) : `${what}: ${who}`;
}
