"""Commands over a store: `store apply`, `store state`, `store history`."""

import click


@click.group()
def store() -> None:
    """Keep memory in an event-sourced store: apply logs to it, read back what is in force and how it came to be."""
