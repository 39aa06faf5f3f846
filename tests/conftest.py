"""What all tests share: hypothesis asserts no time, and where CI runs it draws the same examples each time."""

import os

from hypothesis import settings

settings.register_profile("statemem", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("statemem")
