"""The four reading tools, bound to one document; they remember what was looked at."""

from dataclasses import dataclass, field

from langchain_core.tools import BaseTool, tool

from common.errors import StudyError
from common.prompts import fence
from graphs.qgen_loop.documents.document import Document
from graphs.qgen_loop.schemas import Mode

MAX_LINES = 200
MAX_CHARS = 16_000
MAX_LISTED = 80
NOT_IN_TEXTUAL_MODE = "view_page is not applicable in textual mode: read the text instead."


@dataclass
class Viewed:
    """Lines read, pages looked at, and pages whose image the model has yet to see."""

    spans: list[list[int]] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    pending: list[int] = field(default_factory=list)


def document_tools(document: Document, mode: Mode, viewed: Viewed) -> list[BaseTool]:
    """read_lines, search, view_page and list_visual_content for one document."""

    @tool
    def read_lines(start_line: int, end_line: int | None = None) -> str:
        """Read lines start_line to end_line of the document, with line numbers; to the end if left out."""
        wanted = document.total_lines if end_line is None else end_line
        passage = document.read_lines(start_line, min(wanted, start_line + MAX_LINES - 1))
        text = passage.text[:MAX_CHARS]
        last = start_line + text.count("\n") if len(text) < len(passage.text) else passage.end_line
        viewed.spans.append([start_line, last])
        cut = (
            f" Shown to line {last}; ask again from there."
            if last < min(wanted, document.total_lines)
            else ""
        )
        return f"{fence(text, 'document')}\nLines {start_line}–{last} of {document.total_lines}.{cut}"

    @tool
    def search(pattern: str, context_lines: int = 2) -> str:
        """Find a phrase or regular expression (RE2, case ignored), with context_lines around each hit."""
        result = document.search(pattern, context_lines)
        for match in result.matches:
            viewed.spans.append([match.line - len(match.before), match.line + len(match.after)])
        shown = "\n--\n".join(str(match) for match in result.matches)[:MAX_CHARS]
        return "\n".join(part for part in (fence(shown, "document") if shown else "", result.note) if part)

    @tool
    def view_page(page_number: int) -> str:
        """Look at a page as an image. Only for formats with a visual layout, in visual mode."""
        if mode == "textual":
            return NOT_IN_TEXTUAL_MODE
        view = document.view_page(page_number)
        if view.status == "image":
            viewed.pages.append(page_number)
            viewed.pending.append(page_number)
            return f"Page {page_number} follows as an image."
        return str(view)

    @tool
    def list_visual_content() -> str:
        """List the figures, tables and images of the document with page, label and caption."""
        items = document.list_visual_content()
        if not items:
            return "The document has no visual content."
        listed = "\n".join(str(item) for item in items[:MAX_LISTED])
        more = f"\n{len(items) - MAX_LISTED} more are not shown." if len(items) > MAX_LISTED else ""
        return fence(listed, "document") + more

    return [read_lines, search, view_page, list_visual_content]


def in_words(error: Exception) -> str:
    """A failed tool call as an answer the model can act on."""
    if isinstance(error, StudyError):
        return str(error)
    return f"The call was not understood: {str(error)[:300]}"
