// One dialog for corrections: what an event was, which card, whose, or that it never happened.

import { h } from "./dom.js";
import { choice, fieldsOf, kindsOf, labelled, saves } from "./fields.js";
import { drawOffers, fetchOffers } from "./offers.js";
import { correct, fetchOlder, seen, shown, tell } from "./table.js";
import { eventName, nameOf, say, spokenWords } from "./words.js";

/** Ask what event `id` really was (null = an event that the table has not seen); `gone`: it was taken back,
 *  `crop`: address of its picture, `at`: which die of a throw. */
export async function askEvent(view, id, event, gone = false, crop = null, at = 0) {
  const dialog = document.getElementById("dialog");
  const on = seen(); // the answer refers to what is shown now
  const before = standing(id);
  const sure = await fetchSure(id, event);
  const begun = event.kind === "game" && !(event.source === "touch" && on.game > 1); // no earlier game to go back to
  const kinds = kindsOf(view, event.kind);
  let fields = null;
  const place = h("div", {});
  const kind = choice(kinds.map((each) => [each, say(`kind.${each}`)]), event.kind === "unsure" ? "card" : event.kind);
  const refill = () => {
    fields = fieldsOf(view, kind.value, kind.value === event.kind || event.kind === "unsure" ? event : { seat: event.seat }, sure, at);
    place.replaceChildren(...fields.elements);
  };
  kind.addEventListener("change", refill);
  refill();
  const send = async (right) => {
    const done = await (id === null ? tell(right, on) : correct(id, right, on));
    if (done) dialog.close();
    else if (done === false && seen().game === on.game) again();
  };
  // Refused because somebody else corrected it first: show what holds there now, which may be corrected in turn.
  const again = async () => {
    const now = standing(id);
    if (!now || same(now, before)) return; // no connection, or refused for another reason: keep what was chosen
    const refused = dialog.querySelector(":scope > .refused");
    await askEvent(shown().view, id, now.right ?? now.event, now.right === null, crop, at);
    if (refused) dialog.prepend(refused);
  };
  const bound = async (line) => { // close even if refused: the game has gone on, and these buttons mean something else
    if ((await tell(line, on)) !== null) dialog.close(); // if the guest closed the PIN's dialog, stay open
  };
  const settled = ["settled", "finished"].includes(view.phase);
  const save = event.kind !== "game" && h("button", { type: "submit", class: "on" }, gone ? say("correct.after.all") : say("save"));
  const form = h("form", {
    method: "dialog",
    onsubmit: (submit) => {
      submit.preventDefault();
      send(fields.read());
    },
  },
    h("h2", {}, id === null ? say("add.title") : say("correct.title", { id })),
    id !== null && h("p", { class: "pale" }, gone ? h("s", {}, eventName(view, event)) : eventName(view, event)),
    crop && h("img", { src: crop, alt: say("doubt.picture"), class: "crop" }),
    event.kind === "game" ? h("p", {}, say(begun ? "begun" : "rejoin")) : place,
    kinds.length > 1 && labelled(id === null ? "what" : "what.else", kind),
    h("div", { class: "choices" },
      save,
      id !== null && !gone && !begun && h("button", { type: "button", onclick: () => send(null) }, say("correct.never")),
      id === null && event.kind !== "turned" && h("button", { type: "button", onclick: () => bound({ kind: "round" }) }, say("next.round")),
      id === null && event.kind !== "turned" && h("button", { type: "button", onclick: () => bound({ kind: "end" }) },
        say(settled ? "end.evening" : view.boxed ? "end.box" : "end")),
      h("button", { type: "button", onclick: () => dialog.close() }, say("close"))));
  if (save) saves(form, save);
  dialog.replaceChildren(form);
  dialog.showModal();
}

/** An event as written, and as it holds now (`right`; null: taken back); null if the page does not have it. */
function standing(id) {
  const line = shown().events.find((each) => each.id === id);
  return line ? { event: line.event, right: line.now === undefined ? line.event : line.now } : null;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The cards that the rules surely allowed there; fetched before the dialog opens, so that nothing moves in it. */
async function fetchSure(id, { kind, seat }) {
  if (!seat || !["card", "unsure"].includes(kind)) return [];
  return (await fetchOlder(`/api/cards/${encodeURIComponent(seat)}${id === null ? "" : `?of=${id}`}`))?.sure ?? [];
}

/** Ask who said what: one tap for what the rules offer this seat now; "anything else" has all `words` of the game. */
export function askSay(view, words, seat) {
  const dialog = document.getElementById("dialog");
  const on = seen();
  const who = choice([...view.seats.map((s) => [s, nameOf(view, s)]), ["", say("nobody.in.particular")]], seat ?? "");
  const what = choice(words.map((word) => [word, spokenWords(word)]), null);
  const offered = h("div", { class: "offered" });
  const save = h("button", { type: "submit", class: "on" }, say("save"));
  const all = h("div", { hidden: true }, labelled("speak.what", what), save);
  const open = () => {
    all.hidden = false;
    more.remove();
  };
  const more = h("button", { type: "button", onclick: open }, say("speak.else"));
  const offer = async () => {
    const asked = who.value;
    offered.replaceChildren(); // the old offers were for another seat
    const offers = asked ? await fetchOffers(asked) : [];
    if (asked !== who.value) return; // another seat was chosen meanwhile
    const may = offers?.length ? drawOffers(view, offers, () => dialog.close(), nameOf(view, asked)) : [h("p", { class: "pale" }, say("seat.silent"))];
    offered.replaceChildren(...may);
  };
  who.addEventListener("change", offer);
  offer();
  const send = async () => {
    if (await tell({ kind: "say", what: what.value, ...(who.value ? { seat: who.value } : {}) }, on)) dialog.close();
  };
  const form = h("form", {
    method: "dialog",
    onsubmit: (submit) => {
      submit.preventDefault();
      send();
    },
  },
    h("h2", {}, say("speak.title")),
    !view.boxed && labelled("seat", who), offered,
    all,
    h("div", { class: "choices" }, more, h("button", { type: "button", onclick: () => dialog.close() }, say("close"))));
  saves(form, save);
  dialog.replaceChildren(form);
  dialog.showModal();
}
