"""Value linking: definitions and uses of logs that name none, by the numbered rules of the IR's specification."""

from .linker import Linker

__all__ = ["Linker"]
