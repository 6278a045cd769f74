// DoppelX: dice that the eye was not sure of, each settled by a tap.

import { h } from "./dom.js";
import { correct } from "./table.js";
import { colourName, dieName, nameOf, say, zoneName } from "./words.js";

/** Where a die may count, best first. */
export const ZONES = ["3x", "2x", "1x", "X", "-1"];
const BETTER = [...ZONES, "hole"];
const FACES = ["1", "2", "3", "X"];
const LOST = { where: "outside", touches: [], counts_as: undefined, doubt: undefined, candidates: undefined };

/** The doubts about a die. If it was reported as lost, or as a bet out of view, it may lie elsewhere: that comes first. */
export const doubtsOf = (each) => (isUnseen(each) ? ["unseen"] : each.doubt ?? []);

/** The doubt whether a die was thrown unseen: asked once for the whole throw. */
const THROW = "throw";

const isUnseen = (each) => (each.where === "outside" || each.in_view === false) && (each.doubt ?? []).includes("line");

export const doubtName = (what) =>
  ({
    line: say("box.on.line"), face: say("box.unsure.face"), colour: say("box.unsure.colour"),
    cocked: say("box.unsure.cocked"), throw: say("box.unsure.throw"), unseen: say("box.unseen"),
  })[what] ?? what;

/** The throws with a die that may lie unseen: asked about until somebody answers, however old they are. */
export const throwsWithUnseen = (proof) =>
  Object.keys(proof).filter((id) => proof[id]?.kind === "throw" && proof[id].dice.some(isUnseen)).map(Number);

/** Questions about the dice of these throws. */
export function diceInDoubt(state, ids) {
  const unseen = new Map();
  const asked = ids.flatMap((id) => (state.proof[id]?.dice ?? []).flatMap((each, at) => {
    if (!isUnseen(each)) return (each.doubt ?? []).filter((what) => what !== THROW).map((what) => ({ each, what, at: [[id, at]] }));
    // The die has not moved, so one answer serves all the throws since.
    const known = unseen.get(each.colour);
    known?.at.push([id, at]);
    if (!known) unseen.set(each.colour, { each, what: "unseen", at: [[id, at]] });
    return known ? [] : [unseen.get(each.colour)];
  }));
  const pictured = new Set();
  const unclaimed = ids.filter((id) => state.proof[id]?.dice?.some((each) => each.doubt?.includes(THROW))).map((id) => askWho(state, id, pictured));
  return [...unclaimed, ...asked.map((question) => ask(state, question, pictured))];
}

/** Dice lie differently after the table could not see: ask who threw them, if anybody did. */
function askWho({ view, proof, crops, game }, id, pictured) {
  const { after_gap: _, ...event } = proof[id];
  const dice = event.dice.map((each) => (each.doubt?.includes(THROW) ? settled(each, THROW, {}) : each));
  const names = event.dice.filter((each) => each.doubt?.includes(THROW) && each.where === "field").map(dieName).join(", ");
  const picture = crops.includes(id) && h("img", { src: `/crop/${game}/${id}.jpg`, alt: say("doubt.picture"), class: "crop" });
  pictured.add(id);
  const players = event.player === "all" ? [["all", say("box.opening")]] : view.seats.map((seat, k) => [view.players[k], nameOf(view, seat)]);
  return h("article", { key: `${id} who`, class: "doubt" },
    h("p", {}, say("box.ask.throw", { dice: names })),
    picture,
    h("div", { class: "choices" },
      players.map(([player, name]) =>
        h("button", { key: player, type: "button", class: "choice", onclick: () => correct(id, { ...event, player, dice }) }, name)),
      h("button", { type: "button", onclick: () => correct(id, null) }, say("box.nobody"))));
}

function ask({ view, proof, crops, game }, { each, what, at }, pictured) {
  const id = at.at(-1)[0];
  const picture = crops.includes(id) && !pictured.has(id) && h("img", { src: `/crop/${game}/${id}.jpg`, alt: say("doubt.picture"), class: "crop" });
  pictured.add(id);
  const settle = async (fields) => {
    for (const [thrown, place] of at) {
      const dice = proof[thrown].dice.map((old, j) => (j === place ? settled(old, what, fields) : old));
      await correct(thrown, { ...proof[thrown], dice });
    }
  };
  const words = { die: dieName(each), colour: each.colour ? colourName(each.colour) : "?" };
  return h("article", { key: [...at.at(-1), what].join(" "), class: "doubt" },
    h("p", {}, say(["line", "colour", "cocked", "unseen"].includes(what) ? `box.ask.${what}` : "box.ask.face", words)),
    picture,
    h("div", { class: "choices" }, choices(view, each, what).map(([text, fields]) =>
      h("button", { key: text, type: "button", class: "choice", onclick: () => settle(fields) }, text))));
}

/** The die with the answer, and without the doubts that were asked about. */
function settled(each, what, fields) {
  const { candidates, ...rest } = each;
  const known = what === "unseen" ? ["line", "colour"] : [what];
  const left = (each.doubt ?? []).filter((other) => !known.includes(other));
  return { ...rest, ...(left.length ? { candidates, doubt: left } : { doubt: undefined }), ...fields };
}

function choices(view, each, what) {
  const names = (each.candidates ?? []).map(([name]) => name);
  switch (what) {
    case "unseen": {
      const bets = names.filter((name) => name.startsWith("bet:"));
      const lost = [say("box.lost"), LOST];
      const laid = bets.map((bet) => [say("box.why.bet", { bet: bet.slice(4) }), { ...LOST, where: bet }]);
      if (bets.length) return each.where === "outside" ? [lost, ...laid] : [...laid, lost]; // as which it counts now comes first
      return [[say("box.lost"), LOST], ...BETTER.filter((zone) => zone !== "hole").map((zone) => [zoneName(zone), lying(zone, [])])];
    }
    case "line": {
      const zones = [...new Set([...(each.touches ?? []), each.counts_as, ...names])].filter((zone) => BETTER.includes(zone));
      return (zones.length > 1 ? inOrder(zones) : BETTER).map((zone) => [zoneName(zone), lying(zone, zones)]);
    }
    case "colour": {
      const colours = names.filter((name) => view.players.includes(name) || name === "white");
      return (colours.length ? colours : [...view.players, "white"]).map((colour) => [colourName(colour), { colour }]);
    }
    case "cocked":
      return [[say("prompt.cocked.yes"), { cocked: false }]];
    default: {
      const faces = names.filter((name) => FACES.includes(name));
      return (faces.length ? faces : FACES).map((face) => [face, { face }]);
    }
  }
}

const inOrder = (zones) => [...zones].sort((a, b) => BETTER.indexOf(a) - BETTER.indexOf(b));

/** The fields of a die that counts as this zone, one of those (`zones`) that its foot may touch, without contradiction. */
export function lying(zone, zones) {
  if (zone === "hole") return { where: "hole", touches: [], counts_as: undefined, margin_mm: undefined };
  const touches = inOrder(zones).filter((other) => BETTER.indexOf(other) > BETTER.indexOf(zone));
  return { where: "field", counts_as: zone, touches: [zone, ...touches], margin_mm: null };
}
