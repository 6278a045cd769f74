// If the page is open to the network, the journal's games are for the host: asking for them requires the PIN.

import { askPin } from "./pin.js";

/** The table's answer; null if it gives none, and `{code}` of the refusal if nobody gave the PIN. */
export async function fetchKept(path) {
  try {
    const answer = await fetch(path);
    if (answer.status === 403) return (await askPin()) ? await fetchKept(path) : { code: "pin.needed" };
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
