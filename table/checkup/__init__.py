"""What may be wrong with a table, looked at: each part with a verdict and a remedy, in every language.

`computer` looks at the machine, `picture` at one frame, `running` at a table that plays: it takes that
table's own figures and opens nothing a second time. `stammtisch doctor` and the page `/doctor` show them.
"""

from table.checkup.verdict import CheckupLine

__all__ = ["CheckupLine"]
