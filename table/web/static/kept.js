// What the journal keeps is the host's where the page is open to the network: whoever asks shows the PIN first.

import { askPin } from "./pin.js";

/** The table's answer as it is; null where it gives none, and `{code}` of what it needs where nobody gave the PIN. */
export async function fetchKept(path) {
  try {
    const answer = await fetch(path);
    if (answer.status === 403) return (await askPin()) ? await fetchKept(path) : { code: "pin.needed" };
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
