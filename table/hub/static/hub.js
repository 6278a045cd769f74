// The hub's page: polls every few seconds and redraws what changed. No build, no library. Its words are in the catalogue
// (table/catalogue): ?lang=en for English, otherwise the browser's language, otherwise German.
const FINE = ["fine", "none", "starting", "learning", "ended"];
const AILING = ["camera", "sight", "board", "journal"];
const NAMES = ["de", "en", "pfl"];
const PARTS = ["hub", "house"];
const EVERY_MS = 3000;
const ANSWER_MS = 10000; // a network that is gone gives no error
const chosen = { kind: null, league: "", player: null, name: "" };
const at = (id) => document.getElementById(id);

const asked = new URLSearchParams(location.search).get("lang");
const language = [asked, ...navigator.languages.map((each) => each.split("-")[0])].find((each) => NAMES.includes(each)) ?? "de";
let words = null;

/** Text for a key, with {places} filled in. */
const say = (key, places = {}) => (words?.[key] ?? key).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? "?");

/** A number with a proper minus sign. */
const signed = (n) => (n < 0 ? `−${-n}` : `${n}`);

/** A player's name; the hub names guests in German, so translate that. */
const called = (name) => name.replace(/^Gast (\d+)$/, (_, n) => say("hub.guest", { n }));

/** Load the words of this language, and put them into the page. */
async function speak() {
  words = Object.assign({}, ...await Promise.all(PARTS.map(async (part) => {
    const answer = await fetch(`words/${language}/${part}.json`, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  })));
  document.documentElement.lang = language;
  document.title = say("hub.title");
  for (const place of document.querySelectorAll("[data-word]")) place.textContent = say(place.dataset.word);
  for (const place of document.querySelectorAll("[data-label]")) place.setAttribute("aria-label", say(place.dataset.label));
}

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value; else if (value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

async function ask(what, given = {}) {
  const asked = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== null && value !== ""));
  const answer = await fetch(`api/${what}?${asked}`, { signal: AbortSignal.timeout(ANSWER_MS) })
    .catch(() => { throw new Error(say("hub.silent")); });
  if (!answer.ok) throw new Error(answer.status === 503 ? say("hub.database") : await answer.text());
  return answer.json();
}

function fill(id, heads, rows, empty) {
  const word = (k) => (k < heads.words ? "word" : null);
  const head = make("tr", {}, ...heads.names.map((name, k) => make("th", { class: word(k), scope: "col" }, name)));
  const body = rows.map(({ cells, row = {} }) =>
    make("tr", row, ...cells.map((cell, k) => make("td", { class: word(k) }, cell ?? "–"))));
  const none = make("tr", {}, make("td", { class: "word empty", colspan: heads.names.length }, empty));
  at(id).replaceChildren(make("thead", {}, head), make("tbody", {}, ...(body.length ? body : [none])));
}

function drawTables(tables) {
  const cards = tables.map(({ name, online, state, people, title }) => {
    const who = (seat) => called(people?.[seat] ?? seat);
    const ill = AILING.filter((part) => !FINE.includes(state[part]));
    const points = Object.entries(state.points).map(([seat, points]) =>
      make("p", { class: seat === state.turn ? "turn" : null }, `${seat === state.turn ? "▸ " : ""}${who(seat)}: ${signed(points)}`));
    const round = state.game ? say("hub.round", { game: title, n: state.round }) : say("hub.round.none");
    return make("div", { class: online ? "table" : "table off" }, make("h3", {}, name),
      make("p", {}, online ? round : say("hub.off", { what: round })), ...points,
      ...ill.map((part) => make("p", { class: "ill" }, say("hub.ails", { part: say(`hub.part.${part}`), what: say(`checkup.state.${state[part]}`) }))));
  });
  at("tables").replaceChildren(...(cards.length ? cards : [make("p", { class: "empty" }, say("hub.tables.none"))]));
}

