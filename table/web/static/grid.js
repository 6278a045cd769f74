// Cards to tap: a row for each colour or suit, in the game's own order.

import { card, shape } from "./cards.js";
import { h } from "./dom.js";
import { colourName, say } from "./words.js";

/** The cards for which `show(name, left)` returns attributes of a button; `left` of them were not seen yet. */
export function cardGrid(view, show, group = "") {
  const rows = new Map();
  for (const [name, many] of Object.entries(view.pack)) {
    const left = many - (view.seen[name] ?? 0);
    const more = show(name, left);
    const kind = name.includes("-") ? name.split("-")[0] : name[0];
    if (more) rows.set(kind, [...(rows.get(kind) ?? []), [name, left, more]]);
  }
  return [...rows].map(([kind, cards]) => h("div", { key: `${group}${kind}`, class: "cards", role: "group", "aria-label": colourName(kind) }, shape(kind),
    cards.map(([name, left, more]) => h("button", { key: name, type: "button", class: "one", ...more },
      card(name), left > 1 && h("small", { "aria-hidden": true }, `×${left}`)))));
}

/** The same with the cards that the rules surely allow first; the others need a hand without a card that it must lay. */
export function legalGrid(view, sure, show) {
  const first = new Set(sure);
  const fitting = first.size ? cardGrid(view, (name, left) => first.has(name) && show(name, left), "sure ") : [];
  const others = cardGrid(view, (name, left) => !first.has(name) && show(name, left));
  if (!fitting.length || !others.length) return [...fitting, ...others];
  return [h("h3", { key: "sure", class: "fits" }, say("cards.sure")), ...fitting, h("h3", { key: "assumed" }, say("cards.assumed")), ...others];
}
