// Everything that may be said in a game.

export const DUBBE = ["blue", "brown", "yellow", "green", "red"];
export const SUITS = ["C", "S", "H", "D"];
const SOLI = ["damen", "buben", "as", "trumpf", ...SUITS].map((kind) => `solo:${kind}`);
export const MARRIAGES = ["fehl", "trumpf", "fremd"].map((kind) => `hochzeit:${kind}`);
const PLAIN = ["CA", "CT", "SA", "ST", "HA"].map((card) => `ruf:${card}`); // Dulle, U-02
export const RESERVES = ["hochzeit", "armut", "schmeissen", ...SOLI];

/** Everything that may be said in a game. */
export function sayings(view) {
  const cards = Object.keys(view.pack);
  switch (view.game) {
    case "dubbe": return DUBBE.map((colour) => `trump:${colour}`);
    case "dulle": return [...PLAIN, "solo", "solodu", "stoss", "schneider", "schwarz"];
    case "doppelkopf": return ["re", "kontra", "k90", "k60", "k30", "schwarz", "schweinchen", "gesund", "vorbehalt",
      ...RESERVES, ...(view.preset === "club" ? MARRIAGES : []), "armut-nehmen",
      ...[0, 1, 2, 3].map((n) => `armut-zurueck:${n}`), ...SOLI.map((solo) => `pflicht${solo}`)];
    case "klapper-jas": return ["passe", "orgi", "kleines", "besser", ...SUITS.map((suit) => `farbe:${suit}`), "belle",
      "tausch", "kontra", "re", ...["terz", "halber"].flatMap((meld) => cards.map((card) => `${meld}:${card}`))];
    case "doppelx": return view.players.map((colour) => `spinner:${colour}`);
    default: return [];
  }
}
