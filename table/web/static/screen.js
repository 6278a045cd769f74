// Which kind of screen this is. A television (every landscape screen from 1280×800, and ?kiosk) has much larger type,
// no log and no camera picture; if it has a keyboard or touch, a drawer has them. The theme is that of ?theme=light|dark,
// otherwise the chosen one, otherwise the device's.

import { choose } from "./chosen.js";
import { say } from "./words.js";

const asked = new URLSearchParams(location.search);
const root = document.documentElement;
const LARGE = matchMedia("(orientation: landscape) and (min-width: 1280px) and (min-height: 800px)");
const LANDSCAPE = matchMedia("(orientation: landscape)");
const TALL = matchMedia("(orientation: portrait) and (min-width: 700px)"); // a kiosk mounted upright
const DARK = matchMedia("(prefers-color-scheme: dark)");
const OTHER = { dark: "light", light: "dark" };

/** Whether this page only shows (a television on the wall). */
export const kiosk = asked.has("kiosk");

const button = (id) => document.getElementById(id);
const theme = () => root.dataset.theme ?? (DARK.matches ? "dark" : "light");

/** Adapt the page to its screen, now and when the screen changes. */
export function fitScreen() {
  document.body.classList.toggle("kiosk", kiosk);
  const size = () => {
    const television = LARGE.matches || (kiosk && (LANDSCAPE.matches || TALL.matches));
    root.classList.toggle("tv", television);
    document.getElementById("phone").disabled = television; // a kiosk of 800×480 is as small as a phone
  };
  for (const query of [LARGE, LANDSCAPE, TALL]) query.addEventListener("change", size);
  size();
  DARK.addEventListener("change", nameButtons);
  button("theme").addEventListener("click", () => {
    root.dataset.theme = OTHER[theme()];
    choose("theme", root.dataset.theme);
    nameButtons();
  });
  button("drawer").addEventListener("click", () => {
    document.body.classList.toggle("drawn");
    nameButtons();
  });
}

/** Label the buttons in the current language. */
export function nameButtons() {
  button("theme").textContent = theme() === "dark" ? "☀" : "☾";
  name("theme", say(`theme.${OTHER[theme()]}`));
  button("drawer").textContent = "☰";
  name("drawer", say("drawer"));
  button("drawer").setAttribute("aria-expanded", document.body.classList.contains("drawn"));
}

function name(id, words) {
  button(id).title = words;
  button(id).setAttribute("aria-label", words);
}
