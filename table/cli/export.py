"""`stammtisch export`: see `table.cli.keeping`."""

from table.cli.keeping import EXPORT

register, run = EXPORT.register, EXPORT.run
