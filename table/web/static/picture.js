// The sheet to take away: on paper, as a picture, as files. The table draws the picture as SVG; it becomes a PNG here,
// because phones share PNGs but not SVGs.

import { h } from "./dom.js";
import { say, spoken, told, UNANSWERED } from "./words.js";

const SHARP = 2; // pixels per unit of the picture

/** Buttons for the sheet of a game; "" is the current one. */
export function takeAway(game) {
  const of = game ? `game=${game}&` : "";
  const file = (key, path) => h("a", { key, class: "button", href: path, download: "" }, say(`sheet.${key}`));
  return [
    h("button", { key: "picture", type: "button", onclick: ({ target }) => take(target, `/api/sheet.svg?${of}lang=${spoken()}`) }, say("sheet.picture")),
    file("csv", `/api/sheet.csv?${of}lang=${spoken()}`),
    file("json", game ? `/api/sheet?${of}lang=${spoken()}` : "/api/result"),
    file("text", `/api/sheet.txt?${of}lang=${spoken()}`),
  ];
}

async function take(button, path) {
  try {
    await savePicture(path);
  } catch {
    const line = h("p", { key: "untaken", class: "untaken", role: "alert" }, told(UNANSWERED));
    button.closest(".choices").after(line);
    setTimeout(() => line.remove(), 8000);
  }
}

/** Draw the picture and offer it for sharing if the device can, otherwise as a file. */
export async function savePicture(path) {
  const png = await drawn(path);
  const file = new File([png], "stammtisch.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (wrong) {
      if (wrong.code === DOMException.ABORT_ERR) return; // the user cancelled
    }
  }
  const link = h("a", { href: URL.createObjectURL(png), download: "stammtisch.png" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The picture as a PNG. */
export async function drawn(path) {
  const picture = new Image();
  picture.src = path;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SHARP * picture.naturalWidth, SHARP * picture.naturalHeight];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((take) => canvas.toBlob(take, "image/png"));
}
