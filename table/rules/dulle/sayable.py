"""What a seat might say in Dulle, from public knowledge: call, solo, Stoß and Ansagen (U-19 to U-26)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.rules.dulle.fold import DulleFold
from table.rules.dulle.parties import Said, judged
from table.rules.dulle.terms import ANSAGEN, PLAIN, SOLOS
from table.rules.sayings import FIRST_CARD, OWN_CARD, ROUND, Saying


def may_say(game: DulleFold, seat: int) -> Iterator[Saying]:
    """Yield what the seat might say now."""
    if game.over:
        return
    if not game.begun:
        called = game.calls_made[0].seat if game.calls_made else seat
        if called == seat and not game.soli:
            yield from (Saying(f"ruf:{card}", FIRST_CARD) for card in PLAIN)
        yield from (Saying(solo, FIRST_CARD) for solo in SOLOS)
    any_time = game.options["stoss_until"] == "any"
    if game.agreed is None or (game.spent[seat] and not any_time):
        return
    stoss = Saying("stoss", ROUND) if any_time else Saying("stoss", OWN_CARD, 1)
    if _answers(game, seat):
        yield stoss
    if game.options["ansagen"]:
        said = {one.what for one in game.said if one.seat == seat or _together(game, seat, one.seat)}
        yield from (replace(stoss, what=word) for word in ANSAGEN if word not in said)


def _answers(game: DulleFold, seat: int) -> bool:
    """Return whether a Stoß could count, whoever may hold the Rufkarte (U-22)."""
    tried = [*game.said, Said(0, seat, "stoss")]
    return any([each.counts for each in judged(tried, pairs)][-1] for pairs in game.possible_pairs())


def _together(game: DulleFold, seat: int, other: int) -> bool:
    """Return whether everybody knows that two seats play together."""
    party = game.pairs.party(seat)
    return party is not None and party == game.pairs.party(other)
