"""More ways to record a round badly: reordered, wrong and corrected, in blocks, cut off."""

from __future__ import annotations

from collections.abc import Callable

from table.rules.chance import Chance
from tests.rules.lines import (
    again,
    any_of,
    earlier,
    instead,
    later,
    of_kind,
    other_seat,
    put_right,
    seats_in,
    soon,
    taken_back,
    without,
)
from tests.rules.spoilt import Log, cards

Telling = Callable[[Log, Chance], Log | None]
"""Returns the log, badly recorded; None if the way does not apply to it."""
NEXT = {"kind": "round", "id": 9_900}
"""The next round begins: what this one lacks was missed."""


def _a_card(log: Log, chance: Chance) -> str:
    pack = sorted({log[at]["card"] for at in cards(log)})
    return pack[chance.below(len(pack))]


def _card_misread(log: Log, chance: Chance) -> Log:
    at = any_of(cards(log), chance)
    return put_right(log, at, soon(log, at, chance), card=_a_card(log, chance))


def _seat_misread(log: Log, chance: Chance) -> Log:
    at = any_of(cards(log), chance)
    return put_right(log, at, soon(log, at, chance), seat=other_seat(log, at, chance)[at]["seat"])


def _die_misread(log: Log, chance: Chance) -> Log | None:
    if not (places := of_kind(log, "die")):
        return None
    at = any_of(places, chance)
    return put_right(log, at, soon(log, at, chance), value=1 + chance.below(6))


def _die_read_again(log: Log, chance: Chance) -> Log | None:
    """A die is misread, taken back, and read again at once."""
    if not (places := of_kind(log, "die")):
        return None
    at = any_of(places, chance)
    wrong = {**log[at], "value": 1 + chance.below(6), "id": 9_300}
    return [*log[:at], wrong, taken_back(9_300), *log[at:]]


def _word_misheard(log: Log, chance: Chance) -> Log | None:
    if not (places := of_kind(log, "say")):
        return None
    at = any_of(places, chance)
    return put_right(log, at, soon(log, at, chance), seat=other_seat(log, at, chance)[at]["seat"])


def _turned_misread(log: Log, chance: Chance) -> Log | None:
    if not (places := of_kind(log, "turned")):
        return None
    return put_right(log, places[0], soon(log, places[0], chance, 12), card=_a_card(log, chance))


def _undone(log: Log, chance: Chance) -> Log:
    """Any line is taken back and recorded once more at once."""
    at = 2 + chance.below(len(log) - 2)
    return [*log[: at + 1], taken_back(log[at]["id"]), {**log[at], "id": 9_401}, *log[at + 1 :]]


def _unread(count: int, *, true: bool) -> Telling:
    """Some cards are unsure; with `true` the right one is among the candidates."""

    def tell(log: Log, chance: Chance) -> Log:
        for _ in range(count):
            at = any_of(cards(log), chance)
            right = log[at]["card"]
            names = {right if true else _a_card(log, chance), _a_card(log, chance)} - (
                set() if true else {right}
            )
            shares = [[name, 0.4] for name in sorted(names)]
            doubt = {"kind": "unsure", "seat": log[at]["seat"], "candidates": shares, "id": log[at]["id"]}
            log = [*log[:at], doubt, *log[at + 1 :]]
        return log

    return tell


def _at_once(log: Log, chance: Chance) -> Log:
    """Two cards that were played almost together are recorded in the wrong order, by a camera."""
    told = [
        instead(log, at, t=2.0 * at, source="camera")[at] if event["kind"] == "card" else event
        for at, event in enumerate(log)
    ]
    where = cards(log)
    which = chance.below(len(where) - 1)
    first, second = where[which], where[which + 1]
    return later(instead(told, first, t=told[second]["t"] + 0.1), first, second)


def _mouths_swapped(log: Log, chance: Chance) -> Log | None:
    """The words of two players are swapped."""
    says = of_kind(log, "say")
    pairs = [
        (one, two)
        for one in says
        for two in says
        if one < two and log[one]["seat"] != log[two]["seat"] and log[one]["what"] != log[two]["what"]
    ]
    if not pairs:
        return None
    one, two = pairs[chance.below(len(pairs))]
    return instead(instead(log, one, seat=log[two]["seat"]), two, seat=log[one]["seat"])


def _word_early(log: Log, chance: Chance) -> Log | None:
    places = [at for at in of_kind(log, "say") if at > 2]
    return earlier(log, at := any_of(places, chance), at - 1) if places else None


def _taking_late(log: Log, chance: Chance) -> Log | None:
    """The taking of a trick is recorded after one to six cards of the next tricks."""
    takings = [at for at in of_kind(log, "collected") if at < cards(log)[-1]]
    if not takings:
        return None
    at = any_of(takings, chance)
    return later(log, at, any_of([card for card in cards(log) if card > at][:6], chance))


