"""What `study cards` does: read the vault, look at Anki, let the graph decide, write what was decided."""
