"""Klapper-Jas's house rules as typed options: every JA- line of RULES.md that leaves a choice."""

from __future__ import annotations

from table.rules.setup import SWITCH, Option

OPTIONS: tuple[Option, ...] = (
    Option("dice", "J-47", "one", ("one", "two")),
    Option(
        "tie3",
        "JA-2",
        "declarer_loses",
        ("declarer_loses", "declarer_wins"),
    ),
    Option("long_runs", "JA-3", "best_partition", ("best_partition",)),
    Option("meld_needs_trick", "JA-4", "party", ("party", "player")),
    Option(
        "no_trick_meld",
        "JA-17",
        "nobody",
        ("nobody", "next_best"),
    ),
    Option("seven_swap", "JA-6", "always", ("always", "orgi_only")),
    Option("undertrump", "JA-7", "forced", ("forced", "free")),
    Option("partner_exception", "JA-8", False, SWITCH),
    Option(
        "first_announcer",
        "JA-14",
        "seat_order",
        ("seat_order", "time"),
    ),
    Option("show_inference", "G-14", False, SWITCH),
)
