// Words for people: German, English or Pfälzisch, chosen for each screen. All texts are in the catalogue of the house
// (table/catalogue), which the house itself uses, too.

document.getElementById("unstarted")?.remove(); // all scripts could be read: unstarted.js need not show its message

export const NAMES = ["de", "en", "pfl"];
const PARTS = ["page", "refusals"];
let words = {};
let language = "de";

/** Switch to a language; an unknown one means German. False if its words cannot be loaded: the old language stays. */
export async function speak(wanted) {
  const name = NAMES.includes(wanted) ? wanted : "de";
  try {
    words = Object.assign({}, ...await Promise.all(PARTS.map((part) => load(name, part))));
  } catch {
    return false;
  }
  language = name;
  document.documentElement.lang = name;
  return true;
}

/** Load the words of a part; a page without any words retries until they are there. */
async function load(name, part) {
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    try {
      const answer = await fetch(`/static/words/${name}/${part}.json`);
      if (answer.ok) return await answer.json();
      throw new Error(answer.statusText);
    } catch (wrong) {
      if (Object.keys(words).length) throw wrong;
    }
    await new Promise((go) => setTimeout(go, pause));
  }
}

/** A fact `{code, args}` of the house in the current language; an argument may be another fact, or a list. */
export function told(fact) {
  if (Array.isArray(fact)) return fact.map(told).join(", ");
  if (fact?.code === undefined) return typeof fact === "number" && !Number.isInteger(fact) ? fact.toLocaleString(dates()) : `${fact}`;
  return say(fact.code, Object.fromEntries(Object.entries(fact.args ?? {}).map(([name, value]) => [name, inSentence(value)])));
}

/** An argument in its sentence; it may be a person's name. */
const inSentence = (value) => (typeof value === "string" ? alone(value) : told(value));

/** The table did not answer at all. */
export const UNANSWERED = { code: "begin.unread" };

/** The current language, and the one that the button switches to. */
export const spoken = () => language;
export const other = () => NAMES[(NAMES.indexOf(language) + 1) % NAMES.length];

/** The locale for dates: no browser knows Pfälzisch. */
export const dates = () => (language === "pfl" ? "de" : language);

/** Text for a key, with {places} filled in; a key without a text is shown itself, rather than nothing. */
export function say(key, places = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? "?");
}

/** Capitalise words that stand by themselves; in the catalogue they begin in lower case, as after a colon. */
export const sentence = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/** Set the page's title, for its tab and the browser's history; `what` is already in the current language. */
export function title(what = "") {
  document.title = what ? say("title.of", { what }) : say("title");
}

/** Whether there is a text for this key. */
export const known = (key) => key in words;

/** A card's name for people: for `green-11`, `CQ`; any other word stays as it is. */
export function cardName(card) {
  if (!card) return say("card.unsure");
  const [colour, value] = card.split("-");
  if (value && known(`colour.${colour}`)) return `${say(`colour.${colour}`)} ${value}`;
  if (card.length === 2 && known(`suit.${card[0]}`)) {
    const rank = known(`rank.${card[1]}`) ? say(`rank.${card[1]}`) : card[1];
    return say("card.name", { suit: say(`suit.of.${card[0]}`), rank });
  }
  return card;
}

