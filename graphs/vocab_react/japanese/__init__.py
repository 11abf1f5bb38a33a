"""Japanese: words of a song, their readings and parts, and the check of every item."""

from graphs.vocab_react.japanese.verify import Verdict, verify

__all__ = ["Verdict", "verify"]
