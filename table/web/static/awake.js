// Keeps a screen on the wall on. Browsers grant a wake lock to secure pages only, which a table's page in the house
// is not; instead, a moving picture of one pixel keeps most screens on.

let lock = null;
let film = null;

/** Keep this screen on, now and whenever the page becomes visible again. */
export function stayAwake() {
  document.addEventListener("visibilitychange", hold);
  hold();
}

async function hold() {
  if (document.hidden) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    document.documentElement.dataset.awake = "lock";
  } catch {
    if (!lock) play();
  }
}

function play() {
  if (film) return;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1, 1];
  const brush = canvas.getContext("2d");
  setInterval(() => {
    brush.fillStyle = brush.fillStyle === "#000000" ? "#010101" : "#000000";
    brush.fillRect(0, 0, 1, 1);
  }, 1000);
  film = document.createElement("video");
  Object.assign(film, { muted: true, playsInline: true, srcObject: canvas.captureStream(1), className: "unseen" });
  film.setAttribute("aria-hidden", "true");
  document.body.append(film);
  film.play().catch(() => {}); // refused before the first touch: then the screen stays on by itself, or not at all
  document.documentElement.dataset.awake = "film";
}