/** The name of a colour or suit for people. */
export function colourName(colour) {
  if (known(`colour.${colour}`)) return say(`colour.${colour}`);
  return known(`suit.${colour}`) ? say(`suit.${colour}`) : (colour ?? "?");
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name for use in a sentence: one written from right to left is isolated, so that it reorders nothing else. */
const alone = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Whether this is the house's name for a guest without one, in any language. */
export const isGuest = (name) => guestNumber(name) !== null;

const guestNumber = (name) => {
  for (const each of say("begin.guests", { n: "{n}" }).split("|")) {
    const [before, behind] = each.split("{n}");
    const n = name.slice(before.length, name.length - behind.length);
    if (name === `${before}${n}${behind}` && /^\d+$/.test(n)) return n;
  }
  return null;
};

/** A name; an unnamed guest is called by the language of this screen, not of the one that began the game. */
const spokenGuest = (name) => (isGuest(name) ? say("begin.guest", { n: guestNumber(name) }) : name);

/** The name of the person at a seat. */
export function nameOf(view, seat) {
  if (!seat) return say("nobody");
  const name = spokenGuest(printed(view.players[view.seats.indexOf(seat)] ?? "")) || seat;
  if (view.boxed) return colourName(name); // at the dice box people are called after their dice
  const twins = view.players.filter((other) => printed(other).toLowerCase() === name.toLowerCase());
  return twins.length > 1 ? `${alone(name)} (${seat})` : alone(name); // the seat distinguishes people of the same name
}

/** Whether the table asks the players before the first card, so that nobody plays yet. */
const asking = ({ phase, prompts }) => phase === "declare" && prompts.length > 0;

/** The seat that the table waits for: the one asked before the first card, then the one whose turn it is. */
export const awaited = (view) => (asking(view) ? view.prompts.find(({ seat }) => seat)?.seat ?? null : view.turn);

/** A state in which nobody is awaited: without a connection, whose turn it is is unknown. */
export const unawaited = (state) => ({ ...state, view: { ...state.view, turn: null, prompts: state.view.prompts.map((each) => ({ ...each, seat: null })) } });

/** The words after the name of the awaited player. */
export const awaitedFor = (view) => say(asking(view) ? "asked" : view.boxed ? "turn.throw" : "turn");

/** What is played, in words, once it is agreed. */
export const agreed = (view) => (view.contract && view.phase !== "idle" && !asking(view) ? contractName(view.contract) : null);

/** A name without invisible characters that change the direction of text. */
const printed = (name) => name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();

/** Points with sign and word. */
export function points(n) {
  return say(Math.abs(n) === 1 ? "points.1" : "points", { n: signed(n) });
}

/** A number with a proper minus sign. */
export const signed = (n) => (n < 0 ? `−${-n}` : `${n}`);

/** What somebody said, in words for people. */
export function spokenWords(what) {
  if (known(`say.${what}`)) return say(`say.${what}`);
  const [word, of] = (what ?? "").split(":");
  if (word === "pflichtsolo") return say("say.pflichtsolo", { solo: say(`say.solo:${of}`) });
  return of ? say(`say.${word}`, { colour: colourName(of), card: cardName(of), n: of }) : (what ?? "?");
}

/** Which contract is played, in words. */
export function contractName(contract) {
  if (known(`contract.${contract}`)) return say(`contract.${contract}`);
  return spokenWords(contract);
}

/** A die by colour and face. */
export const dieName = ({ colour, face }) => say("die.name", { colour: colour ? colourName(colour) : "?", face: face ?? "?" });

/** Where a die lies, in words: `2×`, `im Loch`, `Wette C`. */
export function zoneName(place) {
  if (place.startsWith("bet:")) return say("box.why.bet", { bet: place.slice(4) });
  return known(`throw.${place}`) ? say(`throw.${place}`) : place.replace("x", "×");
}

/** A die with the place where it counts: `Blau 3 (2×)`; with a question mark where that is not sure. */
function dieThere(die) {
  const { where, counts_as: zone, doubt = [] } = die;
  if (where === "outside") return `${colourName(die.colour)} ${say("throw.outside")}`;
  const at = where === "field" ? zone : where;
  const place = at && zoneName(at);
  return place ? `${dieName(die)} (${place}${doubt.includes("line") ? "?" : ""})` : dieName(die);
}

/** A throw as a sentence: the dice thrown, then those that only lie there. */
function throwName(view, { dice = [], player, after_gap: gap }) {
  const seen = (some) => some.map(dieThere).join(", ");
  const there = dice.filter(({ where }) => where !== "outside");
  if (gap && !player) return say("event.throw.unclaimed", { dice: seen(there) });
  if (player === "all") return say("event.throw.all", { dice: seen(dice) });
  const own = dice.filter(({ colour }) => [player, "white"].includes(colour));
  const others = there.filter((die) => !own.includes(die));
  const who = nameOf(view, view.seats[view.players.indexOf(player)] ?? player);
  if (!own.length || !others.length) return say("event.throw", { who, dice: seen(own.length ? own : there) });
  // Dice that only lie there are described briefly: with eight players they would fill a phone's screen.
  const still = others.map((die) => (die.where !== "field" || die.doubt?.includes("line") ? dieThere(die) : dieName(die)));
  return say("event.throw.lying", { who, dice: seen(own), others: still.join(", ") });
}

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
    case "throw":
      return throwName(view, event);
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
