// The hub's page: asks every few seconds and draws anew what changed. No build, no library.
const FINE = ["fine", "none", "starting", "learning", "ended"];
const PARTS = { camera: "Kamera", sight: "Sicht", board: "Lampen", journal: "Journal" };
const chosen = { kind: null, league: "", player: null, name: "" };
const at = (id) => document.getElementById(id);

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
  const answer = await fetch(`api/${what}?${asked}`);
  if (!answer.ok) throw new Error(await answer.text());
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
    const who = (seat) => people?.[seat] ?? seat;
    const ill = Object.keys(PARTS).filter((part) => !FINE.includes(state[part]));
    const points = Object.entries(state.points).map(([seat, points]) =>
      make("p", { class: seat === state.turn ? "turn" : null }, `${seat === state.turn ? "▸ " : ""}${who(seat)}: ${points}`));
    const round = state.game ? `${title}, Runde ${state.round}` : "kein Spiel";
    return make("div", { class: online ? "table" : "table off" }, make("h3", {}, name),
      make("p", {}, online ? round : `aus, zuletzt ${round}`), ...points,
      ...ill.map((part) => make("p", { class: "ill" }, `${PARTS[part]}: ${state[part]}`)));
  });
  at("tables").replaceChildren(...(cards.length ? cards : [make("p", { class: "empty" }, "Noch kein Tisch hat sich gemeldet.")]));
}

function drawCourse(points) {
  if (points.length < 2) {
    at("course").replaceChildren(make("p", { class: "empty" }, chosen.player ? "Noch keine zwei gewerteten Spiele." : "Eine Zeile der Tabelle antippen."));
    return;
  }
  const values = points.map((point) => point.rating);
  const low = Math.min(...values), span = Math.max(Math.max(...values) - low, 1);
  const path = values.map((value, k) => `${k ? "L" : "M"}${(k / (values.length - 1)) * 100} ${95 - ((value - low) / span) * 90}`).join("");
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `Wertung von ${Math.round(values[0])} bis ${Math.round(values.at(-1))}`);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  picture.append(line);
  at("course").replaceChildren(picture, make("p", {}, `${Math.round(values[0])} → ${Math.round(values.at(-1))} in ${values.length} Spielen (${Math.round(low)} bis ${Math.round(low + span)})`));
}

async function drawKinds() {
  const kinds = await ask("kinds");
  chosen.kind ??= (kinds.find(({ boxed }) => !boxed) ?? kinds[0])?.kind ?? null;
  at("kinds").replaceChildren(...kinds.map(({ kind, title }) => make("button", {
    "aria-pressed": String(kind === chosen.kind),
    onclick: () => { Object.assign(chosen, { kind, player: null }); draw(); },
  }, title)));
  const leagues = (await ask("leagues")).map(({ name }) => name);
  at("league").replaceChildren(make("option", { value: "" }, "alle Tische"), ...leagues.map((name) => make("option", { value: name }, name)));
  at("league").value = chosen.league;
}

async function drawPeople() {
  const { kind, league, player } = chosen;
  const standings = kind ? await ask("standings", { kind, league }) : [];
  fill("standings", { words: 1, names: ["Name", "Wertung", "Spiele", "gewonnen", "Punkte", "Tische"] },
    standings.map((row) => ({
      cells: [make("button", { onclick: () => { Object.assign(chosen, { player: row.id, name: row.name }); draw(); } }, row.name),
        row.rating, row.games, row.won, row.points, row.tables],
      row: { class: row.id === player ? "chosen" : null },
    })), "Noch hat niemand eine Runde zu Ende gespielt.");
  at("who").textContent = player ? `Wertung: ${chosen.name}` : "Wertung";
  drawCourse(player ? await ask("course", { kind, player }) : []);
  if (!player) { at("against").replaceChildren(); return; }
  fill("against", { words: 1, names: ["gegen", "Spiele", "besser", "schlechter"] },
    (await ask("against", { kind, player })).map((row) => ({ cells: [row.name, row.games, row.won, row.lost] })), "Noch gegen niemanden.");
}

async function draw() {
  try {
    await drawKinds();
    const { connected, tables } = await ask("tables");
    drawTables(tables);
    await drawPeople();
    fill("evenings", { words: 4, names: ["Abend", "Tisch", "Spiel", "Punkte"] },
      (await ask("evenings", { league: chosen.league })).map((row) => ({
        cells: [row.evening, row.table, row.title, row.points.map((one) => `${one.name} ${one.points}`).join(", ")],
      })), "Noch kein Abend.");
    at("trouble").textContent = connected ? "" : "Der Hub erreicht den Broker nicht: Hier steht, was er zuletzt gehört hat.";
  } catch (wrong) {
    at("trouble").textContent = `Keine neuen Zahlen: ${wrong.message}`;
  }
}

at("league").onchange = () => { chosen.league = at("league").value; draw(); };
draw();
setInterval(draw, 3000);
