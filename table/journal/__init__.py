"""The journal: every table event, written to disk before anything else happens with it.

`Journal.open` checks that the file is intact before writing to it, and repairs what a disk did to it: the
damaged file is kept aside, its readable part continues in a new one, and `Journal.lost` says in one sentence
what is missing.
"""

from table.journal.checkpointing import Checkpointing
from table.journal.entry import Entry, Line
from table.journal.file import JournalError, JournalHeldError, JournalNewerError, while_running
from table.journal.journal import Journal
from table.journal.reader import JournalReader
from table.journal.stand_in import bring_home, report_lost, stand_in

__all__ = [
    "Checkpointing",
    "Entry",
    "Journal",
    "JournalError",
    "JournalHeldError",
    "JournalNewerError",
    "JournalReader",
    "Line",
    "bring_home",
    "report_lost",
    "stand_in",
    "while_running",
]
