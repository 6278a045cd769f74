"""What was reported, as it may really have been: a word was tapped late, or for the wrong seat.

The table does not hear words; people report them (G-13), and they may tap late, or for the wrong seat.
A late word is void and is reported as late (G-I10). But what follows from its being void, above all for the
*others*, who heard it in time and played by it, is held against nobody if the round is in order with the
word in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import takewhile

from table.rules.events import Event
from table.rules.readings import MISSED, ReadingFold, Row
from table.rules.retold import (
    BY_THE_GAME,
    OF_THE_GAME,
    OWN,
    earlier,
    first_card,
    in_one_breath,
    is_word,
    more,
    other_seat,
    swapped_seats,
    tapped_earlier,
)
from table.rules.tellings import CourseKey, Pack, RoundOpener, Tellings
from table.rules.tricks import TrickRound
from table.rules.view import Finding

_BY_LATENESS = OWN | {"absage_without_ansage"}
"""Findings in which a late word is held against its own speaker."""
PLAIN_TO_SEE = frozenset({"foreign_card", "duplicate_card"})
"""Findings that depend on nothing before them."""
_BY_SIDES = frozenset({"wrong_side", "absage_without_ansage"})
"""Findings that depend on who plays with whom, and on when the bidding was over."""
_BY_DEALER = frozenset({"missing_declaration"})
"""Findings that depend on who dealt: the dealer is asked last."""
_BY_OPEN_CARD = frozenset({"false_belle", "false_meld"})
"""Findings that depend on who has the open card: among four the dealer (J-30), among fewer nobody."""
_WITH_OPEN_CARD = 4
_ANSWERS = frozenset({"gesund", "vorbehalt"})
"""Words with which each player answers when asked before play (K-51)."""

Prover = Callable[[CourseKey, ReadingFold], list[Finding]]


class Hearsay:
    """Folds a round again with one of its words in another place, or spoken by another seat.

    Args:
        opener: opens the round anew with a dealer; None: the dealer that its line names.
        pack: every card and its number of copies.
    """

    def __init__(self, opener: RoundOpener, pack: Pack) -> None:
        self._told = Tellings(opener, pack)

    def withheld(
        self,
        rows: Sequence[Row],
        opened: TrickRound,
        found: Sequence[Finding],
        concluded: bool,
        proof: Prover,
    ) -> set[Finding]:
        """Return the findings that vanish, with none in their place, if one word is reported differently.

        Args:
            rows: the round's lines.
            opened: the round as reported so far.
            found: what is proven if every word was said as reported.
            concluded: nothing more comes in this round.
            proof: what a telling proves.
        """
        gone: set[Finding] = set()
        proven = set(found)
        seats, words = opened.seats, opened.unheard()
        for retold in (
            *earlier(rows, found),
            *other_seat(rows, seats, found),
            *swapped_seats(rows, found),
            *in_one_breath(rows, found),
            *tapped_earlier(rows, seats, found),
            *more(rows, seats, found, words),
        ):
            key: CourseKey = None, (retold.edit,)
            telling = self._told.tell(key, retold.rows, concluded=concluded)
            if not _holds_as_much(telling.best.round, opened):
                continue  # it proves nothing only because it leaves the game, or cards, unknown
            otherwise = set(proof(key, telling))
            if retold.edit.what == "unheard":  # whose turn it was to declare is another question
                otherwise = {one for one in otherwise if one.finding not in OWN}
            if not otherwise < proven:
                continue
            vanished = proven - otherwise
            askew = {one for one in vanished if one.finding != "absage_without_ansage"}
            match retold.edit.what:
                case "earlier":
                    own = {
                        one for one in vanished if one.finding in _BY_LATENESS and one.seat == retold.speaker
                    }
                    gone |= vanished - own
                case "tapped":
                    gone |= vanished
                case "breath":
                    gone |= {one for one in vanished if one.finding != "early_declaration"}
                case "unheard":
                    gone |= {one for one in vanished if one.finding not in OWN}
                case "swapped" if len({one.seat for one in askew}) > 1:
                    gone |= askew  # one slip is likelier than two faults
                case _ if _of_the_others(vanished, retold.speaker):
                    gone |= vanished
                case _:
                    pass  # his own fault, no matter who else might have said it
        return gone

    def whoever_dealt(
        self, rows: Sequence[Row], opened: TrickRound, found: list[Finding], concluded: bool
    ) -> list[Finding]:
        """Drop what depends on the dealer that the line names, where the words show that another dealt."""
        told = [row for row in rows if row[2] != MISSED]
        begun = _wrongly_begun(told[: first_card(told)], opened) if found else None
        if begun is None:
            return found
        dealer = opened.seats[opened.seats.index(begun) - 1]
        otherwise = set(self._told.tell((dealer, ()), rows, concluded=concluded).findings())
        return [one for one in found if one in otherwise]

    def owed(
        self, rows: Sequence[Row], dealers: Sequence[str], found: list[Finding], concluded: bool
    ) -> list[Finding]:
        """Drop what depends on which seat dealt, where nobody named one: a word owed, the open card."""
        by_dealer = _BY_DEALER | (_BY_OPEN_CARD if len(dealers) == _WITH_OPEN_CARD else frozenset())
        if len(dealers) < 2 or all(one.finding not in by_dealer for one in found):
            return found
        for dealer in dealers:
            told = self._told.tell((dealer, ()), rows, concluded=concluded).findings()
            faults = {_fault(one) for one in told}  # another line may prove it
            found = [one for one in found if one.finding not in by_dealer or _fault(one) in faults]
        return found


def _fault(one: Finding) -> tuple[str, str | None, int]:
    """The accusation as (finding, seat, offending line), whichever line proves it."""
    return one.finding, one.seat, one.event if one.about is None else one.about


def _holds_as_much(retold: object, opened: TrickRound) -> bool:
    """Return whether a retold round is as complete as the log: no more words missing, no fewer cards."""
    if not isinstance(retold, TrickRound) or (retold.words_missing and not opened.words_missing):
        return False
    return retold.fallen() >= opened.fallen()


def unheard(
    found: list[Finding], telling: ReadingFold, as_it_stands: Sequence[Finding], log: Sequence[Row]
) -> list[Finding]:
    """Drop what rests on a missing declaration that was perhaps made but not reported.

    Args:
        found: what a telling of the round proves.
        telling: that telling.
        as_it_stands: what the lines prove if nothing was missed.
        log: the lines as they stand.
    """
    rows, opened = telling.rows, telling.best.round
    if not isinstance(opened, TrickRound):
        return found
    if opened.words_missing:
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    whole = _is_whole(rows, opened)
    late = [one for one in found if one.finding == "late_declaration"]
    in_time = {one for one in late if _perhaps_in_time(rows, log, one, whole)}
    found = [one for one in found if one not in in_time]
    if _asked_in_two_deals(rows):
        leads = next((number for number, event, _ in rows if event.kind == "card"), None)
        found = [one for one in found if one.finding != "out_of_turn" or one.event != leads]
    early = [one for one in telling.findings() if one.finding == "early_declaration"]
    silent = {
        one.seat for one in (*telling.findings(), *as_it_stands) if one.finding == "missing_declaration"
    }
    if not any(one.finding == "missing_declaration" for one in telling.findings()):
        early = [one for one in early if _perhaps_not_early(rows, one)]
    found = [one for one in found if one not in early]
    if early or silent & _unnamed(rows):  # an Ansage that is void because it came early may have been in time
        found = [one for one in found if one.finding not in _BY_SIDES]
    unseen = any(trust == MISSED for _, _, trust in rows[: first_card(rows) + 1])
    told = [row for row in rows if row[2] != MISSED]
    first = first_card(told)
    begins = {one.finding for one in as_it_stands if first < len(told) and one.event == told[first][0]}
    words = {"say"} if "missing_declaration" in begins else {"say", "die"}  # a die need not declare anything
    if {"missing_declaration", "out_of_turn"} <= begins and not _spoke(told[first][1].seat, told[:first]):
        # The seat that leads was not heard to speak: it may have declared what lets it lead and what is
        # trump, or the table was switched on in mid-round.
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    if first == len(told) or any(event.kind in words for _, event, _ in told[:first]):
        return found
    if unseen:
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    if "missing_declaration" in begins and not opened.over:  # it may have been made: tricks are missing
        return [one for one in found if one.finding in PLAIN_TO_SEE | OWN]
    if "missing_declaration" in begins:  # an exchange may have been unheard too
        return [one for one in found if one.finding != "pile_card"]
    return found


def _wrongly_begun(rows: Sequence[Row], opened: TrickRound) -> str | None:
    """Return who was asked first, where three or more spoke clockwise but not from the dealer's left."""
    spoke = list(dict.fromkeys(event.seat for _, event, _ in rows if event.kind == "say"))
    seats = opened.seats
    if len(spoke) < 3 or spoke[0] not in seats or opened.dealer not in seats:  # of five the dealer sits out
        return None
    begin = seats.index(spoke[0])
    clockwise = spoke == [*seats[begin:], *seats[:begin]][: len(spoke)]
    due = (seats.index(opened.dealer) + 1) % len(seats)
    return spoke[0] if clockwise and begin != due else None


