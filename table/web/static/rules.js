// The house rules of the next game: a rule set, and every option with its sentence and a control for fingers.

import { chips, stepper } from "./controls.js";
import { h } from "./dom.js";
import { say, spoken } from "./words.js";

/** The choice of a rule set; null if there is only one. */
export function presetOf(plan, redraw) {
  if (plan.game.presets.length < 2) return null;
  return h("fieldset", {}, h("legend", {}, say("begin.preset")),
    chips("preset", plan.game.presets.map((preset) => [preset, preset.title]), plan.preset, (preset) => {
      plan.preset = preset;
      plan.options = {};
      redraw();
    }));
}

/** All options of the game; those that differ from the rule set are marked. */
export function rulesOf(plan) {
  const summary = h("summary", {});
  const list = h("ul", { class: "options" });
  const back = h("button", { type: "button", onclick: () => {
    plan.options = {};
    fill();
  } }, say("begin.rules.back"));
  const marks = new Map();
  const count = () => {
    const changed = Object.keys(plan.options).length;
    summary.textContent = changed ? say("begin.rules.changed", { n: changed }) : say("begin.rules");
    back.hidden = !changed;
    for (const [name, item] of marks) item.classList.toggle("changed", name in plan.options);
  };
  /** Choose a value; the rule set's own value is not sent. */
  const set = (option, value) => {
    const house = plan.preset.options[option.name];
    if (JSON.stringify(value) === JSON.stringify(house)) delete plan.options[option.name];
    else plan.options[option.name] = value;
    count();
  };
  const fill = () => {
    list.replaceChildren(...plan.game.options.map((option) => {
      const item = h("li", {}, ...FORMS[option.form](option, plan.options[option.name] ?? plan.preset.options[option.name], (value) => set(option, value)));
      marks.set(option.name, item);
      return item;
    }));
    count();
  };
  fill();
  return h("details", { class: "house" }, summary, back, list);
}

const words = (option) => option.words[spoken()];
const called = (option, choice) => option.called[spoken()][option.choices.indexOf(choice)] ?? `${choice}`;
const sentence = (option) => h("span", { class: "sentence" }, capital(words(option)), h("small", { "aria-hidden": true }, ` ${option.rule}`));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const FORMS = {
  switch: (option, value, set) => {
    const box = h("input", { type: "checkbox", checked: value === true, onchange: () => set(box.checked) });
    return [h("label", { class: "switch" }, box, sentence(option))];
  },
  one: (option, value, set) => [
    sentence(option), group(option, chips(`option-${option.name}`, option.choices.map((choice) => [choice, called(option, choice)]), value, set)),
  ],
  some: (option, value, set) => {
    let chosen = [...value];
    const all = h("div", { class: "chips" });
    const fill = () => all.replaceChildren(...[...chosen, ...option.choices.filter((each) => !chosen.includes(each))].map((choice) => {
      const at = chosen.indexOf(choice);
      return h("button", {
        type: "button", class: "some", "aria-pressed": `${at >= 0}`, onclick: () => {
          chosen = at >= 0 ? chosen.filter((other) => other !== choice) : [...chosen, choice];
          set(chosen);
          fill();
        },
      }, at >= 0 && h("b", {}, `${at + 1} `), called(option, choice));
    }));
    fill();
    return [sentence(option), group(option, all)];
  },
  number: (option, value, set) => {
    let now = value;
    return [sentence(option), stepper(words(option), () => `${now ?? "–"}`, (by) => {
      now = Math.min(option.most ?? Infinity, Math.max(option.most === null ? 1 : 0, (now ?? 0) + by));
      set(now);
    })];
  },
  table: (option, value, set) => {
    let now = { ...value };
    return [sentence(option), ...option.choices.map((name) => h("span", { class: "entry" }, h("span", {}, called(option, name)),
      stepper(called(option, name), () => `${now[name]}`, (by) => {
        now = { ...now, [name]: Math.max(0, now[name] + by) };
        set(now);
      })))];
  },
};

function group(option, element) {
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", words(option));
  return element;
}
