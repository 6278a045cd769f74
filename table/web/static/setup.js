// Setting up (/setup): five steps with one sentence each, every one of which can be repeated alone later (/setup#lamps).
// Each step is a module: `draw()` returns its elements, `look()` queries the table again; while it `asks` for something, "next" is not the main button.

import { firstLanguage } from "./chosen.js";
import { h, patch } from "./dom.js";
import { pinButton } from "./pin.js";
import { askSetup, mayAskPin } from "./setup_table.js";
import { camera } from "./setup_camera.js";
import { deck } from "./setup_deck.js";
import { lamps } from "./setup_lamps.js";
import { place } from "./setup_place.js";
import { language } from "./setup_language.js";
import { takeDoubleTapsForOne } from "./taps.js";
import { say, sentence, speak, title, told } from "./words.js";

const STEPS = { language, camera, place, deck, lamps };
const NAMES = Object.keys(STEPS);
const LOOK_MS = 800;

const on = (id) => document.getElementById(id);

let now = null; // the progress of setting up
let said = null; // the table's last refusal
let unread = null; // why the progress is unknown
let shown = null;
let leaving = false;
let looking = null;

const wanted = () => (NAMES.includes(location.hash.slice(1)) ? location.hash.slice(1) : NAMES[0]);
const step = () => shown ?? wanted();

/** Send a wish; a refusal is shown above the step until the next wish. */
async function wish(body) {
  const answer = await askSetup("/api/setup/do", body);
  said = answer?.error ? answer : null;
  if (answer?.now) now = answer.now;
  draw();
  return answer;
}

async function look() {
  const answer = await askSetup("/api/setup");
  const well = answer && !answer.error;
  if (well) now = answer;
  unread = well ? null : (answer ?? { code: "doctor.unread" });
  await STEPS[step()].look?.(now, { wish, draw });
  draw();
}

/** Request again what was not done for lack of the PIN. */
async function withPin() {
  mayAskPin();
  said = null;
  await look();
}

function draw() {
  const name = step();
  title(`${say("setup.title")}, ${say(`setup.${name}.what`)}`);
  on("title").textContent = say("setup.title");
  on("back").textContent = say("setup.back");
  on("what").textContent = say("setup.step", { n: NAMES.indexOf(name) + 1, of: NAMES.length, what: say(`setup.${name}.what`) });
  const idle = now && STEPS[name].idle?.(now);
  on("why").textContent = idle ? "" : say(`setup.${name}.why`);
  patch(on("steps"), NAMES.map((each) => h("a", { href: `#${each}`, "aria-current": each === name ? "step" : null }, say(`setup.${each}.what`))));
  const why = said ?? unread;
  patch(on("troubles"), why ? [h("p", { class: "bad" }, [sentence(told(why)), " ", pinButton(why, withPin)].filter(Boolean))] : []);
  if (now) patch(on("step"), STEPS[name].draw(now, { wish, draw }));
  const next = NAMES[NAMES.indexOf(name) + 1];
  patch(on("on"), [h("a", { class: STEPS[name].asks && !idle ? "button" : "button on", href: next ? `#${next}` : "/" }, next ? say("setup.next", { what: say(`setup.${next}.what`) }) : say("setup.end"))]);
  document.body.dataset.step = now ? name : "";
}

/** Change to another step; the one before releases camera and lamps. A step begins before it is drawn, so that no tap is quicker. */
async function change() {
  if (leaving || shown === wanted()) return; // taps meanwhile lead once, to the last step tapped
  leaving = true;
  if (shown) await wish({ do: "leave" });
  leaving = false;
  shown = wanted();
  said = null;
  on("step").replaceChildren();
  const begun = STEPS[shown].begin?.({ wish, draw });
  draw();
  on("what").focus({ preventScroll: true });
  scrollTo(0, 0);
  await begun;
  await look();
}

async function follow() {
  clearTimeout(looking);
  if (!document.hidden) await look();
  looking = setTimeout(follow, LOOK_MS);
}

takeDoubleTapsForOne();
await speak(firstLanguage());
addEventListener("hashchange", change);
addEventListener("pagehide", () => navigator.sendBeacon("/api/setup/do", JSON.stringify({ do: "leave" })));
await change();
await follow();
