"""Control flow: the graph of a program, its loops, the ways through it, what its chains do to places."""
