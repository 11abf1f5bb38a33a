"""Talking to Anki: what it accepts, what it holds, what we wrote, and how to take it back."""
