"""The report of `stammtisch enrol` on a deck: what was learnt and refused, and which cards look alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vision.cards.deck import Deck

_SAME = 0.003
"""Share of ink below which two faces are one picture under two names; unmarked 6 and 9 differ by twice it."""
_TOLD = 12


@dataclass(frozen=True, slots=True)
class Files:
    """The files that were written; None if one was not."""

    deck: str | None
    sheet: str | None


def as_json(
    deck: Deck, missing: Sequence[str], foreign: Sequence[str], files: Files, wanted: bool
) -> list[str]:
    """The report as one JSON object. `found` has corners in pixels of each picture, x right, y down."""
    pairs = [[pair.first, pair.second, round(pair.apart, 4)] for pair in deck.look_alikes()]
    size = [round(v, 1) for v in deck.size_mm] if deck.size_mm else None
    told: dict[str, Any] = {
        "cards": list(deck.cards),
        "size_mm": size,
        "look_alikes": pairs,
        "odd": list(deck.odd),
    }
    told["strangers"] = list(deck.strangers)
    told["doubted"] = [list(pair) for pair in deck.doubted]
    told["unchecked"] = [list(group) for group in deck.unchecked]
    told["found"] = [
        {"card": each.name, "image": each.where, "corners": each.corners.round(2).tolist()}
        for each in deck.taken
    ]
    told["refused"] = [
        {"card": each.name, "image": each.where, "reason": each.reason} for each in deck.refused
    ]
    told["saved"] = files.deck is not None
    told |= {key: list(said) for key, said in (("missing", missing), ("foreign", foreign)) if said}
    return [json.dumps(told, ensure_ascii=False)]


def in_words(
    deck: Deck, missing: Sequence[str], foreign: Sequence[str], files: Files, wanted: bool
) -> list[str]:
    """The report for people; `wanted`: the deck was to be saved."""
    size = f", {deck.size_mm[0]:.1f} x {deck.size_mm[1]:.1f} mm" if deck.size_mm else ""
    cards, pictures = (_counted(*each) for each in ((deck.cards, "card"), (deck.names, "picture")))
    said = [f"{cards} learnt from {pictures}{size}."]
    if not deck.names:
        said = ["No card was learnt."]
    if deck.refused:
        said.append(f"Not learnt, {len(deck.refused)} of {len(deck.names) + len(deck.refused)} pictures:")
        said += [f"  {each.where}: {each.reason}" for each in deck.refused]
    if missing:
        said.append(f"Missing: {', '.join(missing)}")
    if foreign:
        said.append("Cards of these names are not needed; remove their pictures or rename them:")
        said.append(f"  {', '.join(foreign)}")
    if deck.strangers:
        said.append(
            "These look like no other card; if they do not belong to this deck, remove their pictures:"
        )
        said.append(f"  {', '.join(deck.strangers)}")
    if deck.doubted:
        said.append("These look rather like another card; check that each picture has the right name:")
        said += [f"  {name} (like {other})" for name, other in deck.doubted]
    if deck.unchecked:
        groups = "; ".join(", ".join(group) for group in deck.unchecked)
        said.append(
            f"Names not checked against each other: cards of {groups}. Their prints do not show"
            " whether two of them have each other's name; check on the contact sheet that each has the "
            "right name."
        )
    if deck.odd:
        said.append(
            "These have a different shape from the rest; check that each picture shows one whole card:"
        )
        said.append(f"  {', '.join(deck.odd)}")
    said += _pairs(deck)
    if files.deck:
        partial = " --partial" if deck.missing else ""
        said.append(f"Saved: {files.deck}; give it to watch, look and run with --deck {files.deck}{partial}")
    elif wanted and deck.names and not deck.refused:
        said.append("Not saved.")  # the sentence at the end says why
    elif wanted and deck.names:
        said.append("Not saved. Take those pictures again, or save the deck without them with --partial.")
    elif wanted:
        said.append("Not saved: there is nothing to save. Take those pictures again.")
    else:
        said.append("Nothing was saved; save the deck with --out my.deck.")
    if files.sheet:
        said.append(f"All faces to look at: {files.sheet}")
    return said


def _counted(things: Sequence[str], kind: str) -> str:
    return f"{len(things)} {kind}{'' if len(things) == 1 else 's'}"


def _pairs(deck: Deck) -> list[str]:
    alike = deck.look_alikes()
    said = []
    same = [pair for pair in alike if pair.apart < _SAME]
    if same:
        said.append("These are almost the same picture; is one card there under two names?")
        said += [f"  {pair.first} and {pair.second}" for pair in same]
    alike = [pair for pair in alike if pair.apart >= _SAME]
    if alike:
        said.append("These look alike; add light or bring the camera nearer if the table is often unsure:")
        said += [
            f"  {pair.first} and {pair.second}: {pair.apart:.1%} of their ink differs"
            for pair in alike[:_TOLD]
        ]
    elif deck.nearest_pairs and not same:
        pair = deck.nearest_pairs[0]
        said.append(
            f"No two look alike; the nearest are {pair.first} and {pair.second}:"
            f" {pair.apart:.0%} of their ink differs."
        )
    return said
