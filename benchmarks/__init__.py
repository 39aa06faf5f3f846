"""Measurements on real logs; each runs as a module and reads its data from the path in STATEMEM_DATA."""
