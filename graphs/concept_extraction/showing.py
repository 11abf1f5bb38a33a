"""Quotes, concepts and relations as a model reads them: the things themselves, never their number."""

from typing import Any

Item = dict[str, Any]


def show_quotes(refs: dict[str, str], quotes: list[Item]) -> str:
    """Every quote in full, with its short name, section and page."""
    by_id = {quote["uuid"]: quote for quote in quotes}
    lines = []
    for name, uuid in refs.items():
        quote = by_id[uuid]
        place = ", ".join(part for part in (quote.get("section"), quote.get("page_reference")) if part)
        lines.append(f"{name}{f' ({place})' if place else ''}: {' '.join(quote['text'].split())}")
    return "\n".join(lines)


def show_concepts(
    refs: dict[str, str], concepts: list[Item], quote_refs: dict[str, str] | None = None
) -> str:
    """Every concept with title and text, and the quotes it rests on."""
    by_id = {item["id"]: item for item in concepts}
    names = {uuid: name for name, uuid in (quote_refs or {}).items()}
    lines = []
    for name, uuid in refs.items():
        item = by_id[uuid]
        quotes = [names[quote] for quote in item.get("quote_ids", []) if quote in names]
        fixed = " [fixed by a person]" if item.get("locked") else ""
        held = f" (quotes: {', '.join(quotes)})" if quotes else ""
        lines.append(f"{name}: {item['title']} — {item['concept']}{held}{fixed}")
    return "\n".join(lines) or "—"


def show_relations(refs: dict[str, str], relations: list[Item], titles: dict[str, str]) -> str:
    by_id = {item["id"]: item for item in relations}
    lines = [
        f"{name}: {titles.get(by_id[uuid]['source'], '?')} {by_id[uuid]['type']} "
        f"{titles.get(by_id[uuid]['target'], '?')}"
        for name, uuid in refs.items()
    ]
    return "\n".join(lines) or "—"


def show_issues(quality: Item) -> str:
    failed = [name for name, passed in quality.get("checks", {}).items() if not passed]
    lines = [f"- {issue['check']}: {issue['issue']}" for issue in quality.get("issues", [])]
    return "\n".join([f"Failed: {', '.join(failed) or 'none'}", *lines])
