// The doctor's page (/doctor), for the host: what is well, what needs attention, and what to do.

import { firstLanguage } from "./chosen.js";
import { h } from "./dom.js";
import { askPin } from "./pin.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { known, say, speak, spoken, title } from "./words.js";

const place = (id) => document.getElementById(id);

const MARKS = new Map([[true, "✓"], [false, "✗"], [null, "–"]]);
const WELL = new Map([[true, "well"], [false, "bad"], [null, "none"]]);

/** The table's answer; null if it gives none. */
async function fetchChecks() {
  try {
    const answer = await fetch(`/api/doctor?lang=${spoken()}`);
    if (answer.status === 403 && (await askPin())) return await fetchChecks();
    return answer.ok ? (await answer.json()).checks : null;
  } catch {
    return null;
  }
}

const partName = (part) => (known(`doctor.part.${part}`) ? say(`doctor.part.${part}`) : part);

async function look() {
  place("where").textContent = say("doctor.looking");
  place("again").disabled = true;
  const checks = await fetchChecks();
  place("again").disabled = false;
  place("where").textContent = "";
  place("troubles").replaceChildren(...(checks ? [] : [h("p", { class: "bad" }, say("doctor.unread"))]));
  if (!checks) return;
  const bad = checks.filter(({ well }) => well === false).length;
  place("where").textContent = bad ? say("doctor.some", { n: bad }) : say("doctor.well");
  place("checks").replaceChildren(...checks.map(({ part, well, said, remedy }) => h("tr", { class: WELL.get(well) },
    h("td", { class: "mark", role: "img", "aria-label": say(`doctor.${WELL.get(well)}.mark`) }, MARKS.get(well)),
    h("th", { scope: "row" }, partName(part)),
    h("td", {}, said, remedy && h("span", { class: "remedy" }, remedy)))));
  document.body.dataset.looked = "yes";
}

takeDoubleTapsForOne();
await speak(firstLanguage());
title(say("doctor.title"));
place("title").textContent = say("doctor.title");
place("again").textContent = say("doctor.again");
place("back").textContent = say("seat.table");
place("again").onclick = look;
await look();
