"""What the executable meaning of programs rests on: places, names, rank, joins. `ir.state` puts it together."""
