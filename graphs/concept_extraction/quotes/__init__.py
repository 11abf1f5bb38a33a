"""Quotes files: Markdown that a reader wrote, to quotes with section, page and line."""

from graphs.concept_extraction.quotes.clippings import Clipping, clippings_of
from graphs.concept_extraction.quotes.decode import decode
from graphs.concept_extraction.quotes.headings import says_quotes
from graphs.concept_extraction.quotes.language import Language, language_of
from graphs.concept_extraction.quotes.parsed import ParsedQuote, ParsedQuotes
from graphs.concept_extraction.quotes.parser import parse_quotes

__all__ = [
    "Clipping",
    "Language",
    "ParsedQuote",
    "ParsedQuotes",
    "clippings_of",
    "decode",
    "language_of",
    "parse_quotes",
    "says_quotes",
]
