"""Writing files: the whole of one or nothing."""

from __future__ import annotations

from pathlib import Path

from statemem.ir.diagnostics import UsageError


def write_whole(path: Path, text: str) -> None:
    """The whole file or nothing; what is no regular file, such as a device or a pipe, is written to as it is."""
    if not path.name:
        raise UsageError("-o names no file")
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