def _spoke(seat: str | None, rows: Sequence[Row]) -> bool:
    """Return whether a word of a seat was heard."""
    return any(event.kind == "say" and event.seat == seat for _, event, _ in rows)


def _missed_before(rows: Sequence[Row], late: Finding) -> bool:
    """Return whether a word may be late only because an unseen card of its player is placed before it."""
    at = next((at for at, row in enumerate(rows) if row[0] == late.event), 0)
    return any(event.seat == late.seat and trust == MISSED for _, event, trust in rows[:at])


def _unnamed(rows: Sequence[Row]) -> set[str | None]:
    """Return the seats that said Vorbehalt but were not heard to name a game."""
    said = [event for _, event, _ in rows[: first_card(rows)] if event.kind == "say"]
    asked = {event.seat for event in said if event.get("what") == "vorbehalt"}
    return asked - {event.seat for event in said if event.get("what") not in _ANSWERS}


def _perhaps_not_early(rows: Sequence[Row], early: Finding) -> bool:
    """Return whether a word was early only if a card that nobody saw fell after it rather than before."""
    at = next((at for at, row in enumerate(rows) if row[0] == early.event), len(rows))
    after = next((row for row in rows[at:] if not is_word(row)), None)
    return after is not None and after[2] == MISSED


def _is_whole(rows: Sequence[Row], opened: TrickRound) -> bool:
    """Return whether every card of a round was reported once: the words among them belong to this deal."""
    fell = Counter(event.card for _, event, trust in rows if event.kind == "card" and trust != MISSED)
    many = opened.hand_size * len(opened.seats)
    return opened.over and fell.total() == many and fell <= Counter(opened.pack)


