"""Ids that anyone can work out again: from the content and the name a thing was first seen under."""

import json
import uuid

from graphs.concept_extraction.titles import title_key

# Fixed for ever: another value would make every stored concept a stranger.
NAMESPACE = uuid.UUID("0f6a6c1e-7d1b-5b38-9a0e-3c54d7c1b2a7")


def _id(*words: str) -> str:
    return str(uuid.uuid5(NAMESPACE, json.dumps(words, ensure_ascii=False)))


def content_id(title: str, author: str) -> str:
    return _id("content", title_key(title), title_key(author))


def person_id(name: str) -> str:
    return _id("person", title_key(name))


def quote_id(content_uuid: str, text: str) -> str:
    return _id("quote", content_uuid, " ".join(text.split()))


def concept_id(content_uuid: str, title: str) -> str:
    """Fixed by the first title; a reviewer's new title keeps the id."""
    return _id("concept", content_uuid, title_key(title))


def run_id(content_uuid: str, started_at: str) -> str:
    return _id("run", content_uuid, started_at)
