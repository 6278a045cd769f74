// Step 2: whether the picture is sharp, bright and free of glare, and shows the whole table.

import { checkList, livePicture, askSetup, wake } from "./setup_table.js";
import { h } from "./dom.js";
import { say, spoken } from "./words.js";

let found = null;

export const camera = {
  begin() {
    found = null;
  },
  async look(now) {
    if (!now?.camera) return;
    const answer = await askSetup(`/api/setup/place?lang=${spoken()}`);
    found = answer.error ? null : answer;
    wake();
  },
  draw: () => [
    livePicture(),
    found ? checkList(found.checks) : h("p", { key: "none", class: "pale" }, say("setup.camera.none")),
  ],
};
