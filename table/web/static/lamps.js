// What the lamps around the table mean, for people in front of a kiosk: one sign and one word each.

import { h } from "./dom.js";
import { say } from "./words.js";

const SIGNS = ["turn", "trump", "doubt", "finding", "character"];

/** The signs of this table's lamps that mean something in this game; none while the lamps are off. */
export function lampSigns({ lamps = [], health, view }) {
  if (!view.game || health.board.what !== "fine") return [];
  const boxed = Boolean(view.box);
  const dark = { trump: boxed, finding: boxed, character: !view.characters.length };
  const shown = SIGNS.filter((sign) => lamps.includes(sign) && !dark[sign]);
  return shown.length ? [h("b", {}, say("setup.lamps.what")), ...shown.map((sign) => lamp(sign, boxed))] : [];
}

/** One sign; in dice games the turn lamp has the colour of the player's die. */
const lamp = (sign, boxed) => h("span", {}, h("i", { class: `lamp of-${boxed && sign === "turn" ? "die" : sign}`, "aria-hidden": true }), say(`lamps.${sign}`));
