"""Inner graphs."""
