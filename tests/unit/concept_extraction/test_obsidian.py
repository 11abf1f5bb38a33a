"""Notes in a vault: safe names, links that resolve, and a person's words that stay."""

import errno
import os
import re
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.concept_extraction.knowledge import (
    KnowledgeStore,
    PlannedConcept,
    PlannedRelation,
    PlannedSupport,
)
from graphs.concept_extraction.knowledge.sqlite import SqliteBackend
from graphs.concept_extraction.obsidian import file_stem, work_off
from graphs.concept_extraction.obsidian.names import LONGEST_NAME, free_stem, name_key
from graphs.concept_extraction.schemas import RelationType
from tests.unit.concept_extraction.contract import DIMENSION, concept, plan_for, saved, vectors_of

TITLES = ["El tiempo", "La muerte", 'Todo: \\/*?"<>|#^[]', "CON", "🙂", "a" * 300, "razón", "RAZÓN", "Razon"]
RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$", re.IGNORECASE)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[KnowledgeStore]:
    async with KnowledgeStore(SqliteBackend(tmp_path / "k.sqlite"), "test", DIMENSION) as opened:
        yield opened


async def filled(store: KnowledgeStore, titles: list[str] = TITLES, run: str = "1") -> list[str]:
    content, quotes = await saved(store)
    plan = plan_for(content, quotes, titles, run)
    # Two spellings of one name are two concepts here only because the plan says so.
    for at, item in enumerate(plan.concepts):
        item.concept.uuid = f"00000000-0000-5000-8000-{at:012d}"
    ids = [item.concept.uuid for item in plan.concepts]
    plan.supports = [PlannedSupport(quote_uuid=quotes[0].uuid, concept_uuid=ids[0], reasoning="r")]
    plan.relations = [
        PlannedRelation(source=ids[0], type=RelationType.HAS_PART, target=other, reasoning="porque [[sí]]")
        for other in ids[1:]
    ]
    await store.apply(plan, vectors_of(plan))
    return ids


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def unresolved(folder: Path) -> list[str]:
    """Links that Obsidian would not find: it looks a note up by its name, whatever the case."""
    names = {unicodedata.normalize("NFC", path.stem).casefold() for path in folder.glob("*.md")}
    missing = []
    for path in folder.glob("*.md"):
        for target in re.findall(r"\[\[([^\]|#^]+)(?:[#^|][^\]]*)?\]\]", path.read_text(encoding="utf-8")):
            if target != "sí" and unicodedata.normalize("NFC", target).casefold() not in names:
                missing.append(f"{path.name} → {target}")
    return missing


