"""Klapper-Jas's house rules as typed options: every JA- line of RULES.md that leaves a choice."""

from __future__ import annotations

from table.rules.setup import SWITCH, Option

OPTIONS: tuple[Option, ...] = (
    Option("dice", "J-47", "one", ("one", "two"), "one die a player, up and down, or two"),
    Option(
        "tie3",
        "JA-2",
        "declarer_loses",
        ("declarer_loses", "declarer_wins"),
        "with three an opponent has as much as the declarer",
    ),
    Option("long_runs", "JA-3", "best_partition", ("best_partition",), "how five in sequence are melded"),
    Option("meld_needs_trick", "JA-4", "party", ("party", "player"), "whose trick a meld needs with four"),
    Option(
        "no_trick_meld",
        "JA-17",
        "nobody",
        ("nobody", "next_best"),
        "who counts when the best meld's holder wins no trick",
    ),
    Option("seven_swap", "JA-6", "always", ("always", "orgi_only"), "in which games the 7 may be swapped"),
    Option("undertrump", "JA-7", "forced", ("forced", "free"), "who cannot go higher must trump anyway"),
    Option("partner_exception", "JA-8", False, SWITCH, "who is winning with his partner need not trump"),
    Option(
        "first_announcer",
        "JA-14",
        "seat_order",
        ("seat_order", "time"),
        "who was first of two equal melds",
    ),
    Option("show_inference", "G-14", False, SWITCH, "show who has shown himself out of a suit"),
)
