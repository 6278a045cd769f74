"""The games once more, read from the players' own texts by somebody who never saw the referee.

Nothing here imports `table.rules`: a judge who copies the other one's verdict is no second judge. Where the
texts leave something open, RULES.md says what the house decided; its ids stand at the lines.
"""
