// Step 1: the language of this screen and of the house.

import { choose } from "./chosen.js";
import { h } from "./dom.js";
import { chips } from "./controls.js";
import { askSetup } from "./setup_table.js";
import { NAMES, say, speak, spoken } from "./words.js";


export const language = {
  draw: (now, { draw }) => [h("div", { key: "languages" }, chips("language", NAMES.map((each) => [each, say(`setup.language.${each}`)]), spoken(), async (each) => {
    if (await speak(each)) choose("language", each);
    if (now.keeps) await askSetup("/api/set", { set: { language: each } });
    draw();
  }))],
};
