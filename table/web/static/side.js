// What people may settle: doubts, declarations, findings with their proof, the course of events.

import { h, redraw } from "./dom.js";
import { card, die } from "./cards.js";
import { askEvent, askSay } from "./dialog.js";
import { drawPrompts, sayings } from "./says.js";
import { again, correct, undo } from "./table.js";
import { diceInDoubt, throwsWithUnseen } from "./unsure.js";
import { cardName, colourName, eventName, known, nameOf, say, spokenWords } from "./words.js";

/** Draw the side column. */
export function drawSide(state) {
  const { view } = state;
  const people = [view.seats, view.players];
  redraw("doubts", [view.doubts, state.crops, people, view.box?.event, state.proof], () => doubts(state));
  redraw("prompts", [view.prompts, view.trump, view.phase, view.over, people, view.score_dice, view.prompts.length && state.events.at(-1)?.id],
    () => drawPrompts(state));
  redraw("findings", [view.findings, view.remarks, state.proof, people], () => findings(state));
  redraw("events", [state.events, people, view.pack, view.seen, view.phase, view.over], () => events(state));
}

function doubts(state) {
  const { view, crops, proof, game } = state;
  const asked = [...throwsWithUnseen(proof), ...view.doubts.map(({ event }) => event), view.box?.event];
  const thrown = new Set(asked.filter((id) => proof[id]?.kind === "throw").sort((a, b) => a - b));
  const dice = diceInDoubt(state, [...thrown]);
  const cards = view.doubts.filter(({ event }) => !thrown.has(event));
  if (!dice.length && !cards.length) return [];
  return [
    h("h2", {}, say("doubts")),
    ...dice,
    ...cards.map((doubt) => {
      const event = proof[doubt.event] ?? { kind: "unsure" };
      const die_ = event.kind === "die";
      const ask = die_ ? say("doubt.die")
        : event.source === "rules" ? say("doubt.missing", { who: nameOf(view, doubt.seat) })
        : doubt.seat ? say("doubt.ask", { who: nameOf(view, doubt.seat) }) : say("doubt.ask.nobody");
      const settled = (name) => die_
        ? { kind: "die", colour: event.colour, spot: event.spot, ...(/^\d$/.test(name) ? { value: +name } : { colour: name, value: event.value }) }
        : { kind: "card", seat: doubt.seat, card: name };
      return h("article", { class: "doubt" },
        h("p", {}, ask),
        crops.includes(doubt.event)
          && h("img", { src: `/crop/${game}/${doubt.event}.jpg`, alt: say("doubt.picture"), class: "crop" }),
        h("div", { class: "choices" },
          doubt.candidates.map(([name, belief]) =>
            h("button", { type: "button", class: "choice", onclick: () => correct(doubt.event, settled(name)) },
              die_ ? die(event.colour, name) : card(name),
              h("span", {}, die_ ? name : cardName(name), h("small", {}, ` ${Math.round(belief * 100)} %`)))),
          h("button", { type: "button", onclick: () => askEvent(view, doubt.event, settled("")) }, say("doubt.other")),
          h("button", { type: "button", onclick: () => correct(doubt.event, null) }, say("doubt.nothing"))));
    }),
    h("p", { class: "pale" }, say("doubt.goes.on")),
  ];
}

function findings({ view, proof }) {
  if (!view.findings.length && !view.remarks.length) return [];
  const name = (id) => {
    const event = proof[id];
    return event?.card ? cardName(event.card) : event ? eventName(view, event) : "?";
  };
  const lines = [...view.findings].reverse().map((found) => {
    const plain = `finding.${found.finding}`;
    const key = known(`${plain}.${found.rule}`) ? `${plain}.${found.rule}` : plain; // one finding, several offences
    const places = { who: nameOf(view, found.seat), card: name(found.event), about: name(found.about) };
    const proofs = [found.about, found.event].filter((id) => id != null && proof[id])
      .map((id) => say("finding.proof.event", { id, what: eventName(view, proof[id]) }));
    return h("li", {}, known(key) ? say(key, places) : `${found.finding}: ${places.who}`,
      h("small", {}, say("finding.proof", { events: proofs.join("; "), rule: found.rule })));
  });
  return [
    h("h2", {}, say("findings")),
    h("ul", { class: "findings" }, lines),
    view.remarks.length > 0 && h("ul", { class: "remarks" }, [...view.remarks].reverse().map(([, what, whom]) => h("li", {}, remark(view, what, whom)))),
  ];
}

/** What the table says without accusing anybody; `whom` is a seat, a card, a character or a word. */
function remark(view, what, whom) {
  const who = known(`character.${whom}`) ? say(`character.${whom}`) : nameOf(view, whom);
  const places = { who, card: whom in view.pack ? cardName(whom) : colourName(whom), what: spokenWords(whom) };
  return known(`remark.${what}`) ? say(`remark.${what}`, places) : `${what}: ${who}`;
}

function events({ view, events: lines }) {
  const items = [...lines].reverse().map((line) => {
    const corrected = "now" in line;
    const text = eventName(view, line.event);
    const fixed = line.event.kind === "game" || line.event.kind === "correction";
    return h("li", {},
      h("span", { class: "number" }, line.id),
      h("span", { class: "what" },
        corrected ? h("s", {}, text) : text,
        corrected && ` ${eventName(view, line.now)}`,
        line.event.source === "rules" && h("small", {}, ` ${say("event.by.rules")}`)),
      !fixed && h("button", {
        type: "button", class: "small", "aria-label": `${say("correct")}: ${text}`,
        onclick: () => askEvent(view, line.id, line.now ?? line.event),
      }, "✎"));
  });
  return [
    h("h2", {}, say("events")),
    h("div", { class: "choices controls" },
      h("button", { type: "button", onclick: undo, disabled: lines.length < 2 }, `↶ ${say("undo")}`),
      view.game !== "doppelx"
        && h("button", { type: "button", onclick: () => askEvent(view, null, { kind: "card", seat: view.turn }), disabled: !view.round }, say("add")),
      sayings(view).length > 0
        && h("button", { type: "button", onclick: () => askSay(view, sayings(view), view.turn), disabled: !view.round }, say("speak")),
      view.over && h("button", { type: "button", class: "on", onclick: again }, say("again"))),
    items.length ? h("ol", { class: "events" }, items) : h("p", { class: "pale" }, say("events.none")),
  ];
}
