"""A box with dice, in the table's own verbs: `box.throw("blue", "blue 3@2x,3x  white X@hole")`."""

from __future__ import annotations

from typing import Any

from table.rules import Referee, View

SIX = ("blue", "green", "yellow", "red", "purple", "orange", "black", "pink")
Proof = tuple[str, str | None, int, int | None]


def dice(words: str) -> list[dict[str, Any]]:
    """`blue 3@2x,3x` lies on the field and touches both; `red 1@hole`, `red 1@outside`, `red X@bet:C`."""
    return [die(pair) for pair in words.replace("  ", ";").split(";") if pair.strip()]


def die(word: str) -> dict[str, Any]:
    colour, _, rest = word.strip().partition(" ")
    face, _, place = rest.partition("@")
    plain: dict[str, Any] = {"colour": colour, "face": None if face == "?" else face}
    if place in ("hole", "outside") or place.startswith("bet:"):
        return plain | {"where": place, "touches": []}
    return plain | {"where": "field", "touches": place.split(",")}


class Box:
    """A referee over a box; the players are colours, blue begins."""

    def __init__(self, players: int | str = 3, first: str | None = "blue", **details: Any) -> None:
        names = list(SIX[:players]) if isinstance(players, int) else players.split()
        self.referee = Referee()
        options = details.pop("options", {})
        self.event("game", game="doppelx", preset="doppelx", options=options, players=names, **details)
        self.event("round", **({} if first is None else {"first": first}))

    def event(self, kind: str, **fields: Any) -> int:
        return self.referee.add({"kind": kind, **fields})

    def throw(self, player: str | None, words: str) -> int:
        return self.event("throw", player=player, dice=dice(words))

    def open(self, words: str = "") -> int:
        return self.throw("all", words)

    def spinner(self, colour: str) -> int:
        return self.event("say", what=f"spinner:{colour}")

    @property
    def view(self) -> View:
        return self.referee.view()

    @property
    def points(self) -> dict[str, int]:
        """Points of everybody who has chips."""
        return {seat: points for seat, points in self.referee.points().items() if points}

    @property
    def findings(self) -> list[Proof]:
        return [(f.finding, f.seat, f.event, f.about) for f in self.referee.findings()]

    @property
    def prompts(self) -> list[tuple[str, str | None]]:
        return [(prompt.what, prompt.seat) for prompt in self.view.prompts]

    def why(self, colour: str) -> str:
        """What the scoreboard says about a die of the last throw."""
        assert self.view.box is not None
        return next(row.why for row in self.view.box.dice if row.colour == colour)


def after(words: str, player: str = "blue", players: int | str = 5, **details: Any) -> Box:
    """A box after an empty opening throw and one more throw."""
    box = Box(players, **details)
    box.open()
    box.throw(player, words)
    return box
