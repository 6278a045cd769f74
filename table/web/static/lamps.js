// What the lamps round the table mean, for who looks at a kiosk and does not know: one sign and one word each.

import { h } from "./dom.js";
import { say } from "./words.js";

const SIGNS = ["turn", "trump", "doubt", "finding", "character"];

/** The signs of the lamps that hang here and have something to say in this game; none while no lamp shines. */
export function lampSigns({ lamps = [], health, view }) {
  if (!view.game || health.board.what !== "fine") return [];
  const boxed = Boolean(view.box);
  const dark = { trump: boxed, finding: boxed, character: !view.characters.length };
  const shown = SIGNS.filter((sign) => lamps.includes(sign) && !dark[sign]);
  return shown.length ? [h("b", {}, say("setup.lamps.what")), ...shown.map((sign) => lamp(sign, boxed))] : [];
}

/** Of dice the one whose turn it is has his own colour. */
const lamp = (sign, boxed) => h("span", {}, h("i", { class: `lamp of-${boxed && sign === "turn" ? "die" : sign}`, "aria-hidden": true }), say(`lamps.${sign}`));