function drawCourse(points) {
  if (points.length < 2) {
    at("course").replaceChildren(make("p", { class: "empty" }, say(chosen.player ? "hub.rating.few" : "hub.rating.choose")));
    return;
  }
  const values = points.map((point) => point.rating);
  const low = Math.min(...values), span = Math.max(Math.max(...values) - low, 1);
  const [first, last] = [values[0], values.at(-1)].map(Math.round);
  const path = values.map((value, k) => `${k ? "L" : "M"}${(k / (values.length - 1)) * 100} ${95 - ((value - low) / span) * 90}`).join("");
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", say("hub.rating.course", { first, last }));
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  picture.append(line);
  at("course").replaceChildren(picture, make("p", {}, say("hub.rating.range", {
    first, last, n: values.length, low: Math.round(low), high: Math.round(low + span) })));
}

async function drawKinds() {
  const kinds = await ask("kinds");
  chosen.kind ??= (kinds.find(({ boxed }) => !boxed) ?? kinds[0])?.kind ?? null;
  at("kinds").replaceChildren(...kinds.map(({ kind, title }) => make("button", {
    "aria-pressed": String(kind === chosen.kind),
    onclick: () => { Object.assign(chosen, { kind, player: null }); draw(); },
  }, title)));
  const leagues = (await ask("leagues")).map(({ name }) => name);
  at("league").replaceChildren(make("option", { value: "" }, say("hub.league.all")), ...leagues.map((name) => make("option", { value: name }, name)));
  at("league").value = chosen.league;
}

async function drawPeople() {
  const { kind, league, player } = chosen;
  const standings = kind ? await ask("standings", { kind, league }) : [];
  fill("standings", { words: 1, names: ["name", "rating", "games", "won", "points", "tables"].map((each) => say(`hub.${each}`)) },
    standings.map((row) => ({
      cells: [make("button", { onclick: () => { Object.assign(chosen, { player: row.id, name: called(row.name) }); draw(); } }, called(row.name)),
        row.rating, row.games, row.won, signed(row.points), row.tables],
      row: { class: row.id === player ? "chosen" : null },
    })), say("hub.standings.none"));
  at("who").textContent = player ? say("hub.rating.of", { who: chosen.name }) : say("hub.rating");
  drawCourse(player ? await ask("course", { kind, player }) : []);
  if (!player) { at("against").replaceChildren(); return; }
  fill("against", { words: 1, names: ["against", "games", "better", "worse"].map((each) => say(`hub.${each}`)) },
    (await ask("against", { kind, player })).map((row) => ({ cells: [called(row.name), row.games, row.won, row.lost] })), say("hub.against.none"));
}

let heard = [];

/** Tables in their last known state, without the turn, which is unknown by now. */
const unawaited = (tables) => tables.map((each) => ({ ...each, state: { ...each.state, turn: null } }));
const silentOnes = (tables) => tables.map((each) => (each.online ? each : unawaited([each])[0]));

async function draw() {
  try {
    if (!words) await speak();
    await drawKinds();
    const { connected, tables } = await ask("tables");
    heard = tables;
    drawTables(connected ? silentOnes(tables) : unawaited(tables));
    await drawPeople();
    fill("evenings", { words: 4, names: ["evening", "table", "kinds", "points"].map((each) => say(`hub.${each}`)) },
      (await ask("evenings", { league: chosen.league })).map((row) => ({
        cells: [row.evening, row.table, row.title, row.points.map((one) => `${called(one.name)} ${signed(one.points)}`).join(", ")],
      })), say("hub.evenings.none"));
    at("trouble").textContent = connected ? "" : say("hub.broker");
  } catch (wrong) {
    if (heard.length) drawTables(unawaited(heard));
    at("trouble").textContent = words ? say("hub.stale", { why: wrong.message }) : wrong.message;
  }
}

at("league").onchange = () => { chosen.league = at("league").value; draw(); };

/** Poll again only after the answers of the last round, so that unanswered requests do not pile up. */
async function follow() {
  await draw();
  setTimeout(follow, EVERY_MS);
}

follow();
