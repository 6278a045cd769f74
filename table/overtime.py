"""Keeps a game going that only a doubtful die would end: the guests may still correct that die.

The rules count no throw after the end (X-29); throws reported all the same count if the doubt undoes the end.
"""

from __future__ import annotations

from dataclasses import replace

from table.rules.view import View


def going_on(view: View, since: str | None) -> View:
    """The view for players who go on; unchanged unless a throw with a die in doubt ended the game.

    `since`: the colour that threw last after the end; None where nobody has.
    """
    box = view.box
    if not view.finished or box is None or box.player is None or not any(die.doubt for die in box.dice):
        return view
    last = view.seats[view.players.index(since)] if since in view.players else box.player
    following = view.seats[(view.seats.index(last) + 1) % len(view.seats)]
    return replace(view, finished=False, turn=following, box=replace(box, due=(following,)))
