"""Fields as Anki gets them: math, code, links, embeds, callouts, highlights, clean HTML."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.card_decision.vault.files import open_vault
from graphs.card_decision.vault.media import attachments_of, find_media, references, stored_name
from graphs.card_decision.vault.render import plain_text, render


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("plain **bold**", "plain <strong>bold</strong>"),
        ("Deferred<T> and List<Int>", "Deferred&lt;T&gt; and List&lt;Int&gt;"),
        ("costs $5 and $6", "costs $5 and $6"),
        ("$a<b$ but `$x$`", r"\(a&lt;b\) but <code>$x$</code>"),
        ("$$\n\\frac{a}{b} < 1\n$$", r"\[\frac{a}{b} &lt; 1\]"),
        ("\\(x^2\\) and \\\\(y\\\\)", r"\(x^2\) and \(y\)"),
        ("\\[a_1 < b\\] but \\[sic\\]", r"\[a_1 &lt; b\] but [sic]"),
        ("$$\nx ^2\n\ny %%z%%\n$$", "\\[x ^2\n\ny %%z%%\\]"),
        ("costs $6, not `$x$`", "costs $6, not <code>$x$</code>"),
        ("so[^1] and [^a-z]", "so<sup>1</sup> and [^a-z]"),
        ("[other](Other%20note.md)", "<a>other</a>"),
        ("![](data:image/png;base64,AA==)", '<img src="data:image/png;base64,AA==" alt="">'),
        ('<a href="data:text/html,x">x</a>', "<a>x</a>"),
        ("a ==b== c", "a <mark>b</mark> c"),
        ("x %%hidden%% y", "x  y"),
        ("text ^block-id", "text"),
        ("2^10 and x^y", "2^10 and x^y"),
        ("[[Note|shown]] [[folder/Note#Head]]", "shown Note &gt; Head"),
        ("line\nbreak", "line<br>\nbreak"),
        ("{{c1::gap::hint}}", "{{c1::gap::hint}}"),
        ("<b onclick=x>b</b><script>alert(1)</script>", "<b>b</b>&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("H<sub>2</sub>O <!-- note -->", "H<sub>2</sub>O"),
        ("[site](https://example.org) [bad](javascript:x)", None),
    ],
)
def test_inline(markdown: str, html: str | None) -> None:
    result = render(markdown).html
    assert html is None or result == html
    assert "javascript" not in result or "[bad]" in result


def test_code_keeps_its_language_and_its_text() -> None:
    html = render("```kotlin\nval x: List<Int> // %%no%% ==x== $y$ [[z]]\n```").html
    assert '<code class="language-kotlin">' in html
    assert "val x: List&lt;Int&gt; // %%no%% ==x== $y$ [[z]]" in html


def test_callouts_keep_their_title_and_body() -> None:
    html = render("> [!warning]- Mind the gap\n> text\n> > [!tip]\n> > inner").html
    assert "<strong>Mind the gap</strong>" in html
    assert "<strong>Tip</strong>" in html
    assert plain_text(html).split("\n") == ["Mind the gap", "text", "Tip", "inner"]


def test_embeds() -> None:
    result = render(
        "![[a.png|300x20]] ![alt](img/b.jpg) ![[c.mp3]] ![[Other note]]", {"a.png": "a-1.png"}.get
    )
    assert '<img src="a-1.png" width="300" height="20">' in result.html
    assert result.media == ["a.png"]
    assert [line.split("”")[0] for line in result.warnings] == [
        "media “img/b.jpg",
        "media “c.mp3",
        "embedded “Other note",
    ]


def test_media_never_leaves_the_vault(tmp_path) -> None:  # type: ignore[no-untyped-def]
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    root = tmp_path / "vault"
    (root / "img").mkdir(parents=True)
    (root / "img" / "a b.png").write_bytes(b"one")
    (root / "link.png").symlink_to(secret)
    vault = open_vault(root)
    text = "![[a b.png]] ![x](img/a%20b.png) ![[../secret.png]] ![[/etc/passwd.png]] ![[link.png]] ![](http://x/y.png)"
    assert references(text) == ["a b.png", "img/a%20b.png", "../secret.png", "/etc/passwd.png", "link.png"]
    found = attachments_of(vault, "note.md", text)
    assert found["a b.png"] == found["img/a%20b.png"] == stored_name(root / "img" / "a b.png")
    assert [found[name] for name in ("../secret.png", "/etc/passwd.png", "link.png")] == ["", "", ""]
    assert find_media(vault, "note.md", "nothing.png") is None


@settings(max_examples=100)
@given(st.text(alphabet=st.sampled_from("ab <>&$`*_=[]!|#^%\\\n{}c1:()-."), max_size=80))
def test_never_raises_and_never_lets_a_script_through(text: str) -> None:
    html = render(text).html
    assert "<script" not in html
    assert render(text).html == html


def test_a_type_in_angle_brackets_keeps_them() -> None:
    assert render("a std::lock_guard<std::mutex> lock").html == "a std::lock_guard&lt;std::mutex&gt; lock"
