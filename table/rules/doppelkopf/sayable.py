"""What a seat might say in Doppelkopf, from public knowledge: Vorbehalt, Armut, Ansagen, Schweinchen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from table.rules.doppelkopf.calls import Calls
from table.rules.doppelkopf.contracts import has_fuchs
from table.rules.doppelkopf.terms import ABSAGEN, ANSAGEN
from table.rules.sayings import FIRST_CARD, NOW, OWN_CARD, OWN_LEAD, ROUND, Saying


def returns(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return, as words, the numbers of trumps that may come back in an Armut: up to all (K-61, K-62)."""
    most = options["armut"] + (options["armut_fuchs"] == "fourth")
    return tuple(f"armut-zurueck:{number}" for number in range(most + 1))


def spoken(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return every saying under these house rules, in the order in which to offer them."""
    swine = ("schweinchen",) if options["schweinchen"] else ()
    return (
        *(*ANSAGEN, *ABSAGEN, *swine, "gesund", "vorbehalt"),
        *dict.fromkeys((*_vorbehalte(options), "schmeissen")),
        *(("armut-nehmen", *returns(options)) if options["armut"] else ()),
        *(f"pflichtsolo:{kind}" for kind in options["soli"]),
    )


def may_say(game: Calls, seat: int) -> Iterator[Saying]:
    """Yield what the seat might say now."""
    if game.over:
        return
    if not game.begun:
        yield from _reservation(game, seat)
    yield from _announcements(game, seat)
    yield from _swine(game)


def _reservation(game: Calls, seat: int) -> Iterator[Saying]:
    asked = game.asked()
    if asked is not None:
        if asked == seat:
            yield from (Saying(word, NOW) for word in ("gesund", "vorbehalt"))
    elif seat in game.unnamed():
        yield from (Saying(word, NOW) for word in names(game, seat))
    elif game.game == "armut" and game.taker is None:
        if seat == game.declarer:
            yield Saying("schmeissen", NOW)  # nobody took it
        elif game.armut_partner() in (None, seat):
            yield Saying("armut-nehmen", NOW)
    elif game.game == "armut" and game.taker == seat and game.returned is None:
        yield from (Saying(word, NOW) for word in returns(game.options))


def names(game: Calls, seat: int) -> Iterator[str]:
    """Yield what a Vorbehalt may be called in this rule set, whatever the hand."""
    if game.options["withdraw"]:
        yield "gesund"
    yield from _vorbehalte(game.options)
    if game.still_owes(seat):
        yield from (f"pflichtsolo:{kind}" for kind in game.options["soli"])


def _vorbehalte(options: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"hochzeit:{kind}" if kind != "fremd" else "hochzeit" for kind in options["hochzeit"])
    if options["armut"]:
        yield "armut"
    if options["throw"]:
        yield "schmeissen"
    yield from (f"solo:{kind}" for kind in options["soli"])


def _announcements(game: Calls, seat: int) -> Iterator[Saying]:
    """Yield Ansagen and Absagen that go beyond what was announced (K-19 to K-23)."""
    own = [call for call in game.made if call.seat == seat]
    for word, side in ANSAGEN.items():
        said_for_it = game.sides[seat] == side and game.level(side) >= 0
        if not own and not said_for_it:
            yield _until(game, word, side, 0)
    side = game.sides[seat] or game.spoken_for(seat)
    told = max([game.level(side) if side else -1, *(call.level for call in own)])
    for word, level in ABSAGEN.items():
        if level > told:
            yield _until(game, word, side, level)


def _until(game: Calls, word: str, side: int, level: int) -> Saying:
    """Turn a deadline, a number of cards in hand, into the seat's card (or lead) before which it ends."""
    leads = game.options["deadline_unit"] == "own_lead_index"
    card = game.hand_size - game.needed(side, level) + 1
    return Saying(word, OWN_LEAD if leads else OWN_CARD, max(1, min(card, game.hand_size)))


def _swine(game: Calls) -> Iterator[Saying]:
    options = game.options
    if not options["schweinchen"] or game.swine is not None or not has_fuchs(game.kind):
        return
    if not game.begun and game.asked() is not None:
        return
    if options["swine_call"] == "at_start":
        if not game.begun:
            yield Saying("schweinchen", FIRST_CARD)
    else:
        yield Saying("schweinchen", ROUND)
