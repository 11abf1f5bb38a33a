"""Inner graphs, and what they share with the nodes of the outer one."""
