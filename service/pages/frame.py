"""The frame around every page: head, navigation, and the place for what is the page's own."""

from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent / "static" / "html"
TITLES = {
    "home": "Home",
    "review": "Review",
    "tutor": "Tutor",
    "vocab": "Vocabulary",
    "questions": "Questions",
}
# Shown where no page is; nothing leads to it.
MISSING = "missing"
_WAITING = '<span id="waiting-count" class="badge count" hidden></span>'


def framed(name: str) -> str:
    """A whole page: its own content, shown by the script of the same name."""
    frame = Template((FOLDER / "frame.html").read_text(encoding="utf-8"))
    content = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    return frame.substitute(
        title=TITLES.get(name, "Not found"),
        script=name,
        navigation=_navigation(name),
        content=content.strip(),
    )


def _navigation(current: str) -> str:
    return "\n".join(_link(name, title, here=name == current) for name, title in TITLES.items())


def _link(name: str, title: str, *, here: bool) -> str:
    address = "/app/" if name == "home" else f"/app/{name}"
    mark = ' aria-current="page"' if here else ""
    return f'<li><a href="{address}"{mark}>{title}{_WAITING if name == "review" else ""}</a></li>'
