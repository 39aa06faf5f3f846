"""How a solution came about."""

from __future__ import annotations

import attrs


@attrs.define
class Statistics:
    """What solving took.

    `way` is `packed` where the methods of the analysis were asked once per kind of event, else `general`, and `reason`
    says why it could not be packed. `regions` counts the segments that needed a worklist; `visits` what was gone
    through, blocks, or where sets are packed the stretches of those segments. After a growth, `resolved` counts the
    segments that were solved again or for the first time.
    """

    way: str
    reason: str = ""
    visits: int = 0
    regions: int = 0
    resolved: int = 0
