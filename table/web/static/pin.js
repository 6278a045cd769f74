// Asks for the host's PIN when the table says that it needs one.

import { h } from "./dom.js";
import { say, sentence, told, UNANSWERED } from "./words.js";

const DIGITS = 6;

let asked = null;

/** Ask for the PIN; true once the table has accepted it, false if somebody closed the dialog. Further callers
 *  meanwhile wait for the same answer. */
export function askPin() {
  asked ??= ask().finally(() => {
    asked = null;
  });
  return asked;
}

function ask() {
  const dialog = document.getElementById("pin");
  return new Promise((answer) => {
    let typed = "";
    let busy = false;
    let right = false;
    const shown = h("output", { class: "typed" });
    const trouble = h("p", { class: "bad", role: "alert" });
    const show = () => {
      shown.textContent = "●".repeat(typed.length) + "○".repeat(DIGITS - typed.length);
      shown.setAttribute("aria-label", say("pin.typed", { n: typed.length, of: DIGITS }));
    };
    const add = async (digit) => {
      if (busy || typed.length >= DIGITS) return;
      trouble.textContent = "";
      typed += digit;
      show();
      if (typed.length < DIGITS) return;
      busy = true;
      const why = await send(typed);
      busy = false;
      typed = "";
      show();
      if (why) trouble.textContent = sentence(told(why));
      else {
        right = true;
        dialog.close();
      }
    };
    const back = () => {
      if (!busy) typed = typed.slice(0, -1);
      show();
    };
    const key = (digit) => h("button", { type: "button", onclick: () => add(digit) }, digit);
    dialog.replaceChildren(h("form", { method: "dialog", onsubmit: (submit) => submit.preventDefault() },
      h("h2", { id: "pin-title" }, say("pin.title")),
      h("p", { class: "pale" }, say("pin.why")),
      shown, trouble,
      h("div", { class: "pad" }, [..."123456789"].map(key),
        h("button", { type: "button", onclick: () => dialog.close() }, say("close")), key("0"),
        h("button", { type: "button", "aria-label": say("pin.back"), onclick: back }, "⌫"))));
    show();
    dialog.onkeydown = (pressed) => {
      if (/^[0-9]$/.test(pressed.key)) add(pressed.key);
      if (pressed.key === "Backspace") back();
    };
    dialog.onclose = () => answer(right);
    dialog.showModal();
  });
}

/** If something was not done for lack of the PIN: a button that asks again and then goes on. */
export const pinButton = (why, again) => why.code === "pin.needed"
  && h("button", { key: "pin", type: "button", onclick: again }, say("pin.ask"));

/** Send a PIN to the table; null if it is right, otherwise why not. */
async function send(pin) {
  try {
    const answer = await fetch("/api/pin", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ pin }),
    });
    if (answer.ok) return null;
    const said = await answer.json();
    return said.code ? said : UNANSWERED;
  } catch {
    return UNANSWERED;
  }
}
