"""The refusals of the store: what is wrong with a file, a log or a call, and what to do."""

from __future__ import annotations

from statemem.ir.diagnostics import InputError, Location, Problem

_DAMAGED = (
    "ST006",
    "the store is damaged: {}",
    "restore FILE.bak, the copy made before the last change, or apply the logs to a new store",
)
_CLOSED = (
    "ST007",
    "the store cannot be opened or written here: {}",
    "check the permissions of the file and of its folder, which takes two more files while the store is open",
)
_BUSY = ("ST008", "another process keeps writing to the store: {}", "try again when it has finished")
_FULL = ("ST009", "the disk failed: {}; nothing was changed", "make room, or move the store")
_FOREIGN = ("ST004", "the database is not laid out as a store: {}", "name a store of statemem, or a new file")
_CAUSES = {
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_READONLY": _CLOSED,
    "SQLITE_CANTOPEN": _CLOSED,
    "SQLITE_PERM": _CLOSED,
    "SQLITE_AUTH": _CLOSED,
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": _FULL,
}


def refusal(code: str, message: str, *, location: Location | None = None, hint: str | None = None) -> InputError:
    """One problem as an error."""
    return InputError(Problem(code=code, message=message, location=location or Location(), hint=hint))


def from_database(error: BaseException | None, file: str) -> InputError:
    """What an error of the database means to the person whose file it is."""
    name = getattr(error, "sqlite_errorname", "")
    code, message, hint = next((cause for start, cause in _CAUSES.items() if name.startswith(start)), _FOREIGN)
    return refusal(code, message.format(error), location=Location(file=file), hint=hint)
