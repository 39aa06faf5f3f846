"""What all tests share: hypothesis asserts no time, and where CI runs it draws the same examples each time."""

import os

import pytest
from hypothesis import settings

from statemem import lower
from statemem.ir.text import dumps

settings.register_profile("statemem", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("statemem")


@pytest.fixture(name="source", params=["ops", "text"])
def _source(request, tmp_path):
    """A log as it is, and as the file of the text form to which it is lowered."""

    def source(log):
        if request.param == "ops":
            return log
        file = tmp_path / "log.smir"
        file.write_text(dumps(lower(log)), encoding="utf-8")
        return file

    return source