async def test_every_title_gets_a_file_and_every_link_resolves(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    ids = await filled(store)
    report = await work_off(store, vault)
    assert len(report.written) == len(ids) == len(list(vault.iterdir()))
    assert report.failed == []
    assert unresolved(vault) == []
    links = re.findall(r"\[\[[^\]]+\|[^\]]+\]\]", (vault / "El tiempo.md").read_text(encoding="utf-8"))
    assert len(links) == len(ids) - 1
    assert await store.outbox() == []


async def test_running_again_changes_no_byte(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    await filled(store)
    await work_off(store, vault)
    before = contents(vault)
    report = await work_off(store, vault, everything=True)
    assert contents(vault) == before
    assert report.written == []


async def test_a_persons_edit_is_never_overwritten(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    note = vault / "El tiempo.md"
    edited = note.read_text(encoding="utf-8").replace("explicado", "explicado por mí")
    note.write_text(edited, encoding="utf-8")
    await filled(store, ["El tiempo", "La muerte", "Otra"], run="2")
    report = await work_off(store, vault)
    assert note.read_text(encoding="utf-8") == edited
    assert [line for line in report.beside if "El tiempo.new.md" in line]
    assert "[[Otra|Otra]]" in (vault / "El tiempo.new.md").read_text(encoding="utf-8")
    before = contents(vault)
    await work_off(store, vault, everything=True)
    assert contents(vault) == before


async def test_words_around_our_part_and_tags_stay_while_our_part_is_renewed(
    store: KnowledgeStore, tmp_path: Path
) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    note = vault / "El tiempo.md"
    text = note.read_text(encoding="utf-8").replace("origin: llm", "origin: llm\ntags: [mía]")
    note.write_text(text + "\nMi reflexión.\n", encoding="utf-8")
    await filled(store, ["El tiempo", "La muerte", "Otra"], run="2")
    report = await work_off(store, vault)
    renewed = note.read_text(encoding="utf-8")
    assert "tags: [mía]" in renewed
    assert renewed.endswith("Mi reflexión.\n")
    assert "[[Otra|Otra]]" in renewed
    assert report.beside == []


async def test_a_file_of_the_persons_own_is_not_ours(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "el TIEMPO.md").write_text("mío", encoding="utf-8")
    await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    assert (vault / "el TIEMPO.md").read_text(encoding="utf-8") == "mío"
    assert (vault / "El tiempo (2).md").is_file()
    assert unresolved(vault) == []


async def test_a_renamed_file_is_found_by_its_id(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    (vault / "La muerte.md").rename(vault / "Morir.md")
    await work_off(store, vault, everything=True)
    assert not (vault / "La muerte.md").exists()
    assert "[[Morir|La muerte]]" in (vault / "El tiempo.md").read_text(encoding="utf-8")
    assert unresolved(vault) == []


async def test_a_new_title_keeps_the_file_name(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    ids = await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    content, quotes = await saved(store)
    plan = plan_for(content, quotes, [], "2")
    renamed = concept(content, "Tiempo propio").model_copy(update={"uuid": ids[0]})
    plan.concepts = [PlannedConcept(concept=renamed, edited=True)]
    await store.apply(plan, vectors_of(plan))
    await work_off(store, vault)
    text = (vault / "El tiempo.md").read_text(encoding="utf-8")
    assert "# Tiempo propio" in text
    assert '- "El tiempo"' in text
    assert "[[El tiempo|Tiempo propio]]" in (vault / "La muerte.md").read_text(encoding="utf-8")
    assert len(list(vault.iterdir())) == 2


async def test_a_run_killed_between_file_and_outbox_knows_its_words_again(
    store: KnowledgeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])

    async def killed(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(store, "notes_written", killed)
        with pytest.raises(RuntimeError):
            await work_off(store, vault)
    assert len(await store.outbox()) == 2
    await filled(store, ["El tiempo", "La muerte", "Otra"], run="2")
    report = await work_off(store, vault)
    assert report.beside == []
    assert len(list(vault.iterdir())) == 3
    assert await store.outbox() == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
async def test_a_full_or_read_only_vault_leaves_the_outbox(
    store: KnowledgeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])

    def full(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr("graphs.concept_extraction.obsidian.vault.write_atomic", full)
        report = await work_off(store, vault)
    assert len(report.failed) == 2
    assert os.strerror(code) in report.failed[0]
    assert len(await store.outbox()) == 2
    assert len((await work_off(store, vault)).written) == 2


async def test_a_vault_that_is_a_file_is_reported(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.write_text("x", encoding="utf-8")
    await filled(store, ["El tiempo"])
    assert (await work_off(store, vault)).failed
    assert len(await store.outbox()) == 1


async def test_undo_removes_our_files_and_spares_a_persons(store: KnowledgeStore, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    await filled(store, ["El tiempo", "La muerte"])
    await work_off(store, vault)
    note = vault / "La muerte.md"
    note.write_text(note.read_text(encoding="utf-8") + "\nmío\n", encoding="utf-8")
    run = next(iter(await store.runs()))
    await store.undo(run)
    report = await work_off(store, vault)
    assert [path.name for path in vault.iterdir()] == ["La muerte.md"]
    assert report.removed == ["El tiempo.md"]
    assert "stays" in report.beside[0]
    assert await store.outbox() == []


@settings(max_examples=100)
@given(st.text(max_size=400))
def test_file_names_are_safe_whatever_the_title(title: str) -> None:
    stem = file_stem(title)
    assert stem
    assert len(stem.encode()) <= LONGEST_NAME + 16
    assert not re.search(r'[\\/:*?"<>|#^\[\]\x00-\x1f]', stem)
    assert not RESERVED.match(stem)
    assert stem == stem.strip(" .")
    assert free_stem(title, {name_key(stem)}) != stem
