// DoppelX: the race to the last chip, the last throw with every die's reason, bets.

import { h, redraw } from "./dom.js";
import { colourName, dieName, nameOf, say, signed } from "./words.js";
import { die } from "./cards.js";
import { askEvent } from "./dialog.js";
import { kiosk } from "./screen.js";
import { doubtName, doubtsOf } from "./unsure.js";

/** Draw the box in the middle of the stage. */
export function drawBox(state) {
  const { view } = state;
  redraw("stage", ["box", view.box, view.points, view.players, view.turn, view.winners, state.crops.includes(view.box.event)], () => [
    h("div", { key: "box", class: "box" }, race(view), lastThrow(state)),
  ]);
}

function race(view) {
  const ordered = [...view.seats].sort((a, b) => (view.points[b] ?? 0) - (view.points[a] ?? 0));
  return h("section", { class: "race" },
    h("h2", {}, say("race", { n: view.box.limit })),
    h("ol", {}, ordered.map((seat) => {
      const colour = view.players[view.seats.indexOf(seat)];
      const chips = view.points[seat] ?? 0;
      const gain = view.box.gains[seat] ?? 0;
      return h("li", { key: seat, class: `runner ink-${colour} ${view.turn === seat ? "turn" : ""} ${view.winners.includes(seat) ? "won" : ""}` },
        h("span", { class: "name" }, h("span", { class: "who" }, die(colour, ""), ` ${nameOf(view, seat)}`),
          view.turn === seat && h("span", { class: "tag on" }, say("turn.throw")),
          view.winners.includes(seat) && h("span", { class: "tag on" }, say("winner"))),
        h("span", { class: "track", "aria-hidden": true }, bar(chips / view.box.limit)),
        h("b", {}, signed(chips)),
        h("span", { class: "gain" }, gain ? `${gain > 0 ? "+" : ""}${signed(gain)}` : ""));
    })));
}

const bar = (share) => h("span", { class: "bar", style: { width: `${Math.min(100, Math.max(0, 100 * share))}%` } });

function lastThrow({ view, crops, game, proof }) {
  const { box } = view;
  const crop = crops.includes(box.event) ? `/crop/${game}/${box.event}.jpg` : null;
  const right = (at) => askEvent(view, box.event, proof[box.event], false, crop, at);
  if (!box.throw) return h("section", { class: "throw" }, h("div", { class: "awaiting", "aria-hidden": true }, [...view.players, "white"].map((colour) => die(colour, ""))), h("p", { class: "pale" }, say("box.none")));
  const title = box.player ? say("box.throw", { n: box.throw, who: nameOf(view, box.player) })
    : proof[box.event]?.after_gap && proof[box.event].player !== "all" ? say("box.unclaimed", { n: box.throw }) : say("box.opening");
  const crossed = box.dice.filter((d) => box.doppel_x && d.points === 10).map((d) => nameOf(view, d.seat));
  const placed = Object.entries(box.placed).map(([colour, bet]) => say("box.bet", { who: ownerName(view, colour), bet }));
  const back = [...new Set(Object.values(box.take_back))].map((seat) => say("box.take.back", {
    who: nameOf(view, seat), dice: Object.keys(box.take_back).filter((colour) => box.take_back[colour] === seat).map(colourName).join(", ") }));
  return h("section", { class: "throw" },
    h("h2", {}, title),
    box.doppel_x && h("p", { key: `doppel ${box.event}`, class: "doppel", role: "alert" }, say("box.doppel"),
      h("small", {}, crossed.map((who) => say("box.doppel.who", { who })).join(" "))),
    h("div", { class: "thrown" },
      crop && h("img", { key: box.event, class: "crop", src: crop, alt: say("box.picture") }),
      h("ul", { class: "reasons" }, box.dice.map((d, at) =>
        h("li", { class: d.points ? (d.points > 0 ? "plus" : "minus") : "" },
          kiosk ? die(d.colour ?? "unsure", d.face ?? "?") : h("button", { type: "button", class: "plain", "aria-label": `${say("correct")}: ${dieName(d)}`, onclick: () => right(at) }, die(d.colour ?? "unsure", d.face ?? "?")),
          h("span", { class: "why" }, why(d),
            doubtsOf(d).map((what) => h("span", { class: "tag on" }, doubtName(what)))),
          h("span", { class: "who" }, d.seat ? nameOf(view, d.seat) : ""),
          h("b", {}, d.points ? `${d.points > 0 ? "+" : ""}${signed(d.points)}` : "0"))))),
    placed.length > 0 && h("p", {}, h("b", {}, `${say("box.bets")}: `), placed.join(" · ")),
    back.length > 0 && !view.finished && h("p", { class: "pale" }, back.join(" · ")),
    box.may_bet.length > 0 && h("p", { class: "pale" },
      say("box.may.bet", { who: box.may_bet.map((seat) => nameOf(view, seat)).join(", ") })));
}

const ownerName = (view, colour) => nameOf(view, view.seats[view.players.indexOf(colour)] ?? null);

/** A die's reason in words: "3 pips in the 2× zone = 6". */
function why({ why: reason, where, zone, points, rule }) {
  if (reason === "hole" || where === "hole") return say("box.why.hole");
  if (reason === "outside" || where === "outside") return say("box.why.outside");
  if (reason.startsWith("Doppel X") && points) return say("box.why.doppel.owner", { points });
  if (reason === "Doppel X") return say(rule === "X-19" ? "box.why.doppel.again" : "box.why.doppel");
  if (reason.startsWith("bet ")) return say("box.why.bet", { bet: reason.slice(4) });
  if (reason === "X" && zone !== "X") return say("box.why.x"); // the die shows X, wherever it lies
  if (["X", "-1"].includes(reason)) return say(`zone.${reason}`);
  const pips = /^(\d+) × (\d+)x = (\d+)$/.exec(reason);
  if (pips) return say(pips[1] === "1" ? "box.why.pip" : "box.why.pips", { n: pips[1], zone: pips[2], points: pips[3] });
  return reason || (where?.startsWith("bet:") ? say("box.why.bet", { bet: where.slice(4) }) : zone?.replace(/^(\d)x$/, "$1×") ?? "");
}
