// Words for people: German, English or Pfälzisch, chosen for each screen. All texts stand in the catalogue of the
// house (table/catalogue), which the house itself tells in the same way.

document.getElementById("unstarted")?.remove(); // all scripts could be read: unstarted.js has nothing to say

export const NAMES = ["de", "en", "pfl"];
const PARTS = ["page", "refusals"];
let words = {};
let language = "de";

/** Speak a language; unknown ones mean German. False where its words cannot be had: the page goes on as it spoke. */
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

/** The words of a part; a page that has none yet has nothing to say, and asks until they are there. */
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

/** What the house says as `{code, args}`, in the language spoken now; an argument may be another such, or a list. */
export function told(fact) {
  if (Array.isArray(fact)) return fact.map(told).join(", ");
  if (fact?.code === undefined) return typeof fact === "number" && !Number.isInteger(fact) ? fact.toLocaleString(dates()) : `${fact}`;
  return say(fact.code, Object.fromEntries(Object.entries(fact.args ?? {}).map(([name, value]) => [name, inSentence(value)])));
}

/** An argument in its sentence: it may be the name of somebody. */
const inSentence = (value) => (typeof value === "string" ? alone(value) : told(value));

/** The table did not answer at all. */
export const UNANSWERED = { code: "begin.unread" };

/** The language spoken now, and the one that the button changes to. */
export const spoken = () => language;
export const other = () => NAMES[(NAMES.indexOf(language) + 1) % NAMES.length];

/** How dates are written: no browser knows how in Pfälzisch. */
export const dates = () => (language === "pfl" ? "de" : language);

/** Text for a key, with {places} filled; a key without text is shown as it is, rather than nothing. */
export function say(key, places = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, place) => places[place] ?? "?");
}

/** Words that stand by themselves, as a sentence begins; behind a colon or on a command line they begin small. */
export const sentence = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/** What the browser calls this page, on its tab and among the pages that it remembers; `what` is told already. */
export function title(what = "") {
  document.title = what ? say("title.of", { what }) : say("title");
}

/** Whether there is a text for this key. */
export const known = (key) => key in words;

/** A card's name for people: `green-11`, `CQ`, or any other word as it is. */
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

/** A colour or suit for people. */
export function colourName(colour) {
  if (known(`colour.${colour}`)) return say(`colour.${colour}`);
  return known(`suit.${colour}`) ? say(`suit.${colour}`) : (colour ?? "?");
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name as it stands in a sentence: one written from right to left turns nothing about it round. */
const alone = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** Whether this is what the house calls somebody who gave no name, in whichever language that was. */
export const isGuest = (name) => guestNumber(name) !== null;

const guestNumber = (name) => {
  for (const each of say("begin.guests", { n: "{n}" }).split("|")) {
    const [before, behind] = each.split("{n}");
    const n = name.slice(before.length, name.length - behind.length);
    if (name === `${before}${n}${behind}` && /^\d+$/.test(n)) return n;
  }
  return null;
};

/** A name; a guest without one is called as this screen speaks, not as the one did that began the game. */
const spokenGuest = (name) => (isGuest(name) ? say("begin.guest", { n: guestNumber(name) }) : name);

/** The person on a seat. */
export function nameOf(view, seat) {
  if (!seat) return say("nobody");
  const name = spokenGuest(printed(view.players[view.seats.indexOf(seat)] ?? "")) || seat;
  if (view.boxed) return colourName(name); // there people are called after their dice
  const twins = view.players.filter((other) => printed(other).toLowerCase() === name.toLowerCase());
  return twins.length > 1 ? `${alone(name)} (${seat})` : alone(name); // two of one name are told apart by their seats
}

/** Whether the table asks around before the first card: nobody plays yet, whoever leads. */
const asking = ({ phase, prompts }) => phase === "declare" && prompts.length > 0;

/** The seat for which the table waits: who is asked before the first card, then whose turn it is. */
export const awaited = (view) => (asking(view) ? view.prompts.find(({ seat }) => seat)?.seat ?? null : view.turn);

/** A state without anybody awaited: while no line tells it, nobody knows whose turn it is. */
export const unawaited = (state) => ({ ...state, view: { ...state.view, turn: null, prompts: state.view.prompts.map((each) => ({ ...each, seat: null })) } });

/** What is said behind the name of who is awaited. */
export const awaitedFor = (view) => say(asking(view) ? "asked" : view.boxed ? "turn.throw" : "turn");

/** What is played, in words, once that is agreed. */
export const agreed = (view) => (view.contract && view.phase !== "idle" && !asking(view) ? contractName(view.contract) : null);

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

/** A throw as a sentence: what was thrown, then what only lies there. */
function throwName(view, { dice = [], player, after_gap: gap }) {
  const seen = (some) => some.map(dieThere).join(", ");
  const there = dice.filter(({ where }) => where !== "outside");
  if (gap && !player) return say("event.throw.unclaimed", { dice: seen(there) });
  if (player === "all") return say("event.throw.all", { dice: seen(dice) });
  const own = dice.filter(({ colour }) => [player, "white"].includes(colour));
  const others = there.filter((die) => !own.includes(die));
  const who = nameOf(view, view.seats[view.players.indexOf(player)] ?? player);
  if (!own.length || !others.length) return say("event.throw", { who, dice: seen(own.length ? own : there) });
  // What only lies there is told shortly: with eight players it would fill a phone.
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
