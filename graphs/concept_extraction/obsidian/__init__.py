"""Concepts as Obsidian notes, through an outbox."""

from graphs.concept_extraction.obsidian.names import file_stem
from graphs.concept_extraction.obsidian.vault import VaultReport, work_off

__all__ = ["VaultReport", "file_stem", "work_off"]
