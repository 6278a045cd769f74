// The table's settings (/settings), for the host: their values, the choices, and changes.

import { firstLanguage } from "./chosen.js";
import { h } from "./dom.js";
import { askPin } from "./pin.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { NAMES, say, speak, title, told } from "./words.js";

const place = (id) => document.getElementById(id);

const STEPS = ["language", "camera", "place", "deck", "lamps"]; // steps of /setup, each linked alone
const YES_NO = ["partial", "camera_picture"];
const NUMBERS = ["keep_pictures", "attract"];
const CHOSEN = { language: NAMES };

/** Send a request, with the PIN first if needed. Null if there is no answer. */
async function ask(path, body) {
  const how = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, how);
    if (answer.status === 403 && (await askPin())) return await ask(path, body);
    return { ok: answer.ok, said: await answer.json() };
  } catch {
    return null;
  }
}

const trouble = (text) => place("troubles").replaceChildren(...(text ? [h("p", { class: "bad" }, text)] : []));

/** The field of one setting: a select if its values are fixed, otherwise a text with suggestions. */
function field(key, value, offers) {
  const id = `set-${key}`;
  const chosen = YES_NO.includes(key) ? ["true", "false"] : CHOSEN[key];
  const now = value === null ? "" : String(value);
  const word = (each) => (YES_NO.includes(key) ? say(each === "true" ? "settings.yes" : "settings.no")
    : key === "language" ? say(`setup.language.${each}`) : each);
  const input = chosen
    ? h("select", { id, name: key }, ["", ...chosen].map((each) =>
      h("option", { value: each, selected: each === now || null }, each ? word(each) : say("settings.unset"))))
    : h("input", { id, name: key, value: now, list: offers ? `${id}-offers` : null, autocomplete: "off",
      inputmode: NUMBERS.includes(key) ? "numeric" : null, placeholder: say("settings.unset") });
  return h("tr", {},
    h("th", { scope: "row" }, h("label", { for: id }, say(`settings.${key}`))),
    h("td", {}, input, offers && h("datalist", { id: `${id}-offers` }, offers.map((each) => h("option", { value: each })))));
}

/** The value of a field, in the setting's own type. */
function wanted(key, text) {
  if (text === "") return null;
  if (YES_NO.includes(key)) return text === "true";
  return NUMBERS.includes(key) && /^\d+$/.test(text) ? Number(text) : text;
}

async function keep(event, settings) {
  event.preventDefault();
  trouble("");
  const set = {};
  for (const [key, value] of new FormData(place("settings"))) {
    const now = wanted(key, value.trim());
    if (now !== settings[key]) set[key] = now;
  }
  const answer = await ask("/api/set", { set });
  if (!answer) return trouble(say("doctor.unread"));
  if (!answer.ok) return trouble(told(answer.said));
  const { changed, starts_anew: anew } = answer.said;
  await show();
  place("where").textContent = say(!changed ? "settings.same" : anew ? "settings.anew" : "settings.later");
  document.body.dataset.kept = "yes";
}

async function show() {
  const answer = await ask("/api/settings");
  if (!answer?.ok) return trouble(answer ? told(answer.said) : say("doctor.unread"));
  const { file, settings, offers } = answer.said;
  if (!file) {
    place("settings").replaceChildren(h("p", { class: "pale" }, say("settings.none")));
    document.body.dataset.shown = "yes";
    return;
  }
  place("settings").replaceChildren(
    h("table", {}, Object.entries(settings).map(([key, value]) => field(key, value, offers[key]))),
    h("p", {}, h("button", { type: "submit" }, say("settings.keep"))));
  place("settings").onsubmit = (event) => keep(event, settings);
  document.body.dataset.shown = "yes";
}

takeDoubleTapsForOne();
await speak(firstLanguage());
title(say("settings.title"));
place("title").textContent = say("settings.title");
place("back").textContent = say("seat.table");
place("steps").replaceChildren(...STEPS.map((step) => h("li", {}, h("a", { class: "button", href: `/setup#${step}` }, say("settings.step", { what: say(`setup.${step}.what`) })))));
await show();
