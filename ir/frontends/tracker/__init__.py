"""`tracker`: the events of a dialogue tracker in the shape of Rasa, with its undone turns as branches.

A tracker dump `{sender_id, events: […], slots}`, an array of such, JSON Lines of events or of rows of the SQL table,
or the SQLite database with that table.
"""

from .frontend import Tracker

__all__ = ["Tracker"]
