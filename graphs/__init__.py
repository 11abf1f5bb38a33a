"""The five graphs, one room each."""
