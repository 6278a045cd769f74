// Step 2: is the picture sharp, bright, free of glare, and is all of the table in it?

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
