"""`stammtisch restore`: see `table.cli.keeping`."""

from table.cli.keeping import RESTORE

register, run = RESTORE.register, RESTORE.run
