"""The rules: pure, standard library only. What the rest of the house needs is here."""

from table.rules.events import Event, EventError, parse, write
from table.rules.referee import Referee
from table.rules.view import View

__all__ = ["Event", "EventError", "Referee", "View", "parse", "write"]
