"""Two plain passes that several tests try: what was written on some path, and what on every one."""

from statemem.passes import Analysis
from statemem.passes.framework import DualPowerset


class Written(Analysis):
    """Cells that were written on some path."""

    def on_write(self, cell, mode, state, at):
        state.gen(cell)

    def on_delete(self, cell, state, at):
        state.kill(cell)


class WrittenForSure(Written):
    """Cells that were written on every path."""

    facts = DualPowerset()
