"""What a round proves: only what all likely courses have in common, by what was surely seen or said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table.rules.course import Edit
from table.rules.explained import DUTIES, WATCHED, Explained
from table.rules.hearsay import unheard
from table.rules.order import DISORDER
from table.rules.readings import UNPLACED, ReadingFold, Row
from table.rules.retold import OF_THE_GAME
from table.rules.tellings import CourseKey
from table.rules.tricks import TrickRound
from table.rules.view import Finding

_STATE = frozenset({"marker_mismatch", "unauthorised_touch", "early_declaration"})
"""Findings that depend on who won the tricks before."""
_UNSAID = frozenset({"missing_declaration", "missed_stoss", "absage_without_ansage"})
"""Findings that depend on a word that nobody heard."""
_WHOSEVER = frozenset({"foreign_card", "missing_declaration"})
"""Findings that hold whoever really played the cards that the log gives to a wrong seat, and however many."""
_OUT_OF_ORDER = DISORDER - {"duplicate_card"}
_CARDS = frozenset({"miss", "twice", "seat", "late"})
"""Kinds of edits in which a course's cards differ from the log."""


class Proven(Explained):
    """A round's folded slots, and what is held against whom."""

    def findings(self) -> list[Finding]:
        """Return what every likely course proves, in every reading, by what was surely seen or said."""
        if self._found is None:
            self._found = self._proven_by_all()
        return list(self._found)

    def _proven_by_all(self) -> list[Finding]:
        if not self.main.findings():
            return []
        said = set.intersection(*(set(telling.findings()) for _, telling in self.tellings))
        found = self._proven(*self.first) if said else []
        for key, telling in self.tellings[1:]:
            others = set(self._proven(key, telling)) if found else set()
            found = [one for one in found if one in others]
        if self.crowded or self.shaky:
            unsure = _STATE | (WATCHED if self.crowded else DUTIES)
            found = [one for one in found if one.finding not in unsure]
        opened = self.best.round
        if found and isinstance(opened, TrickRound):
            rows, ended = self._rows(), self._concluded
            gone = self._hearsay.withheld(rows, opened, found, ended, self._proven)
            found = [one for one in found if one not in gone]
            found = self._hearsay.owed(rows, self._dealers, found, ended)
            found = self._hearsay.whoever_dealt(rows, opened, found, ended)
        if self.crowded:
            found = [one for one in found if one.finding not in _UNSAID]
        if self.erred:
            found = [one for one in found if one.finding in _WHOSEVER or _late_for_the_game(one)]
        # A seat one card short laid one aside: where that proves nothing, neither does its number of cards.
        aside = {one.seat for one in found if one.finding == "two_cards"}
        return [one for one in found if one.finding != "missing_card" or one.seat in aside]

    def as_it_stands(self) -> list[Finding]:
        """Return what the log proves if nothing was missed, repeated or misreported: maybe nobody's fault."""
        return self._plain.findings()

    def _proven(self, key: CourseKey, telling: ReadingFold) -> list[Finding]:
        found = telling.findings()
        opened = telling.best.round
        if not found or not isinstance(opened, TrickRound):
            return found
        found = [one for one in found if one.event > 0 and (one.about or 1) > 0]
        guessed = _guessed(telling.rows)
        found = [one for one in found if one.event not in guessed and one.about not in guessed]
        dealt = _whosever_cards(telling.rows)
        found = [one for one in found if one.finding != "missing_declaration" or one.event not in dealt]
        found = unheard(found, telling, self._plain.findings(), self._rows())
        found = [one for one in found if not (one.finding in _OUT_OF_ORDER and _told_in_order(telling, one))]
        if any(edit.what in _CARDS for edit in key[1]):  # the number of cards in a hand may be a guess
            stands = {(one.finding, one.seat) for one in self._plain.findings()}
            found = [one for one in found if one.finding in WATCHED or (one.finding, one.seat) in stands]
        if opened.history_binds and self._next_began and not opened.over:
            found = [one for one in found if one.finding not in DUTIES]  # whole tricks are missing
        # A die is set before the table can know which card it missed.
        if self._short_of_a_trick(opened) or any(missed_in(key)):
            found = [one for one in found if one.finding != "marker_mismatch"]
        found = self._beyond_blindness(found, telling, opened)
        # The characters moved on without the table seeing it.
        if (last := _last_before_untold_trick(telling)) is not None:
            found = [one for one in found if one.finding != "marker_mismatch" or one.event <= last]
        if (last := _last_before_untold_trick(telling, dice_set=True)) is not None:
            found = [one for one in found if one.finding != "unauthorised_touch" or one.event <= last]
        if not opened.unsure:
            return found
        found = [one for one in found if not _beside_a_doubt(telling, one, opened.unsure)]
        vague = next((at for at, row in enumerate(telling.rows) if row[2] == UNPLACED), len(telling.rows))
        if vague < len(telling.rows):  # it is not sure who won the tricks from there on
            sure = {row[0] for row in telling.rows[:vague]}
            bound = _STATE | DUTIES if opened.history_binds else _STATE
            found = [one for one in found if one.finding not in bound or one.event in sure]
        if any(one.finding not in WATCHED for one in found):
            surely = set(self._sceptic(key, telling).findings())
            found = [one for one in found if one.finding in WATCHED or one in surely]
        return found

    def _short_of_a_trick(self, opened: TrickRound) -> bool:
        """Return whether a round to which nothing more comes still seems to have a trick or two to go."""
        at_end = not opened.trick and len(opened.tricks) >= opened.hand_size - 2
        return not opened.over and (self._next_began or (self._concluded and at_end))

    def _beyond_blindness(
        self, found: list[Finding], telling: ReadingFold, opened: TrickRound
    ) -> list[Finding]:
        """Drop what depends on words, hands and dice of a blind time, or on a contract declared in it."""
        kinds = [event.kind for _, event, _ in telling.rows]
        if "blind" not in kinds:
            return found
        at = kinds.index("blind")
        sure = {row[0] for row in telling.rows[:at]}
        proven = {"foreign_card", *WATCHED}
        if "card" not in kinds[:at] or (opened.history_binds and (not opened.over or telling.doubts)):
            proven -= DUTIES
        if "card" not in kinds[:at]:  # nor is it sure who led, and who took the tricks
            proven -= {"wrong_lead"}
            first = next((row[0] for row in telling.rows if row[1].kind in ("card", "unsure")), 0)
            found = [one for one in found if one.finding != "out_of_turn" or one.event != first]
        return [one for one in found if one.event in sure or one.finding in proven]

    def _sceptic(self, key: CourseKey, telling: ReadingFold) -> ReadingFold:
        """Return the same course folded so that cards that nobody surely saw show nothing."""
        return self._sceptics.tell(key, telling.rows, concluded=telling.concluded)


