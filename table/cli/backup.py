"""`stammtisch backup`: see `table.cli.keeping`."""

from table.cli.keeping import BACKUP

register, run = BACKUP.register, BACKUP.run
