"""The eye's findings in the form of events.md#throws, shared by events, `look` and `watch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vision.sightings import DieSeen, Guess

KEPT_CANDIDATES = 4


def number(value: float, decimals: int) -> float:
    """Round to a Python float: the eye may return numpy numbers, which JSON cannot encode."""
    return round(float(value), decimals)


def candidates(guesses: Sequence[Guess]) -> list[list[Any]]:
    """The likeliest names with their confidence (0..1, three decimals), best first."""
    return [[g.name, number(g.confidence, 3)] for g in guesses[:KEPT_CANDIDATES]]


def die(seen: DieSeen, decimals: int = 1) -> dict[str, Any]:
    """One die of a throw; its centre (millimetres, or pixels without a table) to `decimals` places."""
    told: dict[str, Any] = {
        "colour": seen.colour,
        "face": seen.face,
        "where": seen.where,
        "touches": list(seen.touches),
        "center": [number(v, decimals) for v in seen.center_mm],
        "yaw": number(seen.yaw_deg, 1),
    }
    if seen.counts_as is not None:
        told["counts_as"] = seen.counts_as
    if seen.margin_mm is not None:
        told["margin_mm"] = number(seen.margin_mm, 2)
    if seen.cocked:
        told["cocked"] = True
    if seen.doubt:
        told["doubt"] = list(seen.doubt)
    if seen.candidates:
        told["candidates"] = candidates(seen.candidates)
    if seen.edge_mm is not None:
        told["edge_mm"] = number(seen.edge_mm, 0)
    return told


def unseen_die(colour: str, where: str, candidates: Mapping[str, float]) -> dict[str, Any]:
    """An unseen die in its likely place, until somebody says otherwise; `candidates`: beliefs, 0..1."""
    unseen = {"in_view": False} if where != "outside" else {}
    return {
        "colour": colour,
        "face": None,
        "where": where,
        "touches": [],
        **unseen,
        "doubt": ["line"],
        "candidates": [[name, round(belief, 2)] for name, belief in candidates.items()],
    }
