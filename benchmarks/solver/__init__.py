"""How fast the solver is: workloads made from a seed, others that solve the same, and what is to be reached."""
