// Words for people: German by default, English when chosen. All texts stand in words/*.json.

const NAMES = ["de", "en"];
let words = {};
let language = "de";
let sentences = [];

/** Load a language; unknown ones mean German. */
export async function speak(wanted) {
  language = NAMES.includes(wanted) ? wanted : "de";
  words = await load(language);
  sentences = patterns(language === "en" ? words : await load("en"));
  document.documentElement.lang = language;
}

const load = async (name) => (await fetch(`/static/words/${name}.json`)).json();

// The house speaks English where it refuses something. The same dictionary knows its sentences by their pattern.
function patterns(english) {
  return Object.entries(english).filter(([key]) => key.startsWith("error.")).map(([key, sentence]) => {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const text = sentence.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "(.*?)");
    return { key, names, pattern: new RegExp(`^${text}\\.?$`, "s") };
  });
}

/** A sentence of the house in the language spoken now; one that has no translation stays as it is. */
export function told(sentence) {
  for (const { key, names, pattern } of sentences) {
    const found = pattern.exec(sentence);
    // What fills a place may be a list of sentences itself: what was lost of a damaged file.
    const part = (text) => (told(text) === text ? text.split(", ").map(told).join(", ") : told(text));
    if (found) return say(key, Object.fromEntries(names.map((name, i) => [name, part(found[i + 1])])));
  }
  return sentence;
}

/** The language spoken now, and the other one. */
export const spoken = () => language;
export const other = () => (language === "de" ? "en" : "de");

/** Text for a key, with {places} filled; a key without text is shown as it is, rather than nothing. */
export function say(key, places = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? "?");
}

/** Whether there is a text for this key. */
export const known = (key) => key in words;

/** A card's name for people: `green-11`, `CQ`, or any other word as it is. */
export function cardName(card) {
  if (!card) return say("card.unsure");
  const [colour, value] = card.split("-");
  if (value && known(`colour.${colour}`)) return `${say(`colour.${colour}`)} ${value}`;
  if (card.length === 2 && known(`suit.${card[0]}`)) {
    return `${say(`suit.${card[0]}`)} ${known(`rank.${card[1]}`) ? say(`rank.${card[1]}`) : card[1]}`;
  }
  return card;
}

/** A colour or suit for people. */
export function colourName(colour) {
  if (known(`colour.${colour}`)) return say(`colour.${colour}`);
  return known(`suit.${colour}`) ? say(`suit.${colour}`) : (colour ?? "?");
}

/** The person on a seat. */
export function nameOf(view, seat) {
  if (!seat) return say("nobody");
  const name = printed(view.players[view.seats.indexOf(seat)] ?? "") || seat;
  if (view.boxed) return colourName(name); // there people are called after their dice
  const twins = view.players.filter((other) => printed(other).toLowerCase() === name.toLowerCase());
  return twins.length > 1 ? `${name} (${seat})` : name; // two of one name are told apart by their seats
}

/** A name without the invisible characters that turn a line of text round. */
const printed = (name) => name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();

/** Points with sign and word. */
export function points(n) {
  return say(Math.abs(n) === 1 ? "points.1" : "points", { n: signed(n) });
}

/** A number with a real minus. */
export const signed = (n) => (n < 0 ? `−${-n}` : `${n}`);

/** What somebody said. */
export function spokenWords(what) {
  if (known(`say.${what}`)) return say(`say.${what}`);
  const [word, of] = (what ?? "").split(":");
  if (word === "pflichtsolo") return say("say.pflichtsolo", { solo: say(`say.solo:${of}`) });
  return of ? say(`say.${word}`, { colour: colourName(of), card: cardName(of), n: of }) : (what ?? "?");
}

/** Which game is played, in words. */
export function contractName(contract) {
  if (known(`contract.${contract}`)) return say(`contract.${contract}`);
  return spokenWords(contract);
}

/** A die by colour and face. */
export const dieName = ({ colour, face }) => say("die.name", { colour: colour ? colourName(colour) : "?", face: face ?? "?" });

/** One event as a sentence. */
export function eventName(view, event) {
  if (!event) return say("event.never");
  const who = nameOf(view, event.seat ?? event.dealer ?? event.player);
  switch (event.kind) {
    case "card": case "turned":
      return say(`event.${event.kind}`, { who, card: cardName(event.card) });
    case "shown":
      return say("event.shown", { who, card: (event.cards ?? []).map(cardName).join(", ") });
    case "die": {
      const places = { colour: colourName(event.colour), value: event.value ?? "?" };
      return event.spot
        ? say("event.die", { ...places, spot: say(`character.${event.spot}`) })
        : say("event.die.loose", places);
    }
    case "say":
      return event.seat
        ? say("event.say", { who, what: spokenWords(event.what) })
        : say("event.say.open", { what: spokenWords(event.what) });
    case "throw": {
      const dice = (event.dice ?? []).filter((die) => die.where !== "outside").map(dieName).join(", ");
      const whose = view.seats[view.players.indexOf(event.player)] ?? event.player;
      if (event.after_gap && !event.player) return say("event.throw.unclaimed", { dice });
      return event.player === "all" ? say("event.throw.all", { dice }) : say("event.throw", { who: nameOf(view, whose), dice });
    }
    case "round":
      return event.dealer ? say("event.round", { who }) : say("event.round.open");
    case "game":
      return say("event.game", { game: event.game === view.game ? view.title : event.game });
    case "correction":
      return event.event
        ? say("event.correction", { of: event.of, what: eventName(view, event.event) })
        : say("event.correction.null", { of: event.of });
    default:
      return say(`event.${event.kind}`, { who });
  }
}
