// The page: follows the table and draws its state.
// Address: ?lang=en for English, ?kiosk only shows (for a television on the wall), ?theme=light or dark; with ?kiosk
// also ?idle=5 (minutes until it shows a round that plays itself), ?chime and ?speak.

import { choose, chosenLanguage, firstLanguage } from "./chosen.js";
import { forget, h, redraw } from "./dom.js";
import { agree } from "./agree.js";
import { attracting, heard, onStage, watchIdle } from "./attract.js";
import { stayAwake } from "./awake.js";
import { beginButton } from "./begin.js";
import { useFaces } from "./cards.js";
import { drawHand, handButton } from "./hand.js";
import { lampSigns } from "./lamps.js";
import { renew } from "./older.js";
import { drawSide } from "./side.js";
import { drawStage } from "./stage.js";
import { drawSummary, renewSheet } from "./summary.js";
import { fitScreen, kiosk, nameButtons } from "./screen.js";
import { sound } from "./sound.js";
import { follow, mayLook } from "./table.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { troubleLines } from "./troubles.js";
import { awaited, awaitedFor, eventName, nameOf, other, say, speak, spoken, title, told, unawaited, UNANSWERED } from "./words.js";

const asked = new URLSearchParams(location.search);
fitScreen();
takeDoubleTapsForOne();

let state = null;
let online = true;
let failure = null;
let last = null;

function draw() {
  redraw("language", [spoken()], () => [h("span", {}, say("language")), h("span", { "aria-hidden": true }, say("language.short"))]);
  document.getElementById("language").title = say("language.hint");
  document.querySelector(".skip").textContent = say("skip");
  document.getElementById("side").setAttribute("aria-label", say("side"));
  redraw("troubles", [online, state?.health, failure, state?.demo, state?.view.game, spoken()], troubles);
  nameButtons();
  if (!kiosk) redraw("camera", [spoken()], camera);
  title(state?.view.title);
  if (!state) return;
  redraw("evening", [state.view.game, spoken()], () => [beginButton(state.view, () => state)]);
  drawStage(onStage(online ? state : unawaited(state)));
  if (kiosk) redraw("lamps", [state.lamps, state.health.board.what, state.view.game, state.view.characters.length, spoken()], () => lampSigns(state));
  redraw("invite", [attracting(), spoken()], () => (attracting() ? [say("attract.invite")] : []));
  drawSide(state);
  const many = document.querySelectorAll("#doubts .doubt").length;
  redraw("asks", [many, spoken()], () => asks(many));
  drawSummary(state);
  drawHand(state);
}

/** On a phone the questions are far below the table: this button scrolls there. */
const asks = (many) => (many ? [h("button", { type: "button", class: "on", onclick: () => document.getElementById("doubts").scrollIntoView() }, `${say("doubts")} (${many})`)] : []);

function troubles() {
  const byHand = !kiosk && state?.view.game ? handButton(state.view) : null;
  return troubleLines({ online, health: state?.health, failure, demo: state?.demo }, byHand);
}

/** Show a few camera pictures a second, only while somebody looks. */
function camera() {
  const next = () => {
    const box = document.querySelector("#camera details");
    if (!box?.open) return;
    if (document.hidden) setTimeout(next, 1000);
    else box.querySelector("img").src = `/camera.jpg?${Date.now()}`;
  };
  const open = async ({ target }) => {
    if (!target.open) return;
    if (await mayLook()) next();
    else target.open = false;
  };
  return [h("details", { ontoggle: open }, h("summary", {}, say("camera")),
    h("img", { class: "preview", alt: say("camera.picture"), onload: () => setTimeout(next, 250), onerror: () => setTimeout(next, 2000) }))];
}

/** Announce what is new: the events since the last state, then whose turn it is. */
function announce(now) {
  const fresh = last ? now.events.filter((line) => line.id > last.newest) : [];
  const words = fresh.slice(-3).map((line) => eventName(now.view, line.event));
  const seat = awaited(now.view);
  if (seat && seat !== last?.turn) words.push(`${nameOf(now.view, seat)} ${awaitedFor(now.view)}`);
  if (words.length) {
    document.getElementById("said").textContent = words.join(". ");
    const taken = now.view.last_trick.at(-1)?.event > (last?.newest ?? 0);
    if (last) sound(now.view.doubts.length > last.doubts ? "asked" : taken ? "trick" : "turn", words);
  }
  last = { newest: now.events.at(-1)?.id ?? 0, turn: seat, doubts: now.view.doubts.length };
}

/** An open dialog covers everything, so show a refusal in it, too. */
function sayInDialog(words) {
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (!open) return;
  const line = h("p", { class: "refused", role: "alert" }, words);
  open.querySelector(":scope > .refused")?.remove();
  open.prepend(line);
  setTimeout(() => line.remove(), 8000);
}

function failed(why) {
  failure = why;
  draw();
  sayInDialog(say("failed", { why: told(why) }));
  setTimeout(() => {
    failure = null;
    draw();
  }, 8000);
}

document.getElementById("language").addEventListener("click", async () => {
  if (!(await speak(other()))) {
    failed(UNANSWERED);
    return;
  }
  choose("language", spoken());
  forget();
  draw();
  if (state && (await renewSheet(state, draw))) draw();
});

// A dialog returns the focus to the element that opened it; if that is gone (a settled doubt), focus the questions.
document.addEventListener("close", ({ target }) => {
  const at = document.activeElement; // browsers notice only later that a closed element has lost the focus
  if (at === document.body || target.contains(at)) document.getElementById("side").focus({ preventScroll: true });
}, true);

await speak(firstLanguage());
draw();
if (kiosk) {
  stayAwake();
  watchIdle(Number(asked.get("idle")), draw);
}
follow(
  async (now) => {
    if (!chosenLanguage() && now.language !== spoken()) {
      if (await speak(now.language)) forget();
    }
    if (state && state.game !== now.game) last = null;
    state = now;
    heard(now);
    if (useFaces(now.faces)) forget();
    draw();
    announce(now);
    const news = await Promise.all([renew(now), renewSheet(now, draw)]);
    if (news.some(Boolean) && state === now) draw();
  },
  (up) => {
    if (up !== online) {
      online = up;
      draw();
    }
  },
  failed,
  (consequences) => agree(state.view, consequences),
);
