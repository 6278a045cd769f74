// The findings: each in words with its proof, and remarks that accuse nobody.

import { h } from "./dom.js";
import { askEvent } from "./dialog.js";
import { moreButton, older, olderProof } from "./older.js";
import { cardName, colourName, eventName, known, nameOf, say, spokenWords } from "./words.js";

/** The findings, newest first, the remarks, and as questions those that rest on a tap alone. */
export function drawFindings(state, redrawn) {
  const { view } = state;
  const asked = view.contested ?? [];
  if (!view.findings.length && !view.remarks.length && !asked.length) return [];
  const proof = { ...olderProof(), ...state.proof };
  const all = [...older(state, "findings"), ...view.findings].reverse();
  const list = (kind, items, told) => items.length > 0 && h("ul", { class: kind }, items.map((found) =>
    h("li", { key: [found.finding, found.seat, found.event, found.about].join(" ") }, told(found), proofOf(view, found, proof))));
  return [
    (all.length > 0 || view.remarks.length > 0) && h("h2", { key: "findings" }, say("findings")),
    list("findings", all, (found) => findingName(view, found, proof)),
    moreButton(state, "findings", say("findings.older"), redrawn),
    view.remarks.length > 0 && h("ul", { class: "remarks" }, [...view.remarks].reverse().map(([, what, whom]) => h("li", {}, remark(view, what, whom)))),
    asked.length > 0 && h("h2", { key: "contested" }, say("contested")),
    list("contested", [...asked].reverse(), (found) => say("contested.one", { what: findingName(view, found, proof) })),
    state.left_out.contested > 0 && h("p", { key: "contested-more" }, say("doubt.more", { n: state.left_out.contested })),
    asked.length > 0 && h("p", { key: "contested-why", class: "pale" }, say("contested.why")),
  ];
}

/** A finding as a sentence; `proof` has the events that it points to. */
export function findingName(view, found, proof) {
  const name = (id) => {
    const event = proof[id];
    return event?.card ? cardName(event.card) : event ? eventName(view, event) : "?";
  };
  const plain = `finding.${found.finding}`;
  const twice = found.finding === "duplicate_card" && view.pack[proof[found.event]?.card] > 1; // the deck has two of it
  const own = `${plain}.${twice ? "twice" : found.rule}`;
  const key = known(own) ? own : plain; // one finding, several offences
  const places = { who: nameOf(view, found.seat), card: name(found.event), about: name(found.about) };
  return known(key) ? say(key, places) : `${found.finding}: ${places.who}`;
}

/** The proof, each event to be corrected by a tap, and the rule; folded away until somebody asks. */
function proofOf(view, found, proof) {
  const proofs = [...new Set([found.about, found.event])].filter((id) => id != null && proof[id]);
  return h("details", { class: "proof" }, h("summary", {}, say("finding.proof")),
    proofs.map((id, i) => [
      i > 0 && "; ",
      h("button", { key: id, type: "button", class: "link", onclick: () => askEvent(view, id, proof[id]) }, eventName(view, proof[id])),
    ]).flat(),
    h("small", {}, say("finding.rule", { rule: found.rule })));
}

/** A remark, which accuses nobody; `whom` is a seat, a card, a character or a word. */
function remark(view, what, whom) {
  const who = known(`character.${whom}`) ? say(`character.${whom}`) : nameOf(view, whom);
  const places = { who, card: whom in view.pack ? cardName(whom) : colourName(whom), what: spokenWords(whom) };
  return known(`remark.${what}`) ? say(`remark.${what}`, places) : `${what}: ${who}`;
}
