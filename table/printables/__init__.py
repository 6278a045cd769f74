"""Printables: mat, deck, dice and tiles from one source each, for the printer and for the virtual table."""

from table.printables.cards import draw_back, draw_card, dubbe_deck
from table.printables.drawing import Drawing, PrintError
from table.printables.mat import draw_mat, tiled
from table.printables.paper import write_pdf
from table.printables.plan import MatPlan, plan_mat
from table.printables.raster import render
from table.printables.tablefile import table_file

__all__ = [
    "Drawing",
    "MatPlan",
    "PrintError",
    "draw_back",
    "draw_card",
    "draw_mat",
    "dubbe_deck",
    "plan_mat",
    "render",
    "table_file",
    "tiled",
    "write_pdf",
]
