// Step 3: where the table lies. Its tags show it; if they fail, people drag the corners. The lens can be measured, too.

import { askSetup, livePicture, wake } from "./setup_table.js";
import { h, svg } from "./dom.js";
import { say, spoken } from "./words.js";

const UNTOLD = [[0.15, 0.15], [0.85, 0.15], [0.85, 0.85], [0.15, 0.85]];
const STEP = 0.005; // share of the picture by which a key moves a corner

let found = null;
let dragged = null; // the corners while somebody moves them

/** The outline of the table over the picture, in shares of its sides. */
const outline = (corners) => svg("svg", { key: "outline", class: "outline", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
  corners.length ? svg("polygon", { points: corners.map((corner) => corner.join()).join(" ") }) : null);

const handles = (draw) => dragged.map(([x, y], at) => h("button", {
  key: `corner ${at}`, type: "button", class: "corner", "aria-label": say("setup.corner", { n: at + 1 }),
  style: { left: `${100 * x}%`, top: `${100 * y}%` },
  onpointerdown: (event) => event.target.setPointerCapture(event.pointerId),
  onpointermove: (event) => {
    if (!event.target.hasPointerCapture(event.pointerId)) return;
    const { left, top, width, height } = event.target.parentElement.getBoundingClientRect();
    move(at, [(event.clientX - left) / width, (event.clientY - top) / height], draw);
  },
  onkeydown: (event) => {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!by) return;
    event.preventDefault();
    move(at, [dragged[at][0] + by[0], dragged[at][1] + by[1]], draw);
  },
}, `${at + 1}`));

function move(at, corner, draw) {
  dragged[at] = corner.map((share) => Math.min(1, Math.max(0, share)));
  draw();
}

const button = (words, act, first) => h("button", { key: words, type: "button", class: first ? "on" : "", onclick: act }, words);

/** How well the table was found, and what to do about it. */
function verdict({ measures }, { wish, draw }) {
  if (!found) return [h("p", { key: "none", class: "pale" }, say("setup.camera.none"))];
  if (dragged) {
    return [h("p", { key: "drag" }, say("setup.place.drag")), h("div", { key: "buttons", class: "choices" },
      button(say("setup.place.fits"), async () => {
        const { error } = await wish({ do: "corners", corners: dragged });
        if (!error) dragged = null;
        draw();
      }, true),
      button(say("close"), () => { dragged = null; draw(); }))];
  }
  const known = found.corners.length > 0;
  const seen = found.tags.length > 0;
  const said = seen ? say("setup.place.found", { n: found.tags.length, of: found.of, mm: mm(found.error_mm) })
    : say(known ? "setup.place.shown" : "setup.place.lost");
  return [h("p", { key: "said", class: known ? "well" : "bad" }, said),
    measures && h("div", { key: "buttons", class: "choices" },
      button(say("setup.place.by_hand"), () => { dragged = (known ? found.corners : UNTOLD).map((corner) => [...corner]); draw(); }, !known),
      found.by_hand && button(say("setup.place.tags"), () => wish({ do: "corners", corners: [] })))];
}

const mm = (value) => value.toLocaleString(spoken() === "en" ? "en" : "de", { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** Measuring the lens: a sheet held before the camera, one picture after another. */
function lens({ lens: measured, measures }, { wish, draw }) {
  if (!measures) return null;
  const { views, wanted, seen, error_mm: error, reached } = measured ?? {};
  const done = measured && error != null;
  const keep = async () => {
    kept = !(await wish({ do: "lens-keep" })).error;
    draw();
  };
  const anew = () => {
    kept = false;
    wish({ do: "lens" });
  };
  const hint = kept ? "setup.lens.kept" : !measured ? "setup.lens.why" : done ? "setup.lens.done" : seen ? "setup.lens.turn" : "setup.lens.hold";
  return h("details", { key: "lens", open: Boolean(measured) }, h("summary", {}, say("setup.lens")),
    h("p", { role: "status" }, say(hint, { n: views ?? 0, of: wanted ?? 0, mm: done ? mm(error) : "" })),
    done && !kept && !reached && h("p", { class: "bad" }, say("setup.lens.middle")),
    measured && !done && h("progress", { max: wanted, value: views, "aria-label": say("setup.lens") }),
    h("div", { class: "choices" },
      !done && !measured && button(say("setup.lens.go"), anew, true),
      done && !kept && button(say("setup.keep"), keep, true),
      measured && button(say("setup.lens.anew"), anew)));
}

let measuring = false;
let kept = false; // whether the measured lens is in the table file

export const place = {
  begin() {
    [found, dragged, kept] = [null, null, false];
  },
  async look(now, { wish }) {
    if (!now?.camera) return;
    if (!dragged) {
      const answer = await askSetup(`/api/setup/place?lang=${spoken()}`);
      found = answer.error ? null : answer;
    }
    wake();
    const { views, wanted, error_mm: error } = now?.lens ?? {};
    if (views && views === wanted && error == null && !measuring) {
      measuring = true;
      await wish({ do: "lens-measure" });
      measuring = false;
    }
  },
  draw: (now, doing) => [
    h("div", { key: "over", class: "over" }, livePicture(), outline(dragged ?? found?.corners ?? []), dragged && handles(doing.draw)),
    ...verdict(now, doing).filter(Boolean),
    lens(now, doing),
  ].filter(Boolean),
};
