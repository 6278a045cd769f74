"""The virtual table: players, hands and cards drawn as camera frames, for a demo without hardware."""

from table.virtual.camera import VirtualTable, painter_for, stills
from table.virtual.deeds import Lying
from table.virtual.hand_motion import MatHands
from table.virtual.players import Players, VirtualRound

__all__ = ["Lying", "MatHands", "Players", "VirtualRound", "VirtualTable", "painter_for", "stills"]
