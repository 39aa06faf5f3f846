"""What a story can speak of: entities, fields and values nobody has spoken of yet, in the words of its world."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs

from statemem.ir import Cell, key, name

from .dialogue import SESSION, USER, Plant
from .words import Entity
from .world import World


@attrs.define
class Subjects:
    """The subjects of one story; what is drawn for it is known to be its own."""

    world: World
    plant: Plant

    @property
    def draw(self) -> Random:
        """Where all chance comes from."""
        return self.world.draw

    @property
    def now(self) -> int:
        """The number of the turn at hand."""
        return self.world.now

    def entity(self, kind: str | None = None) -> Entity:
        """Something nobody has spoken of yet, of any kind or of one."""
        return self.world.words.entity(self.world.number(), self.draw, kind)

    def cell(self, entity: Entity | None = None, field: str | None = None) -> Cell:
        """A field of an entity, of a new one by default."""
        entity = entity or self.entity()
        field = field or self.world.words.field(entity.kind, self.draw)
        self.world.spoken_of[f'["{entity.key}"]'] = self.plant
        return Cell(USER, (name(entity.kind), key(entity.key), name(field)))

    def conclusion(self) -> Cell:
        """Where a conclusion is kept."""
        entity = self.world.words.conclusion(self.world.number())
        field = self.draw.choice(list(self.world.words.data["conclusion"]["fields"]))
        return self.cell(entity, field)

    def note(self) -> Cell:
        """Where a note is kept that has no other name."""
        return Cell(SESSION, (name("note"), key(f"N{self.world.number()}"), name("text")))

    def deep(self) -> int:
        """How deep this one goes."""
        self.plant.depth = self.draw.randint(*self.world.level.depth)
        return self.plant.depth

    def value(self, *cells: Cell) -> Any:
        """A value that none of some cells of one kind has had."""
        had = [one.value for each in cells for one in self.world.ledger.of_cell(each)]
        while (found := self.world.value(cells[0].path[0].text, cells[0].path[-1].text)) in had:
            pass
        return found

    def required(self, kind: str, field: str) -> Any:
        """A value of what a kind of task needs."""
        return self.world.words.value(kind, field, self.draw)

    def word(self) -> str:
        """A word such as `it`, which nobody else uses."""
        return f"it{self.world.number()}"

    def key(self) -> str:
        """A key by which an effect is told from every other."""
        return f"k{self.world.number()}"

    def effect(self) -> str:
        """Something that is done to the world."""
        return self.world.words.effect(self.draw)
