"""Questions written by rules: sentences with one checkable fact, that fact left out."""
