// What people may settle: doubts, declarations, findings with their proof, the course of events.

import { h, redraw } from "./dom.js";
import { card, die, shape } from "./cards.js";
import { askEvent } from "./dialog.js";
import { again, correct, tell, undo } from "./table.js";
import { cardName, colourName, eventName, known, nameOf, say } from "./words.js";

const DUBBE = ["blue", "brown", "yellow", "green", "red"];

/** Draw the side column. */
export function drawSide(state) {
  const { view } = state;
  const people = [view.seats, view.players];
  redraw("doubts", [view.doubts, state.crops, people], () => doubts(state));
  redraw("prompts", [view.prompts, view.trump, view.phase, people, view.prompts.length && state.events.at(-1)?.id], () => prompts(state));
  redraw("findings", [view.findings, state.proof, people], () => findings(state));
  redraw("events", [state.events, people, view.pack, view.seen, view.finished], () => events(state));
}

function doubts({ view, crops, proof, game }) {
  if (!view.doubts.length) return [];
  return [
    h("h2", {}, say("doubts")),
    ...view.doubts.map((doubt) => {
      const event = proof[doubt.event] ?? { kind: "unsure" };
      const die_ = event.kind === "die";
      const ask = die_ ? say("doubt.die")
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

function prompts({ view, events }) {
  if (!view.prompts.length) return [];
  return [
    h("h2", {}, say("prompts")),
    ...view.prompts.map(({ what, seat }) => {
      const who = nameOf(view, seat);
      const words = known(`prompt.${what}`) ? say(`prompt.${what}`, { who }) : say("prompt.other", { who, what });
      return h("article", {}, h("p", {}, words), h("div", { class: "choices" }, answers(what, seat, events)));
    }),
  ];
}

function answers(what, seat, events) {
  if (what === "declare-trump") {
    return DUBBE.map((colour) =>
      h("button", { type: "button", onclick: () => tell({ kind: "say", seat, what: `trump:${colour}` }) },
        shape(colour), colourName(colour)));
  }
  const offence = what === "offence?" && events.findLast(({ event, now }) =>
    ["touch", "collected"].includes(event.kind) && event.seat === seat && now === undefined);
  return offence
    ? h("button", { type: "button", onclick: () => correct(offence.id, null) }, say("prompt.offence.no"))
    : [];
}

function findings({ view, proof }) {
  if (!view.findings.length) return [];
  const name = (id) => {
    const event = proof[id];
    return event?.card ? cardName(event.card) : event ? eventName(view, event) : "?";
  };
  const lines = [...view.findings].reverse().map((found) => {
    const key = `finding.${found.finding}`;
    const places = { who: nameOf(view, found.seat), card: name(found.event), about: name(found.about) };
    const proofs = [found.about, found.event].filter((id) => id != null && proof[id])
      .map((id) => say("finding.proof.event", { id, what: eventName(view, proof[id]) }));
    return h("li", {}, known(key) ? say(key, places) : `${found.finding}: ${places.who}`,
      h("small", {}, say("finding.proof", { events: proofs.join("; "), rule: found.rule })));
  });
  return [h("h2", {}, say("findings")), h("ul", { class: "findings" }, lines)];
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
      h("button", { type: "button", onclick: () => askEvent(view, null, { kind: "card", seat: view.turn }), disabled: !view.round }, say("add")),
      view.finished && h("button", { type: "button", class: "on", onclick: again }, say("again"))),
    items.length ? h("ol", { class: "events" }, items) : h("p", { class: "pale" }, say("events.none")),
  ];
}
