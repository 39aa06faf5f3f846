"""What all tests share: hypothesis asserts no time."""

from hypothesis import settings

settings.register_profile("statemem", deadline=None)
settings.load_profile("statemem")
