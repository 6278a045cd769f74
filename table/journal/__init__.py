"""The journal: every table event, written to disk before anything else happens with it.

`Journal.open` proves the file whole before it is written; what disks do to it is mended there: the damaged
file is kept aside, what can be read goes on in a new one, and `Journal.lost` says in one sentence what is
missing.
"""

from table.journal.checkpointing import Checkpointing
from table.journal.entry import Entry, Line
from table.journal.file import JournalError, JournalHeldError
from table.journal.journal import Journal
from table.journal.reader import JournalReader

__all__ = ["Checkpointing", "Entry", "Journal", "JournalError", "JournalHeldError", "JournalReader", "Line"]