def _perhaps_in_time(rows: Sequence[Row], log: Sequence[Row], late: Finding, whole: bool) -> bool:
    return (
        _missed_before(rows, late)
        or _told_again(log, late)
        or _of_another_deal(rows, late, whole)
        or _asked_again(rows, late)
    )


def _told_again(rows: Sequence[Row], late: Finding) -> bool:
    """Return whether a late word is among lines that the log repeats: it has the same neighbour again."""
    lines = [(event.kind, event.seat, event.get("what"), event.get("card")) for _, event, _ in rows]
    told = [None, *lines, None]
    at = next((at for at, row in enumerate(rows, 1) if row[0] == late.event), 0)
    return any(
        told[earlier] == told[at] and (told[earlier - 1] == told[at - 1] or told[earlier + 1] == told[at + 1])
        for earlier in range(1, at)
    )


def _of_another_deal(rows: Sequence[Row], late: Finding, whole: bool) -> bool:
    """Return whether a word that decides the game belongs to a bidding for the next deal.

    The table was blind while the round ended, and nobody reported that another began. The signs: two others
    speak at the same point, or one passes, or the speaker has decided this game already and not all of its
    cards were reported.
    """
    if late.rule not in OF_THE_GAME:
        return False
    at = next((at for at, row in enumerate(rows) if row[0] == late.event), 0)
    if rows[at][1].kind != "say" or at < first_card(rows):
        return False
    around = [event for _, event, _ in takewhile(is_word, reversed(rows[:at]))]
    around += [event for _, event, _ in takewhile(is_word, rows[at:])]
    passed = any(event.get("what") == "passe" and event.seat != late.seat for event in around)
    said = rows[at][1]
    decided = (
        not whole
        and late.rule == "G-I10"
        and any(
            event.kind == "say" and event.seat == said.seat and _bid(event) == _bid(said)
            for _, event, _ in rows[:at]
        )
    )
    return len({event.seat for event in around}) > 2 or passed or decided


def _asked_again(rows: Sequence[Row], late: Finding) -> bool:
    """Return whether two others also answer twice before play: of one deal only the words were reported."""
    said = [event for _, event, _ in rows[: first_card(rows)] if event.kind == "say"]
    answers = Counter(event.seat for event in said if event.get("what") in _ANSWERS)
    return sum(many > 1 for seat, many in answers.items() if seat != late.seat) > 1


def _bid(event: Event) -> str:
    """The word of a bid without its suit."""
    return str(event.get("what")).partition(":")[0]


def _asked_in_two_deals(rows: Sequence[Row]) -> bool:
    """Return whether somebody answers again after another seat did: in another dealer's deal.

    A seat that said Vorbehalt may still say Gesund when the games are named (K-51).
    """
    said = [event for _, event, _ in rows[: first_card(rows)] if event.kind == "say"]
    answers = [(event.seat, event.get("what")) for event in said if event.get("what") in _ANSWERS]
    first: dict[str | None, str] = {}
    for at, (seat, what) in enumerate(answers):
        other_spoke = at > 0 and answers[at - 1][0] != seat
        if seat in first and other_spoke and (first[seat], what) != ("vorbehalt", "gesund"):
            return True
        first.setdefault(seat, str(what))
    return False


def _of_the_others(vanished: set[Finding], speaker: str) -> bool:
    """Return whether a wrong speaker shows in what the others did, and not in one fault alone."""
    others = {one for one in vanished if one.seat != speaker and one.finding in BY_THE_GAME}
    owed = any(one.finding in ("missing_declaration", "pile_card") for one in others)
    return owed or len({one.seat for one in others}) > 1
