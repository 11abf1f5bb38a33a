"""Quotes files: Markdown that a reader wrote, to quotes with section, page and line."""

from graphs.concept_extraction.quotes.decode import decode
from graphs.concept_extraction.quotes.language import Language, language_of
from graphs.concept_extraction.quotes.parser import ParsedQuote, ParsedQuotes, parse_quotes

__all__ = ["Language", "ParsedQuote", "ParsedQuotes", "decode", "language_of", "parse_quotes"]
