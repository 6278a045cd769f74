// Items too old for the state message: fetched by a tap, and again with every state while they are shown.

import { h } from "./dom.js";
import { fetchOlder } from "./table.js";

const STEP = 50;
const MOST = 200; // most lines that the table returns at once
const shown = { events: none(), findings: none() };
let game = null;

function none() {
  return { wanted: 0, items: [], proof: {} };
}

/** The older items that were fetched, oldest first, without those in the message itself. */
export function older(state, what) {
  if (game !== state.game) {
    game = state.game;
    Object.assign(shown, { events: none(), findings: none() });
  }
  const { items } = shown[what];
  if (what === "findings") return items.slice(0, state.left_out.findings);
  const first = state.events[0]?.id ?? Infinity;
  return items.filter((line) => line.id < first);
}

/** The events that older findings point to. */
export const olderProof = () => shown.findings.proof;

/** A button for still older items; null if all are shown. */
export function moreButton(state, what, words, redrawn) {
  const missing = state.left_out[what] - older(state, what).length;
  if (missing <= 0) return null;
  return h("button", {
    key: "more",
    type: "button",
    class: "more",
    onclick: async () => {
      shown[what].wanted = older(state, what).length + STEP;
      await renew(state);
      redrawn();
    },
  }, `${words} (${missing})`);
}

/** Fetch the older items on show again; true if there are any. */
export async function renew(state) {
  const asked = state.game;
  for (const [what, list] of Object.entries(shown)) {
    let before = what === "events" ? (state.events[0]?.id ?? state.newest + 1) : state.left_out.findings + 1;
    let items = [];
    let proof = {};
    let more = list.wanted > 0 && state.left_out[what] > 0;
    while (more && items.length < list.wanted) {
      const limit = Math.min(list.wanted - items.length, MOST);
      const said = await fetchOlder(`/api/${what}?before=${before}&limit=${limit}`);
      if (!said || game !== asked) return false;
      items = [...said[what], ...items];
      proof = { ...proof, ...said.proof };
      more = said.left_out > 0 && said[what].length > 0;
      before = what === "events" ? items[0].id : before - said[what].length;
    }
    Object.assign(list, { items, proof });
  }
  return shown.events.wanted + shown.findings.wanted > 0;
}
