"""What was said, as it may really have been: a word reached the table late, or was told of another seat.

Nobody hears words; people tell the table of them (G-13), and whoever taps may tap late, or for another seat.
A late word is void and is reported as late (G-I10). But what follows from its being void, above all for the
*others*, who heard it in time and played by it, is held against nobody while the round goes well with the
word in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from table.rules.course import Edit
from table.rules.events import Event
from table.rules.readings import MISSED, SURE, ReadingFold, Row
from table.rules.tellings import Key, Opener, Pack, Tellings
from table.rules.tricks import TrickRound
from table.rules.view import Finding

_OWN = frozenset({"late_declaration", "missing_declaration"})
"""A late word is late, and was missing when it was due: that stands, whatever the others made of it."""
_BY_LATENESS = _OWN | {"absage_without_ansage"}
"""What a late word is held against its own speaker for."""
OF_THE_GAME = frozenset({"G-I10", "K-51", "J-I6"})
"""Rules by which a word is late that would have decided what is played or who holds the turned card."""
_BY_THE_GAME = frozenset({"missing_declaration", "revoke", "out_of_turn", "wrong_lead", "pile_card"})
"""Findings that hang on which game is played, and whose it is, or who took the turned card up."""
PLAIN_TO_SEE = frozenset({"foreign_card", "duplicate_card"})
"""Findings that hang on nothing that was before."""

Proof = Callable[[Key, ReadingFold], list[Finding]]


class _Retold(NamedTuple):
    """A round in which one word stands elsewhere: `edit` says which and how."""

    edit: Edit
    rows: list[Row]
    speaker: str
    """Whose word it was as the log has it."""


class Hearsay:
    """Tells a round once more with one of its words in another place or mouth.

    Args:
        opener: opens the round anew with a dealer; None: as its line says.
        pack: every card and how often it exists.
    """

    def __init__(self, opener: Opener, pack: Pack) -> None:
        self._told = Tellings(opener, pack)

    def withheld(
        self, rows: Sequence[Row], opened: TrickRound, found: Sequence[Finding], concluded: bool, proof: Proof
    ) -> set[Finding]:
        """Return those findings that vanish, with none in their place, where one word is told otherwise.

        Args:
            rows: the round's lines.
            opened: the round as far as it is told.
            found: what is proven if every word stands as it was said.
            concluded: nothing more comes in this round.
            proof: what a telling proves.
        """
        gone: set[Finding] = set()
        proven = set(found)
        seats, words = opened.seats, opened.unheard()
        for retold in (
            *_earlier(rows, found),
            *_other_seat(rows, seats, found),
            *_more(rows, seats, found, words),
        ):
            key: Key = None, (retold.edit,)
            otherwise = set(proof(key, self._told.tell(key, retold.rows, concluded=concluded)))
            if retold.edit.what == "unheard":  # whose turn it was to declare is another question
                otherwise = {one for one in otherwise if one.finding not in _OWN}
            if not otherwise < proven:
                continue
            vanished = proven - otherwise
            match retold.edit.what:
                case "earlier":
                    own = {
                        one for one in vanished if one.finding in _BY_LATENESS and one.seat == retold.speaker
                    }
                    gone |= vanished - own
                case "unheard":
                    gone |= {one for one in vanished if one.finding not in _OWN}
                case _ if _of_the_others(vanished, retold.speaker):
                    gone |= vanished
                case _:
                    pass  # his own fault, whoever else might have said it
        return gone

    def owed(
        self, rows: Sequence[Row], dealers: Sequence[str], found: list[Finding], concluded: bool
    ) -> list[Finding]:
        """Drop a missing declaration of one who owed it only if a dealer whom nobody named did deal."""
        if len(dealers) < 2 or all(one.finding != "missing_declaration" for one in found):
            return found
        for dealer in dealers:
            told = set(self._told.tell((dealer, ()), rows, concluded=concluded).findings())
            found = [one for one in found if one.finding != "missing_declaration" or one in told]
        return found


def unheard(
    found: list[Finding], telling: ReadingFold, as_it_stands: Sequence[Finding], log: Sequence[Row]
) -> list[Finding]:
    """Drop what rests on a declaration that perhaps only the table did not hear.

    Args:
        found: what a telling of the round proves.
        telling: that telling.
        as_it_stands: what the lines say if nothing was missed.
        log: the lines as they stand.
    """
    rows, opened = telling.rows, telling.best.round
    if not isinstance(opened, TrickRound):
        return found
    if opened.words_missing:
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    found = [
        one
        for one in found
        if one.finding != "late_declaration"
        or not (_missed_before(rows, one) or _told_again(log, one) or _of_another_deal(rows, one))
    ]
    if any(one.finding == "missing_declaration" for one in telling.findings()):
        found = [one for one in found if one.finding != "early_declaration"]
    unseen = any(trust == MISSED for _, _, trust in rows[: _first_card(rows) + 1])
    told = [row for row in rows if row[2] != MISSED]
    first = _first_card(told)
    if first < len(told) and told[first][1].seat == _wrongly_begun(told[:first], opened):
        # Who was asked first leads, as he should: it is the round's line that names the wrong dealer.
        found = [one for one in found if (one.finding, one.event) != ("out_of_turn", told[first][0])]
    begins = {one.finding for one in as_it_stands if first < len(told) and one.event == told[first][0]}
    words = {"say"} if "missing_declaration" in begins else {"say", "die"}  # a die need not declare anything
    if {"missing_declaration", "out_of_turn"} <= begins and not _spoke(told[first][1].seat, told[:first]):
        # He leads of whom no word was heard: he may have said what lets him lead and what is trump, or the
        # table was switched on in mid-round.
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    if first == len(told) or any(event.kind in words for _, event, _ in told[:first]):
        return found
    if unseen:
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    if "missing_declaration" in begins and not opened.over:  # it may have been, as long as tricks are missing
        return [one for one in found if one.finding in PLAIN_TO_SEE | _OWN]
    if "missing_declaration" in begins:  # nor was an exchange heard
        return [one for one in found if one.finding != "pile_card"]
    return found


def _wrongly_begun(rows: Sequence[Row], opened: TrickRound) -> str | None:
    """Return who was asked first where three or more spoke clockwise from another than the dealer's left."""
    spoke = list(dict.fromkeys(event.seat for _, event, _ in rows if event.kind == "say"))
    seats = opened.seats
    if len(spoke) < 3 or spoke[0] not in seats or opened.dealer not in seats:  # of five the dealer sits out
        return None
    begin = seats.index(spoke[0])
    clockwise = spoke == [*seats[begin:], *seats[:begin]][: len(spoke)]
    due = (seats.index(opened.dealer) + 1) % len(seats)
    return spoke[0] if clockwise and begin != due else None


