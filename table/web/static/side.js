// What people may settle: doubts, declarations, findings with their proof, and the log.

import { h, redraw } from "./dom.js";
import { card, die } from "./cards.js";
import { askEvent, askSay } from "./dialog.js";
import { drawFindings } from "./findings.js";
import { handButton } from "./hand.js";
import { moreButton, older } from "./older.js";
import { drawPrompts } from "./says.js";
import { again, correct, redo, undo } from "./table.js";
import { diceInDoubt, throwsWithUnseen } from "./unsure.js";
import { cardName, colourName, eventName, nameOf, say } from "./words.js";

/** Draw the side column. */
export function drawSide(state) {
  const { view } = state;
  const people = [view.seats, view.players];
  const focused = document.activeElement;
  const answered = focused?.closest("#doubts, #prompts");
  redraw("doubts", [view.doubts, state.crops, people, view.box?.event, state.proof], () => doubts(state));
  redraw("prompts", [view.prompts, view.trump, view.phase, view.over, people, view.score_dice, view.prompts.length && state.events.at(-1)?.id, view.round, state.health?.camera.what],
    () => drawPrompts(state));
  // After an answer by keyboard, continue here rather than at the top of the page.
  if (answered && !focused.isConnected) document.getElementById("side").focus({ preventScroll: true });
  redraw("findings", [view.findings, view.contested, view.remarks, state.proof, people, state.left_out.findings, state.left_out.contested, older(state, "findings")],
    () => drawFindings(state, () => drawSide(state)));
  redraw("events", [state.events, people, view.pack, view.seen, view.phase, view.over, state.undo, state.redo, state.left_out.events, older(state, "events")],
    () => events(state));
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
      const settled = (name) => die_ ? { kind: "die", spot: event.spot, ...dieOf(name, event) }
        : { kind: "card", seat: doubt.seat, card: name };
      return h("article", { key: doubt.event, class: "doubt" },
        h("p", {}, ask),
        crops.includes(doubt.event)
          && h("img", { src: `/crop/${game}/${doubt.event}.jpg`, alt: say("doubt.picture"), class: "crop" }),
        h("div", { class: "choices" },
          doubt.candidates.map(([name, belief]) =>
            h("button", { key: name, type: "button", class: "choice", onclick: () => correct(doubt.event, settled(name)) },
              die_ ? die(dieOf(name, event).colour, dieOf(name, event).value) : card(name),
              h("span", {}, die_ ? `${colourName(dieOf(name, event).colour)} ${dieOf(name, event).value}` : cardName(name), h("small", {}, ` ${Math.round(belief * 100)} %`)))),
          h("button", { key: "other", type: "button", onclick: () => askEvent(view, doubt.event, settled(""), false, crops.includes(doubt.event) ? `/crop/${game}/${doubt.event}.jpg` : null) }, say("doubt.other")),
          h("button", { key: "nothing", type: "button", onclick: () => correct(doubt.event, null) }, say("doubt.nothing"))));
    }),
    state.left_out.doubts > 0 && h("p", {}, say("doubt.more", { n: state.left_out.doubts })),
    h("p", { class: "pale" }, say("doubt.goes.on")),
  ];
}

/** A die by a candidate's name, "blue-3"; without a name, what was read of it. */
function dieOf(name, event) {
  const [colour, value] = name.split("-");
  return name ? { colour, value: +value } : { colour: event.colour, value: event.value };
}

function events(state) {
  const { view, undo: last, redo: undone } = state;
  const lines = [...older(state, "events"), ...state.events];
  const items = lines.reverse().map((line) => {
    const corrected = "now" in line;
    const text = eventName(view, line.event);
    // Corrections are corrected at the event that they concern, and a game's line only if it was begun by touch.
    const fixed = line.event.kind === "correction" || (line.event.kind === "game" && line.event.source !== "touch");
    return h("li", { key: line.id },
      h("span", { class: "number" }, line.id),
      h("span", { class: "what" },
        corrected ? h("s", {}, text) : text,
        corrected && ` ${eventName(view, line.now)}`,
        line.event.source === "rules" && h("small", {}, ` ${say("event.by.rules")}`)),
      !fixed && h("button", {
        type: "button", class: "small", "aria-label": `${say("correct")}: ${text}`,
        onclick: () => askEvent(view, line.id, line.now ?? line.event, corrected && line.now === null),
      }, "✎"));
  });
  return [
    h("h2", {}, say("events")),
    h("div", { class: "choices controls" },
      h("button", { key: "undo", type: "button", onclick: () => undo(last), disabled: last === null }, `↶ ${say("undo")}`),
      undone !== null && h("button", { key: "redo", type: "button", onclick: () => redo(undone) }, `↷ ${say("redo")}`),
      !view.boxed
        && h("button", { key: "add", type: "button", onclick: () => askEvent(view, null, { kind: "card", seat: view.turn }), disabled: !view.round }, say("add")),
      view.game && handButton(view),
      view.sayings.length > 0
        && h("button", { key: "speak", type: "button", onclick: () => askSay(view, view.sayings, view.turn), disabled: !view.round }, say("speak")),
      view.over && h("button", { key: "again", type: "button", class: "on", onclick: again }, say("again"))),
    items.length ? h("ol", { class: "events" }, items) : h("p", { class: "pale" }, say("events.none")),
    moreButton(state, "events", say("events.older"), () => drawSide(state)),
  ];
}
