"""Writing files: the whole of one or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from statemem.ir.diagnostics import UsageError


def write_whole(path: Path, text: str, logs: Iterable[str] = ()) -> None:
    """The whole file or nothing; what is no regular file, such as a device or a pipe, is written to as it is.

    A log that the text was made from is not replaced by it, unless it is in the text form itself.
    """
    if not path.name:
        raise UsageError("-o names no file")
    if path.suffix != ".smir" and path.is_file() and any(path.samefile(log) for log in logs if Path(log).is_file()):
        raise UsageError(f"-o would replace the log {path} itself; name another file")
    try:
        target = path.resolve()
    except RuntimeError:
        raise UsageError(f"{path} is a link to itself") from None
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")
        return
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
