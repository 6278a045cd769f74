// The setup steps' requests to the table, and the picture that two of them show.

import { h } from "./dom.js";
import { askPin } from "./pin.js";
import { say, UNANSWERED } from "./words.js";

let letBe = false; // somebody closed the PIN's dialog: the requests of every second must not open it again

/** Allow asking for the PIN again when it is needed. */
export const mayAskPin = () => {
  letBe = false;
};

/** The table's answer; a refusal has `error`, as has a missing answer. A request with a body is a wish. */
export async function askSetup(path, body) {
  const how = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, how);
    if (answer.status === 403 && !letBe) {
      if (await askPin()) return await askSetup(path, body);
      letBe = true;
    }
    return await answer.json();
  } catch {
    return { error: true, ...UNANSWERED };
  }
}

/** The camera's picture, a few times a second while it is on the page. */
export function livePicture() {
  const next = ({ target }, wait) => setTimeout(() => {
    if (target.isConnected) target.src = `/camera.jpg?${Date.now()}`;
  }, wait);
  return h("img", { key: "live", class: "live", alt: say("camera.picture"), "data-first": "/camera.jpg",
    onload: (event) => {
      event.target.style.minHeight = "6rem"; // until then its space was reserved, so that nothing jumps under a finger
      next(event, 200);
    }, onerror: (event) => next(event, 1500) });
}

/** Start the live picture; a patched one keeps its current frame. */
export function wake() {
  const picture = document.querySelector("img.live:not([src])");
  if (picture) picture.src = `/camera.jpg?${Date.now()}`;
}

/** The doctor's verdicts in plain words, each with what to do. */
export const checkList = (checks) => h("ul", { class: "checks" }, checks.map(({ part, well, said, remedy }) =>
  h("li", { key: part, class: well === false ? "bad" : "well" },
    h("span", { class: "mark", "aria-hidden": "true" }, well === false ? "✗" : "✓"),
    h("span", {}, h("strong", {}, say(`setup.check.${part}.${well === false ? "bad" : "well"}`)), " ", h("small", {}, said),
      remedy && h("span", { class: "remedy" }, remedy)))));
