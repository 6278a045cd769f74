// A chime and a voice, both off by default. They are switched on in the dialog that begins a game, or by ?chime and
// ?speak in the address of a screen that nobody touches.

import { keep, kept } from "./chosen.js";
import { h } from "./dom.js";
import { say, spoken } from "./words.js";

const asked = new URLSearchParams(location.search);
const VOICES = { de: "de-DE", en: "en-GB", pfl: "de-DE" };
const NOTES = { turn: [660, 880], trick: [523, 659, 784], asked: [880, 660, 880] }; // in Hz, one after the other
const NOTE_S = 0.13;
let instrument = null;

const wanted = (what) => asked.has(what) || kept(what) === "on";

/** Play the chime of what has just happened (`turn`, `trick`, `asked`) and speak the words, if switched on. */
export function sound(what, words) {
  if (wanted("chime")) chime(what);
  if (wanted("speak") && words.length && globalThis.speechSynthesis) {
    speechSynthesis.cancel(); // earlier words are outdated
    const said = new SpeechSynthesisUtterance(words.join(". "));
    said.lang = VOICES[spoken()];
    speechSynthesis.speak(said);
  }
}

function chime(what) {
  instrument ??= new AudioContext();
  if (instrument.state === "suspended") instrument.resume(); // browsers wait for a touch first
  NOTES[what].forEach((pitch, i) => {
    const from = instrument.currentTime + i * NOTE_S;
    const note = new OscillatorNode(instrument, { type: "sine", frequency: pitch });
    const loud = new GainNode(instrument, { gain: 0 });
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.16, from + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.001, from + 2.5 * NOTE_S);
    note.connect(loud).connect(instrument.destination);
    note.start(from);
    note.stop(from + 2.5 * NOTE_S);
  });
}

/** Two switches for this screen. */
export const soundSwitches = () => h("p", { class: "house sounds" }, ["chime", "speak"].map((what) =>
  h("label", { class: "switch" },
    h("input", {
      type: "checkbox", checked: wanted(what), onchange: ({ target }) => {
        keep(what, target.checked ? "on" : "off");
        if (target.checked) sound("turn", [say(`sound.${what}`)]);
      },
    }), h("span", {}, say(`sound.${what}`)))));
