"""What may be wrong with a table: each part with a verdict and a remedy, in every language.

`computer` looks at the machine, `picture` at one frame, `running` at a playing table: it uses that
table's own figures and opens nothing a second time. `stammtisch doctor` and the page `/doctor` show them.
"""

from table.checkup.verdict import CheckupLine

__all__ = ["CheckupLine"]
