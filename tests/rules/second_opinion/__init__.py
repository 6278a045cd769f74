"""The games a second time, written from the players' own texts by somebody who never saw the referee.

Nothing here imports `table.rules`: a judge who copies another's verdict is no second judge. Where the texts
leave something open, RULES.md records the house's decision; its ids are next to the lines.
"""
