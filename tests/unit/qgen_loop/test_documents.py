"""Four formats behind one interface, and every bad file that must end in a clear word."""

import os
import time
from pathlib import Path

import pytest

from common.errors import BadInput, NotFound
from graphs.qgen_loop.documents import open_document
from graphs.qgen_loop.documents.opening import forget_documents
from tests.fakes import qgen_documents as made
from tests.speed import seconds


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    forget_documents()


def write(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_plain_text_lines_and_pages(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, "a.txt", "one\r\ntwo\n\fthree\n"))
    assert document.lines == ["one", "two", "three"]
    assert document.line_pages == [1, 1, 2]
    assert str(document.read_lines(2, 3)) == "2: two\n3: three\n[lines 2–3 of 3]"
    assert document.read_lines(2).end_line == 3
    assert document.view_page(1).status == "not_applicable"
    assert "not applicable" in str(document.view_page(1))
    assert document.list_visual_content() == []
    assert document.tables(1) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "The café on Skarn Rock opened in 1811.\nIt closed later.\n" * 3
    document = open_document(write(tmp_path, "a.txt", text.encode(encoding)))
    assert document.lines[0] == "The café on Skarn Rock opened in 1811."


def test_damaged_characters_are_told(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, "a.txt", b"word " * 500 + b"\xff" + b" end\n"))
    assert "damaged" in document.warnings[0]


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.txt", b"", "is empty"),
        ("empty.pdf", b"", "is empty"),
        ("image.txt", bytes(range(256)) * 40, "binary"),
        ("fake.pdf", b"hello, this is no pdf at all\n" * 10, "damaged or not a PDF|0 pages"),
        ("cut.pdf", made.figure_pdf()[:300], "damaged|0 pages"),
        ("zero.pdf", made.pages_pdf([]), "0 pages"),
        ("cyclic.pdf", made.cyclic_pdf(), "0 pages|damaged|cannot be opened"),
        ("broken.xml", b"<article><body><p>never closed", "not well-formed"),
        ("other.xml", b"<feed><entry/></feed>", "not a JATS article"),
        ("depth.xml", b"<article>" * 5000, "not well-formed"),
    ],
)
def test_bad_files_end_in_clear_words(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        open_document(write(tmp_path, name, data))
    assert name in caught.value.message
    assert caught.value.remedy
    assert str(tmp_path) not in str(caught.value)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        open_document(tmp_path / "nothing.pdf")
    with pytest.raises(BadInput, match="folder"):
        open_document(tmp_path)
    with pytest.raises(BadInput, match="zero byte"):
        open_document("a\x00b")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.txt", "text")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BadInput, match="Permission denied"):
        open_document(path)


def test_a_text_file_of_200_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as stream:
        os.truncate(stream.fileno(), 200 * 1024 * 1024)
    with pytest.raises(BadInput, match="210 MB"):
        open_document(path)


def test_a_line_of_ten_megabytes_is_cut_into_lines(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, "long.txt", b"word " * 2_000_000))
    assert max(map(len, document.lines)) <= 10_000
    assert sum(line.count("word") for line in document.lines) == 2_000_000
    unbroken = open_document(write(tmp_path, "unbroken.txt", b"x" * 30_000))
    assert [len(line) for line in unbroken.lines] == [10_000] * 3


def test_read_lines_refuses_wrong_ranges(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, "a.txt", "one\ntwo\n"))
    with pytest.raises(BadInput, match="outside"):
        document.read_lines(3)
    with pytest.raises(BadInput, match="outside"):
        document.read_lines(0)
    with pytest.raises(BadInput, match="comes after"):
        document.read_lines(2, 1)
    assert document.read_lines(1, 99).end_line == 2


def test_parsed_once_per_content(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "one\n")
    assert open_document(path) is open_document(str(path))
    write(tmp_path, "a.txt", "two\n")
    assert open_document(path).lines == ["two"]
    for number in range(12):
        open_document(write(tmp_path, f"{number}.txt", f"{number}\n"))


def test_a_cached_read_is_instant(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "some line of text\n" * 50_000)
    opening = seconds(lambda: forget_documents() or open_document(path))
    document = open_document(path)
    assert seconds(lambda: str(document.read_lines(20_000, 20_099))) < opening / 20


MARKDOWN = """# Skarn

![the lamp](lamp.png "at night") and ![gone](missing.png) and ![far](https://x.org/a.png)
![by name][pic] ![[embedded.png|Gull]] <img alt='tower' src="tower.png"> ![out](../../etc/passwd) ![]()

| keeper | year |
|--------|------|
| Heron | 1811 |

```mermaid
graph TD
![not an image](x.png)
```

~~~
![nor this](y.png)
~~~

[pic]: pictures/bell.png
"""


def test_markdown_visual_content_with_broken_links(tmp_path: Path) -> None:
    write(tmp_path, "lamp.png", b"\x89PNG")
    document = open_document(write(tmp_path, "a.md", MARKDOWN))
    found = document.list_visual_content()
    by_target = {item.target: item for item in found if item.type == "image"}
    assert document.title == "Skarn"
    assert by_target["lamp.png"].note == ""
    assert by_target["lamp.png"].caption == "the lamp – at night"
    assert "broken" in by_target["missing.png"].note
    assert "not fetched" in by_target["https://x.org/a.png"].note
    assert "outside" in by_target["../../etc/passwd"].note
    assert "broken" in by_target["pictures/bell.png"].note
    assert by_target["embedded.png"].caption == "Gull"
    assert by_target["tower.png"].caption == "tower"
    assert "no target" in by_target[""].note
    assert [item.caption for item in found if item.type == "table"] == ["keeper | year"]
    assert [item.type for item in found].count("diagram") == 1
    assert not {"x.png", "y.png"} & by_target.keys()
    assert len({item.ref for item in found}) == len(found)