def _guessed(rows: Sequence[Row]) -> set[int]:
    """Return the lines, except cards, that were inferred, seen after a gap, or said by an unknown seat."""
    return {
        number
        for number, event, _ in rows
        if event.kind != "card"
        and (event.get("inferred") or event.get("after_gap") or (event.kind == "say" and event.seat is None))
    }


def _whosever_cards(rows: Sequence[Row]) -> set[int]:
    """Return the lines of cards that the camera saw nobody play: they may have been dealt face up."""
    return {
        number
        for number, event, _ in rows
        if event.kind == "card" and event.get("inferred") and event.get("source") == "camera"
    }


def _late_for_the_game(one: Finding) -> bool:
    return one.finding == "late_declaration" and one.rule in OF_THE_GAME


def _told_in_order(telling: ReadingFold, one: Finding) -> bool:
    """Return whether the very card that came out of order is reported again where it is in order.

    One of the two reports is a slip, and only the first accuses. After `two_cards` the second card goes back
    to the hand and is played again; nobody plays it more often than that.
    """
    rows = telling.rows
    at = next((at for at, row in enumerate(rows) if row[0] == one.event), len(rows) - 1)
    card, seat = rows[at][1].get("card"), rows[at][1].seat
    wrong = {other.event for other in telling.findings()}
    fell = [event.get("card") for _, event, _ in rows if event.kind == "card"].count(card)
    may = telling.pack.get(str(card), fell) + (one.finding == "two_cards")
    later = (row for row in rows[at + 1 :] if row[1].seat == seat and row[0] not in wrong)
    return fell > may and any(row[1].get("card") == card for row in later)


def _beside_a_doubt(telling: ReadingFold, one: Finding, unsure: set[int]) -> bool:
    """Return whether a doubtful card fell since the last taking: if it was no card, all later ones shift."""
    if one.finding != "two_cards":
        return False
    at = next((at for at, row in enumerate(telling.rows) if row[0] == one.event), len(telling.rows))
    for number, event, _ in reversed(telling.rows[:at]):
        if event.kind == "collected":
            break
        if number in unsure and event.kind in ("card", "unsure"):
            return True
    return False


def _last_before_untold_trick(telling: ReadingFold, dice_set: bool = False) -> int | None:
    """Return the taking before a trick of which only the taking was reported; None if there is none.

    With `dice_set` a die must have been set between the two: two players may report the same taking.
    """
    taken: int | None = None
    die = not dice_set
    for number, event, _ in telling.rows:
        if event.kind == "collected":
            if taken is not None and die:
                return taken
            taken, die = number, not dice_set
        elif event.kind == "die":
            die = True
        elif event.kind in ("card", "unsure"):
            taken = None
    return None


def missed_in(key: CourseKey) -> Iterator[tuple[int, Edit]]:
    """Yield the missed cards of a course that no line reports, with their numbers."""
    edits = key[1]
    told = {edit.of for edit in edits if edit.what == "late"}
    return ((at, edit) for at, edit in enumerate(edits) if edit.what == "miss" and at not in told)
