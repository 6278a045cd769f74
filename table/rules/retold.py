"""A round with one of its words in another place or from another seat, or with one that nobody reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from table.rules.course import Edit
from table.rules.events import Event
from table.rules.readings import SURE, Row
from table.rules.view import Finding

OWN = frozenset({"late_declaration", "missing_declaration"})
"""Findings that hold whatever the others made of a late word: it is late, and was missing when due."""
OF_THE_GAME = frozenset({"G-I10", "K-51", "J-I6"})
"""Rules under which a late word would have decided what is played or who holds the turned card."""
BY_THE_GAME = frozenset({"missing_declaration", "revoke", "out_of_turn", "wrong_lead", "pile_card"})
"""Findings that depend on which game is played and by whom, or on who took up the turned card."""


class Retold(NamedTuple):
    """A round in which one word is different: `edit` says which and how."""

    edit: Edit
    rows: list[Row]
    speaker: str
    """The seat that, by the log, said the word."""


def first_card(rows: Sequence[Row]) -> int:
    """Return the index of the first card; `len(rows)` if there is none."""
    return next((at for at, (_, event, _) in enumerate(rows) if event.kind in ("card", "unsure")), len(rows))


def is_word(row: Row) -> bool:
    """Return whether a line is something said."""
    return row[1].kind == "say"


def earlier(rows: Sequence[Row], found: Sequence[Finding]) -> Iterator[Retold]:
    """Yield the round with a late word in each place where it may have been said in time.

    A word that decides the game is due before the first card; any other may have been said before its
    player's last card.
    """
    late = {one.event: one.rule for one in found if one.finding == "late_declaration"}
    begin = first_card(rows)
    for at, row in enumerate(rows):
        number, event, _ = row
        if number not in late or event.kind != "say" or event.seat is None:
            continue
        of_the_game = late[number] in OF_THE_GAME
        places = range(min(at, begin) + 1) if of_the_game else _cards_of(event.seat, rows[:at])[-1:]
        others = [*rows[:at], *rows[at + 1 :]]
        for place in places:
            if place != at:
                edit = Edit("earlier", number, event.seat, place)
                yield Retold(edit, [*others[:place], row, *others[place:]], event.seat)


def _cards_of(seat: str, rows: Sequence[Row]) -> list[int]:
    """Return the indices of a seat's cards."""
    return [at for at, (_, event, _) in enumerate(rows) if event.kind == "card" and event.seat == seat]


def other_seat(rows: Sequence[Row], seats: Sequence[str], found: Sequence[Finding]) -> Iterator[Retold]:
    """Yield the round with each word of the bidding said by each other player.

    The bidding may last until all have played their first card: until then the turned card may be taken up.
    """
    if all(one.finding not in BY_THE_GAME for one in found):
        return
    end = first_card(rows)
    if any(one.finding == "pile_card" for one in found):
        end += len(seats)
    for at, (number, event, trust) in enumerate(rows[:end]):
        if event.kind != "say" or event.seat is None:
            continue
        for seat in seats:
            if seat != event.seat:
                moved = (number, Event(event.kind, {**event.fields, "seat": seat}, event.id), trust)
                edit = Edit("said", number, seat)
                yield Retold(edit, [*rows[:at], moved, *rows[at + 1 :]], event.seat)


def more(
    rows: Sequence[Row], seats: Sequence[str], found: Sequence[Finding], words: Sequence[tuple[str, ...]]
) -> Iterator[Retold]:
    """Yield the round with each declaration that a player may have made and nobody reported."""
    others = {one.finding for one in found} - OWN
    if not words or not others or all(one.finding != "missing_declaration" for one in found):
        return
    begin = first_card(rows)
    for seat in seats:
        for which, said in enumerate(words):
            unheard = [
                (number, Event("say", {"seat": seat, "what": word}, number), SURE)
                for number, word in zip(range(-900, -900 + len(said)), said, strict=True)
            ]
            yield Retold(Edit("unheard", 0, seat, which), [*rows[:begin], *unheard, *rows[begin:]], seat)


def swapped_seats(rows: Sequence[Row], found: Sequence[Finding]) -> Iterator[Retold]:
    """Yield the round with the speakers of any two words exchanged.

    Only where several seats are accused: of two faults, or because one mistaken tap misplaced both words.
    """
    if len({one.seat for one in found}) < 2:
        return
    words = [at for at, row in enumerate(rows) if is_word(row) and row[1].seat]
    for one, two in combinations(words, 2):
        (first, event, _), (second, other, _) = rows[one], rows[two]
        if event.seat != other.seat and event.get("what") != other.get("what"):
            told = [*rows]
            told[one] = (first, event.having(seat=other.seat), SURE)
            told[two] = (second, other.having(seat=event.seat), SURE)
            yield Retold(Edit("swapped", first, str(other.seat), second), told, str(event.seat))


def tapped_earlier(rows: Sequence[Row], seats: Sequence[str], found: Sequence[Finding]) -> Iterator[Retold]:
    """Yield the round with a card that somebody tapped, late, at each earlier place where it may have fallen.

    Only cards on which a finding rests, and only where other cards were not tapped: from a camera, or a file.
    """
    cards = [at for at, row in enumerate(rows) if row[1].kind == "card"]
    tapped = [at for at in cards if rows[at][1].get("source") == "touch"]
    wrong = {number for one in found for number in (one.event, one.about)}
    if len(tapped) == len(cards):
        return
    for at in tapped:
        number, event, _ = rows[at]
        if number not in wrong or event.seat is None:
            continue
        others = [*rows[:at], *rows[at + 1 :]]
        for place in [card for card in cards if card < at][-2 * len(seats) :]:
            edit = Edit("tapped", number, event.seat, place)
            yield Retold(edit, [*others[:place], rows[at], *others[place:]], event.seat)


def in_one_breath(rows: Sequence[Row], found: Sequence[Finding]) -> Iterator[Retold]:
    """Yield the round with a word that came too early moved behind each word that directly follows it.

    Two words of the same moment may be reported in either order.
    """
    too_early = ("absage_without_ansage", "early_declaration")
    void = {one.event for one in found if one.finding in too_early and one.about is None}
    for at, row in enumerate(rows):
        if row[0] not in void or row[1].seat is None:
            continue
        for place in range(at + 1, len(rows)):
            if not is_word(rows[place]):
                break
            told = [*rows[:at], *rows[at + 1 : place + 1], row, *rows[place + 1 :]]
            yield Retold(Edit("breath", row[0], row[1].seat, rows[place][0]), told, row[1].seat)
