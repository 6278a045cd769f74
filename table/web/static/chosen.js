// What somebody chose for this screen: its language, theme and sounds. An address says it (?lang=en, ?theme=light) for its tab and every
// page opened from there, a touch says it for good. Else the house speaks its own language and the device has its own theme.

const asked = new URLSearchParams(location.search);
const house = document.documentElement.lang; // as the page came
const THEMES = ["light", "dark"];

/** A store of this browser, or nothing where it keeps none. */
function store(name) {
  try {
    return globalThis[name];
  } catch {
    return null;
  }
}

function write(name, what, value) {
  try {
    store(name)?.setItem(what, value);
  } catch { /* it is full, or keeps nothing: the choice holds until the page is left */ }
}

const told = (key, what) => asked.get(key) ?? store("sessionStorage")?.getItem(what) ?? store("localStorage")?.getItem(what) ?? null;

/** What is kept under this name, from whichever evening. */
export const kept = (what) => store("localStorage")?.getItem(what) ?? null;

/** Keep something for other evenings, too. */
export const keep = (what, value) => write("localStorage", what, value);

/** Keep something for the pages of this tab; what was kept so, or null. */
export const keepForTab = (what, value) => write("sessionStorage", what, value);
export const forTab = (what) => store("sessionStorage")?.getItem(what) ?? null;

/** Choose a language or theme, on this tab and for later. */
export function choose(what, value) {
  write("sessionStorage", what, value);
  keep(what, value);
}

/** The language that was chosen here; null: none. */
export const chosenLanguage = () => told("lang", "language");

/** The language in which a page begins. */
export const firstLanguage = () => chosenLanguage() ?? house;

for (const [key, what] of [["lang", "language"], ["theme", "theme"]]) if (asked.has(key)) write("sessionStorage", what, asked.get(key));
const theme = told("theme", "theme");
if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