def test_jats_text_floats_and_entities(tmp_path: Path) -> None:
    document = open_document(write(tmp_path, "a.nxml", made.JATS))
    text = document.text
    assert document.format == "jats"
    assert document.title == "Café keepers of Skarn"
    assert "Authors: First Keeper" in text
    assert "10^6 litres" in text
    assert "41 m tall & made of granite" in text
    assert "Heron | 1811" in text
    assert "- first point" in text
    assert "Keeper F. Lamps. 1990" in text
    listed = [(item.type, item.label, item.caption) for item in document.list_visual_content()]
    assert listed == [("figure", "Figure 1", "The lamp in use."), ("table", "Table 1", "Keepers")]
    assert document.view_page(1).status == "not_applicable"


def test_jats_floats_in_odd_places_are_listed(tmp_path: Path) -> None:
    hidden = "<fig><label>Figure 7</label><caption><p>Hidden away.</p></caption></fig>"
    xml = f"<article><body><list><list-item><p>point {hidden}</p></list-item></list></body>"
    xml += "<floats-group><table-wrap><label>Table 2</label></table-wrap></floats-group></article>"
    listed = open_document(write(tmp_path, "a.xml", xml)).list_visual_content()
    assert {item.ref for item in listed} == {"Figure 7", "Table 2"}


def test_jats_by_content_without_extension(tmp_path: Path) -> None:
    assert open_document(write(tmp_path, "article", made.JATS)).format == "jats"


def test_jats_in_another_encoding_and_namespace(tmp_path: Path) -> None:
    latin = (
        '<?xml version="1.0" encoding="iso-8859-1"?><article><body><p>Café déjà vu here</p></body></article>'
    )
    assert "Café déjà" in open_document(write(tmp_path, "a.xml", latin.encode("latin-1"))).text
    wrapped = (
        '<OAI-PMH xmlns="http://o"><record><article xmlns="http://jats"><body><p>Inside here</p></body>'
        "</article></record></OAI-PMH>"
    )
    assert "Inside here" in open_document(write(tmp_path, "b.xml", wrapped)).text


def test_jats_without_body(tmp_path: Path) -> None:
    meta = "<article-meta><abstract><p>Only this.</p></abstract></article-meta>"
    xml = f"<article><front>{meta}</front></article>"
    document = open_document(write(tmp_path, "a.xml", xml))
    assert "Only this." in document.text
    assert "no body" in document.warnings[0]


def test_external_entities_are_never_read(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret.txt", "the secret words")
    xml = (
        f'<!DOCTYPE article [<!ENTITY x SYSTEM "file://{secret}">'
        '<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]>'
        "<article><body><p>before &x; after</p></body></article>"
    )
    document = open_document(write(tmp_path, "a.xml", xml))
    assert "secret" not in document.text
    assert "before after" in document.text


def test_a_billion_laughs_is_nothing(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(1, 10))
    laughs = f'<!DOCTYPE article [<!ENTITY l1 "ha">{entities}]>'
    xml = f"{laughs}<article><body><p>&l10; end</p></body></article>"
    started = time.process_time()
    document = open_document(write(tmp_path, "a.xml", xml))
    assert time.process_time() - started < 10
    assert len(document.text) < 100
    assert "entities of its own (l10)" in document.warnings[0]


def test_shared_articles(shared_data: Path) -> None:
    for path in sorted((shared_data / "jats").iterdir()):
        document = open_document(path)
        visuals = document.list_visual_content()
        assert document.total_lines > 200
        assert visuals
        assert all(item.label and item.caption for item in visuals)


RICH_JATS = """<article><front><article-meta><title-group><article-title>Tides</article-title></title-group>
<contrib-group><contrib contrib-type="author"><collab>Reef Group<contrib-group><contrib><name>
<surname>Inner</surname><given-names>One</given-names></name></contrib></contrib-group></collab></contrib>
</contrib-group></article-meta></front><body>
<p>The rate is <inline-formula><math><mi>r</mi><mo>=</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></math>
</inline-formula>.</p><preformat>x = 1
y = 2</preformat><verse-group><verse-line>Green under</verse-line><verse-line>the tide</verse-line>
</verse-group>
<table-wrap-group><label>Table 7</label><table-wrap><caption><p>North bay</p></caption><table><tr>
<td>198<xref ref-type="table-fn" rid="t"><sup>a</sup></xref></td><td>205</td></tr></table></table-wrap>
</table-wrap-group></body><sub-article><front-stub><title-group><article-title>Decision letter</article-title>
</title-group><contrib-group><contrib contrib-type="author"><name><surname>Moe</surname>
<given-names>Ida</given-names></name></contrib></contrib-group></front-stub><body><p>Add the depth.</p></body>
</sub-article></article>"""


def test_jats_groups_formulas_verse_and_sub_articles(tmp_path: Path) -> None:
    path = tmp_path / "rich.xml"
    path.write_text(RICH_JATS, encoding="utf-8")
    document = open_document(path)
    said = [line for line in document.lines if line]
    assert said == [
        "# Tides", "Authors: Reef Group", "The rate is r=a/b.", "x = 1", "y = 2", "Green under", "the tide",
        said[7], "[Table 7] North bay", "198 a | 205", "# Decision letter", "Authors: Ida Moe",
        "Add the depth.",
    ]  # fmt: skip
    assert said[7].endswith("# Table 7")
    assert [item.ref for item in document.list_visual_content()] == ["Table 7"]
