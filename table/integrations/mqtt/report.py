"""The state of the table as sent over the network, made from view and health."""

from __future__ import annotations

from table.live import Table
from table.messages import TableState


def report(table: Table, name: str, names: bool) -> TableState:
    """The state message of a table; `names`: whether it includes people's names."""
    view, health = table.session.view, table.health
    named = dict(zip(view.seats, view.players, strict=False)) if names else {}
    return TableState(
        table=name,
        game=view.game,
        number=table.session.game,
        round=view.round,
        phase=view.phase,
        seats=list(view.seats),
        players=list(view.players) if names else [],
        points=dict(view.points),
        turn=view.turn,
        trump=view.trump,
        over=view.over,
        winners=list(view.winners),
        doubts=len(view.doubts),
        score=" · ".join(f"{named.get(seat) or seat} {points}" for seat, points in view.points.items()),
        camera=health.camera.what,
        sight=health.sight.what,
        board=health.board.what,
        journal=health.journal.what,
    )
