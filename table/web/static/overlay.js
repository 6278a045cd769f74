// The overlay for streams (/overlay): score, turn, trump and the trick on a transparent background.
// Address: ?lang=en, ?theme=light or dark, ?trick=off leaves the cards to the camera's picture.

import { card, die, shape } from "./cards.js";
import { h, redraw } from "./dom.js";
import { follow } from "./table.js";
import { lies } from "./trick.js";
import { agreed, awaited, colourName, nameOf, say, signed, speak, spoken, title, unawaited } from "./words.js";

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (["light", "dark"].includes(theme)) document.documentElement.dataset.theme = theme;

let state = null;
let online = true;

function draw() {
  if (!state) return;
  const { view } = online ? state : unawaited(state);
  redraw("trick", [view.trick, view.last_trick, lies(state), view.box, spoken()], () => (asked.get("trick") === "off" ? [] : fallen(state)));
  redraw("bar", [view.game, view.seats, view.players, view.points, view.augen, awaited(view), view.dealer, view.winners, view.trump, agreed(view), online, spoken()], () =>
    (view.game ? [!online && h("p", { key: "offline", class: "gone" }, say("offline")), h("p", { key: "game", class: "what" }, h("b", {}, view.title), trump(view)), h("ul", {}, view.seats.map((seat) => player(view, seat)))] : []));
}

function fallen(state) {
  const { view } = state;
  if (view.box) {
    return view.box.dice.map((each, i) => h("figure", { key: i }, die(each.colour ?? "unsure", each.face ?? "?"),
      h("figcaption", {}, each.points > 0 ? `+${each.points}` : signed(each.points))));
  }
  const whole = lies(state);
  return (whole ? view.last_trick : view.trick).map((played) =>
    h("figure", { key: played.event, class: whole && played.seat === view.last_winner ? "won" : "" }, card(played.card), h("figcaption", {}, nameOf(view, played.seat))));
}

function trump(view) {
  if (view.trump) return h("span", {}, shape(view.trump), ` ${say("trump")} ${colourName(view.trump)}`);
  return agreed(view) && h("span", {}, agreed(view));
}

function player(view, seat) {
  const augen = view.augen[seat];
  return h("li", { key: seat, class: `${awaited(view) === seat ? "turn" : ""} ${view.winners.includes(seat) ? "won" : ""}` },
    h("span", { class: "name" }, nameOf(view, seat)), h("b", {}, signed(view.points[seat] ?? 0)),
    augen !== undefined && h("small", {}, say("augen", { n: augen })));
}

await speak(asked.get("lang") ?? document.documentElement.lang);
follow(async (now) => {
  if (!asked.has("lang") && now.language !== spoken()) await speak(now.language);
  title(say("overlay.title"));
  state = now;
  draw();
}, (up) => {
  online = up;
  draw();
}, () => {}, async () => false);
