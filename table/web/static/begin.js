// One dialog for the evening: the current game, and another game by touch. /api/games says what can be played.

import { chips, choices } from "./controls.js";
import { h } from "./dom.js";
import { peopleOf } from "./people.js";
import { presetOf, rulesOf } from "./rules.js";
import { soundSwitches } from "./sound.js";
import { again, begin, fetchOlder, seen, tell } from "./table.js";
import { nameOf, say, sentence, spoken, told } from "./words.js";

/** The button that opens the dialog; its label says if no game is on. */
export function beginButton(view, state) {
  return h("button", { type: "button", class: view.game ? "" : "on", title: say("begin.hint"), onclick: () => askBegin(state) },
    say(view.game ? "begin" : "begin.first"));
}

/** Whether a round is running that would be lost if another game began. */
const running = (view) => view.round > 0 && !["settled", "finished"].includes(view.phase) && !view.over;

/** Open the dialog and ask what is played next. `state()` returns the table's current state. */
async function askBegin(state) {
  const dialog = document.getElementById("begin");
  let on = seen();
  const can = await fetchOlder("/api/games");
  const trouble = h("p", { class: "bad", role: "alert" });
  if (!can) trouble.textContent = say("begin.unread");
  const plan = can && planOf(can, state().view);
  const body = h("div", { class: "body" });
  const foot = h("div", { class: "foot" });
  const send = async (broken) => {
    const wish = wishOf(plan);
    const why = await begin(broken ? { ...wish, break_off: true } : wish, on);
    if (why) {
      trouble.textContent = sentence(told(why));
      const other = seen().game !== on.game;
      on = seen(); // asking again refers to the table's current state
      (other ? redraw : ask)();
    } else {
      plan.people.keep();
      dialog.close();
    }
  };
  const ask = () => foot.replaceChildren(...closing(dialog, plan, () => (running(state().view) ? warn() : send(false))));
  const warn = () => {
    const { boxed, round, title } = state().view;
    trouble.textContent = boxed ? say("begin.running.box", { game: title }) : say("begin.running", { n: round, game: title });
    foot.replaceChildren(choices(
      h("button", { type: "button", class: "on", onclick: () => { trouble.textContent = ""; ask(); } }, say("begin.stay")),
      h("button", { type: "button", onclick: () => send(true) }, say("begin.break"))));
  };
  const redraw = () => {
    body.replaceChildren(...evening(state(), dialog, redraw), ...(plan ? [gameOf(can, plan, redraw), presetOf(plan, redraw), ...plan.people.draw(), rulesOf(plan)] : [])
      .filter(Boolean), lampsTold(), soundSwitches(),
      h("nav", { class: "links" },
        h("a", { class: "button", href: "/history" }, say("history.link")), h("a", { class: "button", href: "/doctor" }, say("doctor.link")),
        h("a", { class: "button", href: "/settings" }, say("settings.link")), h("a", { class: "button", href: "/setup" }, say("setup.link"))));
    plan?.people.onChange(ask);
    ask();
  };
  dialog.replaceChildren(h("form", { method: "dialog", onsubmit: (submit) => submit.preventDefault() },
    h("h2", { id: "begin-title" }, say("begin.title")), body, trouble, foot));
  redraw();
  dialog.showModal();
}

/** A picture of what the lamps mean, fetched when somebody opens it. */
const lampsTold = () => h("details", { class: "house lamps" }, h("summary", {}, say("begin.lamps")),
  h("img", { src: `/lamps.svg?lang=${spoken()}`, alt: say("begin.lamps"), loading: "lazy", width: 860, height: 408 }));

/** The dialog's initial plan: the current game, or the first that can be played. */
function planOf(can, view) {
  const possible = can.games.filter(({ players }) => players.length);
  const game = possible.find(({ name }) => name === view.game) ?? possible[0];
  return game ? choose(can, {}, game, view) : null;
}

/** Put another game into the plan; people stay where they are. */
function choose(can, plan, game, view) {
  const same = view?.game === game.name;
  plan.game = game;
  plan.preset = (same && game.presets.find(({ name }) => name === view.preset)) || game.presets[0];
  plan.options = {};
  if (same) {
    for (const { name } of game.options) {
      if (JSON.stringify(view.options[name]) !== JSON.stringify(plan.preset.options[name])) plan.options[name] = view.options[name];
    }
  }
  plan.people = peopleOf(game, can.seats, view ?? plan.view, plan.people);
  plan.view ??= view;
  if (same) plan.people.rounds = view.rounds_agreed;
  return plan;
}

function wishOf(plan) {
  return { game: plan.game.name, preset: plan.preset.name, options: plan.options, ...plan.people.read() };
}

/** Buttons for the current game: the next round, breaking off, the end, the same again. */
function evening({ view }, dialog, redraw) {
  if (!view.game) return [];
  const settled = ["settled", "finished"].includes(view.phase);
  const on = seen();
  const button = (key, act, first = false) => h("button", {
    type: "button", class: first ? "on" : "", onclick: async () => (await act() ? dialog.close() : redraw()), // refused: show how the game has gone on
  }, say(key));
  return [h("section", { class: "now" },
    h("p", {}, say("begin.now", { game: view.title, who: view.seats.map((seat) => nameOf(view, seat)).join(", ") })),
    choices(
      view.over && button("begin.again", again, true),
      settled && !view.over && button("next.round", () => tell({ kind: "round" }, on)),
      settled && !view.over && button("end.evening", () => tell({ kind: "end" }, on)),
      running(view) && view.game && button(view.boxed ? "end.box" : "end", () => tell({ kind: "end" }, on))),
    !view.boxed && phones(view)),
  h("h3", { class: "other" }, say("begin.other"))];
}

/** Links to the seats' own pages, to which otherwise only the QR codes at the seats lead. */
const phones = (view) => h("details", { class: "house phones" }, h("summary", {}, say("begin.phones")),
  choices(...view.seats.map((seat) => h("a", { class: "button", href: `/seat/${encodeURIComponent(seat)}` }, nameOf(view, seat)))));

function gameOf(can, plan, redraw) {
  const not = can.games.filter(({ players }) => !players.length);
  return h("fieldset", {}, h("legend", {}, say("begin.game")),
    chips("game", can.games.map((game) => [game, game.title, !game.players.length]), plan.game, (game) => {
      choose(can, plan, game);
      redraw();
    }),
    not.length > 0 && h("details", { class: "pale" }, h("summary", {}, say("begin.not", { games: not.map(({ title }) => title).join(", ") })),
      not.map(({ title, why_not: why }) => h("p", {}, say("begin.why_not", { game: title, why: told(why) })))));
}

function closing(dialog, plan, go) {
  const why = plan?.people.wrong();
  return [
    why ? h("p", { class: "pale" }, why) : null,
    choices(
      plan && h("button", { type: "button", class: "on", disabled: Boolean(why), onclick: go }, say("begin.go")),
      h("button", { type: "button", onclick: () => dialog.close() }, say("close"))),
  ].filter(Boolean);
}
