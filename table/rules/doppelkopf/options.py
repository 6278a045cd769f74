"""Doppelkopf's house rules as typed options (K-50 to K-73 and every KA- line that leaves a choice)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from table.catalogue import fact
from table.rules.doppelkopf.score import SPECIALS, Tariff
from table.rules.doppelkopf.terms import HOCHZEITEN, LEVELS, SOLI
from table.rules.events import EventError, nearest
from table.rules.setup import SWITCH, Option, Setup


@dataclass(frozen=True, slots=True)
class SomeOf(Option):
    """Any of the choices, in order: a list, or a string with commas. `H10` may stand for `HT`."""

    def read(self, value: Any) -> tuple[str, ...]:
        """Return the items as a tuple. Raises EventError that says what they may be."""
        assert self.choices is not None
        items = (
            [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value
        )
        if not isinstance(items, list | tuple):
            raise EventError(self.wrong(value, fact("remedy.list", known=self.choices)))
        items = [item.replace("10", "T") if isinstance(item, str) else item for item in items]
        for item in items:
            if item not in self.choices:
                remedy = nearest(str(item), self.choices)
                raise EventError(
                    fact("opening.option.has", option=self.name, value=repr(item), remedy=remedy)
                )
        return tuple(dict.fromkeys(items))


@dataclass(frozen=True, slots=True)
class CountOption(Option):
    """A whole number from 0 to `most`."""

    most: ClassVar[int] = 12

    def read(self, value: Any) -> int:
        """Return the number. Raises EventError that says what it may be."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= self.most:
            return value
        raise EventError(self.wrong(value, fact("remedy.count", most=self.most)))


RANKS_OF_SOLI: tuple[str, ...] = ("as", "farbe", "buben", "damen", "trumpf")
"""Kinds of soli, where a rule set ranks them (K-53)."""
THROWS: tuple[str, ...] = ("5_koenige", "6_zehnen", "5_neunen", "fuchs_unterlegen", "2_truempfe")
"""Why a hand may be thrown in (K-65)."""
FACTORS: tuple[str, ...] = ("solo", "lost_solo", "re", "kontra")

OPTIONS: tuple[Option, ...] = (
    Option("cards", "K-50", 48, (48, 40)),
    SomeOf("second_beats_first", "K-07", (), ("HT", "DA")),
    Option("withdraw", "K-51", False, SWITCH),
    SomeOf("soli", "K-52", SOLI, SOLI),
    SomeOf("solo_order", "K-53", (), RANKS_OF_SOLI),
    SomeOf(
        "reservations",
        "K-15",
        ("solo", "schmeissen", "armut", "hochzeit"),
        ("solo", "schmeissen", "armut", "hochzeit"),
    ),
    SomeOf("hochzeit", "K-54", ("fremd",), HOCHZEITEN),
    Option("hz_limit", "KA-5", "first3", ("first3", "own3")),
    Option("hz_wait", "KA-4", True, SWITCH),
    Option("hz_shift", "K-21", True, SWITCH),
    Option(
        "hz_calls",
        "K-58",
        "clarified",
        ("clarified", "re_clarified", "free"),
    ),
    CountOption("ansage_cards", "K-56", 11, None),
    CountOption("k90_cards", "K-57", 10, None),
    CountOption("k60_cards", "K-57", 9, None),
    CountOption("k30_cards", "K-57", 8, None),
    CountOption("schwarz_cards", "K-57", 7, None),
    Option(
        "deadline_unit",
        "KA-3",
        "own_card_index",
        ("own_card_index", "own_lead_index"),
    ),
    Option("reply", "K-23", True, SWITCH),
    Option("jump_late", "K-22", False, SWITCH),
    SomeOf(
        "specials",
        "K-59",
        ("doppelkopf", "fuchs_gefangen", "karlchen", "gegen_die_alten"),
        SPECIALS,
    ),
    Option("solo_specials", "K-60", False, SWITCH),
    CountOption("armut", "K-61", 0, None),
    Option(
        "armut_fuchs",
        "K-61",
        "shown",
        ("shown", "fourth"),
    ),
    Option("armut_return", "K-62", True, SWITCH),
    Option("armut_twice", "K-63", "first", ("first", "thrown_in")),
    Option(
        "armut_hochzeit",
        "K-64",
        "free",
        ("free", "together"),
    ),
    SomeOf("throw", "K-65", (), THROWS),
    Option("schweinchen", "K-66", False, SWITCH),
    Option("swine_call", "KA-9", "at_play", ("at_play", "at_start")),
    Option("spitze", "K-66", False, SWITCH),
    Option("spitze_in_solo", "KA-8", False, SWITCH),
    Option("solo_leads", "K-67", "pflichtsolo", ("pflichtsolo", "always", "never")),
    Option("deal_after_solo", "K-68", "next", ("next", "same")),
    Option(
        "pflichtsolo",
        "K-69",
        "none",
        ("none", "one_each", "after_lost_solo"),
    ),
    Option("bock", "K-70", "none", ("none", "lost_call")),
    Option("bock_overlap", "KA-13", "add", ("add", "restart")),
    Option("kontra_alone", "K-71", True, SWITCH),
    Option("tariff", "K-72", "points", ("points", "factors")),
    SomeOf("factors", "K-72", (), FACTORS),
    Option("factor_scope", "KA-10", "base_only", ("base_only", "all")),
    Option("solo_is_re", "KA-18", False, SWITCH),
    Option("silent_kontra", "K-73", False, SWITCH),
    Option("show_inference", "G-14", False, SWITCH),
)


def deadlines(options: Mapping[str, Any]) -> tuple[int, ...]:
    """Return for each level the number of cards that the hand must still hold (K-19, K-20, K-56, K-57)."""
    return tuple(options[f"{level}_cards"] for level in LEVELS)


def tariff(setup: Setup) -> Tariff:
    """Return the tariff of this rule set."""
    options = setup.options
    return Tariff(
        options["kontra_alone"],
        "gegen_die_alten" in options["specials"],
        options["factors"] if options["tariff"] == "factors" else None,
        options["factor_scope"] == "all",
    )


def check(options: Mapping[str, Any]) -> None:
    """Raise EventError for options that contradict each other."""
    due = deadlines(options)
    if list(due) != sorted(due, reverse=True):
        names = " ≥ ".join(f"{level}_cards" for level in LEVELS)
        raise EventError(fact("opening.rules.deadlines", names=names))
    if options["spitze"] and options["cards"] == 40:
        raise EventError(fact("opening.rules.spitze"))
    if "5_neunen" in options["throw"] and options["cards"] == 40:
        raise EventError(fact("opening.rules.throw"))
    if options["spitze"] and options["schweinchen"]:
        raise EventError(fact("opening.rules.highest"))
    if options["factors"] and options["tariff"] == "points":
        raise EventError(fact("opening.rules.factors"))
