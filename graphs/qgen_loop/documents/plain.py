"""Plain text: the lines of the file as they are."""

from graphs.qgen_loop.documents.lines import decode, paged, split_lines
from graphs.qgen_loop.documents.source import Parsed, Source


def parse(source: Source) -> Parsed:
    """Lines of a text file in any common encoding; form feeds separate pages."""
    text, warnings = decode(source.data, source.path.name)
    lines, pages = paged(split_lines(text))
    return Parsed("text", lines, pages, max(pages, default=1), warnings=warnings)
