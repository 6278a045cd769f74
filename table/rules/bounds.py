"""A finding that depends on a line that may be missing or misplaced is held against nobody.

A line that opens a round may come too early, too late, in mid-round by mistake, or not at all, because the
log has a hole there. Lines of one round then seem to belong to another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from table.rules.hearsay import PLAIN_TO_SEE
from table.rules.proven import missed_in
from table.rules.readings import Row
from table.rules.retold import OF_THE_GAME
from table.rules.round_fold import RoundFold
from table.rules.slots import PLAYED, in_order
from table.rules.tricks import TrickRound
from table.rules.view import Finding

_OPENING = frozenset({"say", "die", "turned"})
"""Kinds that begin a round."""

_IN_THE_PLAY = frozenset(
    f"say {word}" for word in ("re", "kontra", "stoss", "belle", "k90", "k60", "k30", "schwarz")
)
"""Words that no round needs in order to begin, though they may be said early."""

_PASSES = "say passe"

_OF_THE_OPENING = frozenset({"missing_declaration", "late_declaration"})


def within(before: RoundFold | None, fold: RoundFold, found: list[Finding]) -> list[Finding]:
    """Drop what a round proves only if it begins and ends where the log says so.

    Args:
        before: the round before `fold`.
        fold: the round.
        found: what is proven in `fold`.
    """
    opened = fold.best.round
    if not found or not isinstance(opened, TrickRound):
        return found
    if (anew := fold.begun_later()) is not None:  # earlier lines may belong to another round
        proven = set(anew.findings())
        found = [one for one in found if one in proven]
    rows = in_order(fold.slots)
    end = _next_begins(rows, opened, found, fold.pack)
    if end < len(rows):
        told = {row[0] for row in rows[:end]}
        found = [one for one in found if one.event in told]
    if _begun_anew(rows, opened):
        found = [one for one in found if one.finding != "duplicate_card"]
    if before is not None:
        found = _as_it_begins(before, rows, found)
    return found


def _next_begins(
    rows: Sequence[Row], opened: TrickRound, found: Sequence[Finding], pack: Mapping[str, int]
) -> int:
    """Return the index at which the next round seems to begin without a line; `len(rows)` if none does.

    It begins with a word after the last card, with an offending word where far more cards fall than a round
    has, with a late word that decides the game and after which a card falls again, or with cards laid open
    that another seat has played.
    """
    last, wrong, anew = _last_card(rows, opened), {one.event for one in found}, _begun_anew(rows, opened)
    late = {one.event for one in found if one.finding == "late_declaration" and one.rule in OF_THE_GAME}
    for at, (number, event, _) in enumerate(rows):
        if at > last and event.kind in ("say", "turned"):
            return at
        if event.kind == "shown" and any(
            row[1].kind == "card" and row[1].seat != event.seat and row[1].card in event.fields["cards"]
            for row in rows[:at]
        ):
            return at  # what another has played is in nobody's hand: these cards are from another deal
        if number in late and _dealt_again(rows, at, pack):
            return at
        if anew and event.kind == "say" and number in wrong and len(_played(rows[:at])) >= len(opened.seats):
            return at
    return len(rows)


def _dealt_again(rows: Sequence[Row], at: int, pack: Mapping[str, int]) -> bool:
    """Return whether a card that fell before `at` falls again after it, more often than the pack has it."""
    before, since = (
        Counter(event.card for _, event, _ in part if event.kind == "card")
        for part in (rows[:at], rows[at + 1 :])
    )
    return any(card in since and many + since[card] > pack.get(card, many) for card, many in before.items())


def _begun_anew(rows: Sequence[Row], opened: TrickRound) -> bool:
    """Return whether far more cards fall than a round has."""
    return len(_played(rows)) >= (opened.hand_size + 1) * len(opened.seats)


def _as_it_begins(before: RoundFold, rows: Sequence[Row], found: list[Finding]) -> list[Finding]:
    """Drop what depends on words that may precede the round's line, or on a line in the wrong place."""
    last, earlier = before.best.round, in_order(before.slots)
    if not isinstance(last, TrickRound) or last.broken_off:
        return found
    words = _opening(earlier)
    behind = [row for row in earlier[_last_card(earlier, last) + 1 :] if _word(row) in words - _IN_THE_PLAY]
    if words & _opening(rows):  # it has its own opening: an early word matters to its speaker only
        spoke = {row[1].seat for row in behind if row[1].kind == "say"}
        return [one for one in found if one.finding not in _OF_THE_OPENING or one.seat not in spoke]
    if behind:
        return [one for one in found if one.finding in PLAIN_TO_SEE]
    if last.over and not any(missed_in(before.first[0])):
        return found
    lacking = last.hand_size * len(last.seats) - len(_played(earlier))
    late = {one.event for one in found if one.finding == "late_declaration" and one.rule in OF_THE_GAME}
    said = next((at for at, row in enumerate(rows) if row[0] in late or _word(row) in words), len(rows))
    if len(_played(rows[:said])) <= lacking or lacking >= len(last.seats):
        # Its first cards may be the last ones of the round before, so that cards come twice.
        return [one for one in found if one.finding == "foreign_card"]
    return found


def _played(rows: Sequence[Row]) -> list[int]:
    return [at for at, row in enumerate(rows) if row[1].kind in PLAYED]


def _last_card(rows: Sequence[Row], opened: TrickRound) -> int:
    """Return the index of a round's last card; `len(rows)` while the round is not over.

    A round that was thrown in ends before somebody repeats what he said in it, or answers again.
    """
    if not opened.over:
        return len(rows)
    if not opened.tricks:
        return _asked_again(rows) - 1
    cards = {play.event for play in opened.tricks[-1].plays}
    return max((at for at, row in enumerate(rows) if row[0] in cards), default=len(rows))


def _asked_again(rows: Sequence[Row]) -> int:
    """Return where somebody repeats himself, or speaks again with a word that was anybody's first.

    A player may pass twice in a deal: on the Orgi, then on the Kleines (J-20).
    """
    said: set[tuple[str | None, str]] = set()
    spoke: set[str | None] = set()
    answers: set[str] = set()
    for at, row in enumerate(rows):
        seat, word = row[1].seat, _word(row)
        if word == _PASSES and (seat, word) in said:
            word += " again"
        if (seat, word) in said or (seat in spoke and word in answers):
            return at
        if row[1].kind == "say" and seat not in spoke:
            answers.add(word)
            spoke.add(seat)
        said.add((seat, word))
    return len(rows) + 1


def _opening(rows: Sequence[Row]) -> set[str]:
    """Return what was reported before the first card."""
    return {_word(row) for row in rows[: next(iter(_played(rows)), len(rows))] if row[1].kind in _OPENING}


def _word(row: Row) -> str:
    said = row[1].get("what") or row[1].get("spot") or ""
    return f"{row[1].kind} {str(said).partition(':')[0]}"
