// Past evenings (/history): which games were played, by whom and with what result; a tap on one replays it.
// Address: #3 is game 3 at its beginning, #3/17 its line 17.

import { choose, firstLanguage } from "./chosen.js";
import { forget, h, redraw } from "./dom.js";
import { takeAway } from "./picture.js";
import { fetchKept } from "./kept.js";
import { drawReplay, leaveReplay, openReplay } from "./replay.js";
import { pinButton } from "./pin.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { dates, isGuest, nameOf, other, say, sentence, signed, speak, spoken, title, told, UNANSWERED } from "./words.js";

const EVENING_GAP_S = 6 * 3600; // games further apart belong to two evenings

const place = (id) => document.getElementById(id);
let games = [];
let running = null;
let left = 0;
let trouble = null; // why something is not available

/** Fetch the games before those already shown; at first the newest. */
async function fetchGames() {
  const before = games.length ? `&before=${games.at(-1).game}` : "";
  const said = await fetchKept(`/api/history?limit=20${before}`);
  trouble = said?.games ? null : (said ?? { code: "history.unread" });
  if (trouble) return;
  games = [...games, ...said.games];
  ({ running, left_out: left } = said);
}

function draw() {
  redraw("language", [spoken()], () => [h("span", {}, say("language")), h("span", { "aria-hidden": true }, say("language.short"))]);
  place("back").textContent = say("seat.table");
  redraw("troubles", [trouble, spoken()], () => (trouble ? [h("p", { class: "bad" }, [sentence(told(trouble)), " ", pinButton(trouble, again)].filter(Boolean))] : []));
  const [asked, event] = location.hash.slice(1).split("/").map(Number);
  const game = trouble?.code === "pin.needed" ? 0 : asked; // it would only ask for the PIN again
  document.body.classList.toggle("replaying", game > 0);
  if (game > 0) title(say("history.replay", { n: game }));
  if (game > 0) openReplay(game, event || null, games.find((one) => one.game === game), missed);
  else {
    leaveReplay();
    title(say("history.title"));
    redraw("game", ["history", spoken()], () => [say("history.title")]);
    redraw("list", [games, running, left, Boolean(trouble), spoken()], list);
  }
}

/** Try again at the request of somebody who had closed the PIN's dialog. */
async function again() {
  await fetchGames();
  draw();
}

/** Go back to the list if a game is not available. */
function missed(why) {
  trouble = why;
  location.replace("#");
}

function list() {
  if (!games.length) return trouble ? [] : [h("p", { class: "waiting" }, say("history.none"))];
  return [
    ...evenings().map((evening) => h("article", { key: evening[0].game, class: "evening" },
      h("h2", {}, day(evening.at(-1).began)), h("ul", {}, evening.map(row)))),
    left > 0 && h("button", { key: "more", type: "button", class: "more", onclick: again }, say("history.more", { n: left })),
    players(),
  ];
}

/** The games by evenings, newest first. After a clock was set back, consecutive games may be far apart. */
function evenings() {
  const found = [];
  for (const game of games) {
    const last = found.at(-1)?.at(-1);
    if (last && Math.abs(last.began - game.ended) < EVENING_GAP_S) found.at(-1).push(game);
    else found.push([game]);
  }
  return found;
}

const day = (wall) => new Date(1000 * wall).toLocaleDateString(dates(), { dateStyle: "full" });
const zone = (wall) => new Date(1000 * wall).getTimezoneOffset();
const clock = (wall, how = { timeStyle: "short" }) => new Date(1000 * wall).toLocaleTimeString(dates(), how);

/** From when to when a game went; only the end if the clock was set back, with time zones if they changed. */
function span({ began, ended }) {
  if (ended < began) return clock(ended);
  const how = zone(began) === zone(ended) ? undefined : { hour: "numeric", minute: "2-digit", timeZoneName: "short" };
  return `${clock(began, how)}–${clock(ended, how)}`;
}

/** The name of whoever sits at a seat, as on the table's page. */
const called = (game, seat) => nameOf(game, seat);

/** The winners of a finished game; none if it goes on or was broken off. */
const winnersOf = (game) => (game.game === running && !game.over ? [] : game.winners);

function row(game) {
  const winners = winnersOf(game);
  return h("li", { key: game.game, class: "kept" },
    h("a", { href: `#${game.game}` },
      h("b", {}, game.title || say("title")), h("small", {}, ` ${span(game)} · ${say("history.rounds", { n: game.rounds })}`),
      game.game === running && !game.over && h("span", { class: "tag on" }, say("history.running")),
      game.open > 0 && h("span", { class: "tag" }, say("history.open", { n: game.open }))),
    h("p", {}, game.seats.map((seat) => h("span", { key: seat, class: winners.includes(seat) ? "won" : "" },
      `${called(game, seat)} `, h("b", {}, signed(game.points[seat] ?? 0)), winners.includes(seat) && ` ${say("winner")}`))),
    h("details", {}, h("summary", {}, say("sheet.open")), h("div", { class: "choices" }, takeAway(game.game === running ? "" : game.game))));
}

/** How often each person played and won, in the finished games shown; colours of dice are not names. */
function players() {
  const found = new Map();
  for (const game of games) {
    const { boxed, seats, players: names } = game;
    const winners = winnersOf(game);
    if (boxed || !winners.length) continue;
    seats.forEach((seat, i) => {
      const name = names[i] || seat;
      if (isGuest(name)) return; // an unnamed guest may be anybody
      const who = found.get(name.toLowerCase()) ?? { name, played: 0, won: 0 };
      found.set(name.toLowerCase(), { name: who.name, played: who.played + 1, won: who.won + (winners.includes(seat) ? 1 : 0) });
    });
  }
  if (!found.size) return null;
  const ordered = [...found.values()].sort((a, b) => b.won - a.won || b.played - a.played);
  return h("article", { key: "players", class: "evening" }, h("h2", {}, say("history.players")),
    h("table", {}, h("thead", {}, h("tr", {}, ["sheet.who", "history.played", "history.won"].map((key) => h("th", { scope: "col" }, say(key))))),
      h("tbody", {}, ordered.map(({ name, played, won }) => h("tr", { key: name }, h("th", { scope: "row" }, name), h("td", {}, played), h("td", {}, won))))));
}

place("language").onclick = async () => {
  if (!(await speak(other()))) {
    trouble = UNANSWERED;
    draw();
    return;
  }
  choose("language", spoken());
  forget();
  draw();
  drawReplay();
};
addEventListener("hashchange", () => {
  if (location.hash && trouble?.code !== "pin.needed") trouble = null; // another game is requested
  draw();
});
takeDoubleTapsForOne();
await speak(firstLanguage());
await fetchGames();
draw();
document.body.dataset.ready = "yes";
