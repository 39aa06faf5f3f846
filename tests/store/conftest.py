"""Stores in tests need not survive a power cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, event


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    event.listen(Engine, "connect", _hurry)
    yield
    event.remove(Engine, "connect", _hurry)


def _hurry(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA synchronous=OFF")
