"""`dialogue_state`: annotated dialogues of research data sets, whose annotation says what holds after each turn.

Known are the shapes of SGD (and MultiWOZ 2.2, which has it), MultiWOZ 2.0 and 2.1, CrossWOZ, and STAR. A file holds an
array of dialogues, one a line, or an object of dialogues by their ids.
"""

from .frontend import DialogueState

__all__ = ["DialogueState"]
