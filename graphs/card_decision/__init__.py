"""Obsidian notes become Anki cards, and nothing the user wrote is ever lost."""
