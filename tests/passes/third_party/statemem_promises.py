"""A pass that another package brings."""

from statemem.passes import Analysis, Direction


class Promised(Analysis):
    """Cells that some later reply tells before they are written again."""

    direction = Direction.BACKWARD

    def on_read(self, cell, how, state, at):
        if getattr(at.instruction, "purpose", None) == "reply":
            state.gen(cell)

    def on_write(self, cell, mode, state, at):
        state.kill(cell)
