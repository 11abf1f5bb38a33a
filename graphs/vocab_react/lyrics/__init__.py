"""Lyrics: where they come from, how they are read safely, and what is kept."""
