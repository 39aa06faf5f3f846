"""Writing files: the whole of one or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from statemem.ir.diagnostics import UsageError


def write_whole(path: Path, text: str, read: Iterable[str] = (), *, in_place: str | None = ".smir") -> None:
    """The whole file or nothing; what is no regular file, such as a device or a pipe, is written to as it is.

    A file that was read to make the text is not replaced by it, unless its suffix says that it has the same form.
    """
    if not path.name:
        raise UsageError("an empty path names no file")
    if path.suffix != in_place and path.is_file() and any(path.samefile(one) for one in read if Path(one).is_file()):
        raise UsageError(f"what is written would replace {path}, from which it is made; name another file")
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
