// Before a correction that would accuse somebody: shows whom of what, the effect on the score, and asks.

import { h } from "./dom.js";
import { findingName } from "./findings.js";
import { holdButton } from "./hold.js";
import { eventName, nameOf, say, signed } from "./words.js";

/** Show what would follow; true if the guest confirms it. */
export function agree(view, { findings, proof, before, after }) {
  const dialog = document.getElementById("consequences");
  if (dialog.open) dialog.close();
  return new Promise((answer) => {
    let agreed = false;
    const end = (yes) => {
      agreed = yes;
      dialog.close();
    };
    const moved = view.seats.filter((seat) => (before[seat] ?? 0) !== (after[seat] ?? 0));
    dialog.replaceChildren(h("form", { method: "dialog", onsubmit: (submit) => submit.preventDefault() },
      h("h2", { id: "agree-title" }, say("agree.title")),
      h("ul", { class: "findings" }, findings.map((found) => h("li", {}, findingName(view, found, proof),
        h("small", {}, [...new Set([found.about, found.event])].filter((id) => proof[id])
          .map((id) => eventName(view, proof[id])).join("; "))))),
      moved.length > 0 && h("p", {}, say("agree.points")),
      moved.length > 0 && h("ul", { class: "moved" }, moved.map((seat) => h("li", {},
        h("span", {}, nameOf(view, seat)), h("b", {}, `${signed(before[seat] ?? 0)} → ${signed(after[seat] ?? 0)}`)))),
      h("p", {}, say("agree.ask")),
      h("div", { class: "choices" },
        h("button", { type: "button", autofocus: true, class: "on", onclick: () => end(false) }, say("agree.no")),
        holdButton(say("agree.yes"), () => end(true)))));
    dialog.setAttribute("aria-labelledby", "agree-title");
    dialog.onclose = () => answer(agreed);
    dialog.showModal();
  });
}
