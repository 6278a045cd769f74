// The choices for this screen: language, theme and sounds. An address (?lang=en, ?theme=light) sets them for its tab and every page
// opened from there, a touch for good. The defaults are the language of the house and the theme of the device.

const asked = new URLSearchParams(location.search);
const house = document.documentElement.lang; // as the server sent the page
const THEMES = ["light", "dark"];

/** A storage of this browser; undefined or null if it has none. */
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
  } catch { /* full or disabled: the choice holds until the page is left */ }
}

const told = (key, what) => asked.get(key) ?? store("sessionStorage")?.getItem(what) ?? store("localStorage")?.getItem(what) ?? null;

/** What is stored under this name, from any evening. */
export const kept = (what) => store("localStorage")?.getItem(what) ?? null;

/** Store something for other evenings, too. */
export const keep = (what, value) => write("localStorage", what, value);

/** Store something for the pages of this tab, and read it again (null: none). */
export const keepForTab = (what, value) => write("sessionStorage", what, value);
export const forTab = (what) => store("sessionStorage")?.getItem(what) ?? null;

/** Choose a language or theme, for this tab and for later. */
export function choose(what, value) {
  write("sessionStorage", what, value);
  keep(what, value);
}

/** The language that was chosen on this screen; null: none. */
export const chosenLanguage = () => told("lang", "language");

/** The language in which a page opens. */
export const firstLanguage = () => chosenLanguage() ?? house;

for (const [key, what] of [["lang", "language"], ["theme", "theme"]]) if (asked.has(key)) write("sessionStorage", what, asked.get(key));
const theme = told("theme", "theme");
if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