def _spoke(seat: str | None, rows: Sequence[Row]) -> bool:
    """Tell whether a word of a seat was heard."""
    return any(event.kind == "say" and event.seat == seat for _, event, _ in rows)


def _missed_before(rows: Sequence[Row], late: Finding) -> bool:
    """Tell whether a word is late by a card of its player that nobody saw and that may have fallen later."""
    at = next((at for at, row in enumerate(rows) if row[0] == late.event), 0)
    return any(event.seat == late.seat and trust == MISSED for _, event, trust in rows[:at])


def _told_again(rows: Sequence[Row], late: Finding) -> bool:
    """Tell whether a late word stands among lines that a log tells once more: beside the same neighbour."""
    lines = [(event.kind, event.seat, event.get("what"), event.get("card")) for _, event, _ in rows]
    told = [None, *lines, None]
    at = next((at for at, row in enumerate(rows, 1) if row[0] == late.event), 0)
    return any(
        told[earlier] == told[at] and (told[earlier - 1] == told[at - 1] or told[earlier + 1] == told[at + 1])
        for earlier in range(1, at)
    )


def _of_another_deal(rows: Sequence[Row], late: Finding) -> bool:
    """Tell whether a word that decides the game stands among words of two others: they bid for the next deal.

    The table was blind while the round ended and nobody told that another one began.
    """
    if late.rule not in OF_THE_GAME:
        return False
    at = next((at for at, row in enumerate(rows) if row[0] == late.event), 0)
    if rows[at][1].kind != "say" or at < _first_card(rows):
        return False
    around = [event for _, event, _ in takewhile(_is_word, reversed(rows[:at]))]
    around += [event for _, event, _ in takewhile(_is_word, rows[at:])]
    return len({event.seat for event in around}) > 2


def _is_word(row: Row) -> bool:
    return row[1].kind == "say"


def _first_card(rows: Sequence[Row]) -> int:
    """Return at which line the first card fell; after the last one if none did."""
    return next((at for at, (_, event, _) in enumerate(rows) if event.kind in ("card", "unsure")), len(rows))


def _of_the_others(vanished: set[Finding], speaker: str) -> bool:
    """Tell whether a word in the wrong mouth shows in what the others did, and not in one fault alone."""
    others = {one for one in vanished if one.seat != speaker and one.finding in _BY_THE_GAME}
    owed = any(one.finding in ("missing_declaration", "pile_card") for one in others)
    return owed or len({one.seat for one in others}) > 1


def _earlier(rows: Sequence[Row], found: Sequence[Finding]) -> Iterator[_Retold]:
    """Yield the round with a late word in each place where it may have been said in time.

    A word that decides the game is due before the first card; another one may have fallen before its player's
    last card.
    """
    late = {one.event: one.rule for one in found if one.finding == "late_declaration"}
    begin = _first_card(rows)
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
                yield _Retold(edit, [*others[:place], row, *others[place:]], event.seat)


def _cards_of(seat: str, rows: Sequence[Row]) -> list[int]:
    """Return at which lines a seat's cards fell."""
    return [at for at, (_, event, _) in enumerate(rows) if event.kind == "card" and event.seat == seat]


def _other_seat(rows: Sequence[Row], seats: Sequence[str], found: Sequence[Finding]) -> Iterator[_Retold]:
    """Yield the round with each word of the bidding in the mouth of each other player.

    It may last until all have laid their first card: until then one may take the turned card up.
    """
    if all(one.finding not in _BY_THE_GAME for one in found):
        return
    end = _first_card(rows)
    if any(one.finding == "pile_card" for one in found):
        end += len(seats)
    for at, (number, event, trust) in enumerate(rows[:end]):
        if event.kind != "say" or event.seat is None:
            continue
        for seat in seats:
            if seat != event.seat:
                moved = (number, Event(event.kind, {**event.fields, "seat": seat}, event.id), trust)
                edit = Edit("said", number, seat)
                yield _Retold(edit, [*rows[:at], moved, *rows[at + 1 :]], event.seat)


def _more(
    rows: Sequence[Row], seats: Sequence[str], found: Sequence[Finding], words: Sequence[tuple[str, ...]]
) -> Iterator[_Retold]:
    """Yield the round with each declaration that a player may have made and nobody told."""
    others = {one.finding for one in found} - _OWN
    if not words or not others or all(one.finding != "missing_declaration" for one in found):
        return
    begin = _first_card(rows)
    for seat in seats:
        for which, said in enumerate(words):
            unheard = [
                (number, Event("say", {"seat": seat, "what": word}, number), SURE)
                for number, word in zip(range(-900, -900 + len(said)), said, strict=True)
            ]
            yield _Retold(Edit("unheard", 0, seat, which), [*rows[:begin], *unheard, *rows[begin:]], seat)
