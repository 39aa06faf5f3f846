"""The event log and the state store.

The event log is append-only and the truth; what is in force and where entries stand follows from it by replay.
Everything is stored in clear in this version: whoever can read the file can read every value in it.
"""

from .apply import Applied
from .events import Event
from .facts import Fact, StoredEntry
from .history import Change
from .store import Store
from .verify import Verified

__all__ = ["Applied", "Change", "Event", "Fact", "Store", "StoredEntry", "Verified"]