def _early(kind: str) -> Telling:
    """A die or a taking is recorded one or two cards too early."""

    def tell(log: Log, chance: Chance) -> Log | None:
        places = [at for at in of_kind(log, kind) if at > cards(log)[0]]
        if not places:
            return None
        at = any_of(places, chance)
        return earlier(log, at, any_of([card for card in cards(log) if card < at][-2:], chance))

    return tell


def _half_gone(kind: str) -> Telling:
    def tell(log: Log, chance: Chance) -> Log | None:
        gone = {at for at in of_kind(log, kind) if chance.below(2)}
        return without(log, gone) if gone else None

    return tell


def _all_gone(kind: str) -> Telling:
    def tell(log: Log, _: Chance) -> Log | None:
        gone = set(of_kind(log, kind))
        return without(log, gone) if gone else None

    return tell


def _last_trick_gone(log: Log, _: Chance) -> Log:
    return log[: cards(log)[-len(seats_in(log))]]


def _last_cards_gone(log: Log, chance: Chance) -> Log:
    """Some of the last cards are missing; other lines about them are there."""
    return without(log, set(cards(log)[-1 - chance.below(2 * len(seats_in(log))) :]))


def _cut_off(log: Log, chance: Chance) -> Log:
    return log[: 3 + chance.below(len(log) - 3)]


def _cut_out(count: int) -> Telling:
    """A run of lines of any kind is missing; the next round begins."""

    def tell(log: Log, chance: Chance) -> Log:
        for _ in range(count):
            first = 2 + chance.below(max(1, len(log) - 8))
            log = [*log[:first], *log[first + 3 + chance.below(18) :]]
        return [*log, NEXT]

    return tell


def _block_twice(log: Log, chance: Chance) -> Log:
    """A restarted table records the last lines once more."""
    at = 4 + chance.below(len(log) - 4)
    begin = max(2, at - 1 - chance.below(8))
    return [*log[:at], *({**event, "id": 9_000 + n} for n, event in enumerate(log[begin:at])), *log[at:]]


def _round_twice(log: Log, chance: Chance) -> Log:
    """The line that begins the round is repeated, at once or before the first card."""
    return again(log, 1, 1 + chance.below(cards(log)[0] - 1))


def _round_in_the_middle(log: Log, chance: Chance) -> Log:
    """Somebody taps "next round" in the middle of a round, and the round goes on."""
    at = any_of(cards(log)[1:], chance)
    return [*log[:at], NEXT, *log[at:]]


def _turned_late(log: Log, chance: Chance) -> Log | None:
    places = of_kind(log, "turned")
    return later(log, places[0], soon(log, places[0], chance, 12)) if places else None


def _turned_twice(log: Log, chance: Chance) -> Log | None:
    places = of_kind(log, "turned")
    return again(log, places[0], soon(log, places[0], chance, 12)) if places else None


def _blind_bidding(log: Log, chance: Chance) -> Log:
    """Nothing is seen or heard from some point before the first card to some point after it."""
    begin = cards(log)[0]
    dark = {"kind": "blind", "t": 1.0, "until": 4.0, "why": "covered", "id": 9_000}
    return [*log[: 2 + chance.below(begin - 1)], dark, *log[begin + chance.below(3) :]]


MORE: dict[str, Telling] = {
    "card_misread": _card_misread,
    "seat_misread": _seat_misread,
    "die_misread": _die_misread,
    "die_read_again": _die_read_again,
    "word_misheard": _word_misheard,
    "turned_misread": _turned_misread,
    "undone": _undone,
    "unread_1": _unread(1, true=True),
    "unread_3": _unread(3, true=True),
    "unread_false": _unread(1, true=False),
    "unread_false_3": _unread(3, true=False),
    "at_once": _at_once,
    "mouths_swapped": _mouths_swapped,
    "word_early": _word_early,
    "taking_late": _taking_late,
    "taking_early": _early("collected"),
    "takings_gone": _all_gone("collected"),
    "die_early": _early("die"),
    "dice_gone": _half_gone("die"),
    "words_gone": _half_gone("say"),
    "turned_gone": _all_gone("turned"),
    "turned_late": _turned_late,
    "turned_twice": _turned_twice,
    "last_trick_gone": _last_trick_gone,
    "last_cards_gone": _last_cards_gone,
    "cut_off": _cut_off,
    "cut_out": _cut_out(1),
    "cut_out_twice": _cut_out(2),
    "block_twice": _block_twice,
    "round_twice": _round_twice,
    "round_in_the_middle": _round_in_the_middle,
    "blind_bidding": _blind_bidding,
}
