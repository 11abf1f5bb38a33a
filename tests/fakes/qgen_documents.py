"""Small documents for tests, good and hostile, written byte by byte."""

import zlib
from pathlib import Path

FACTS = [
    "The lighthouse on Skarn Rock was finished in 1811 after four winters of work.",
    "Its lamp burned 27 litres of whale oil each night until the gas works opened.",
    "The tower stands 41 metres above the reef at low water.",
    "Keepers rowed ashore every 14 days when the sea allowed it.",
    "The first supply boat of the light was Grey Heron from the village of Tarvik.",
    "A fog bell weighing 900 kilograms was hung in the gallery.",
    "The reef lies 18 kilometres from the nearest harbour.",
    "Electric light reached the rock in 1956 through a cable on the sea bed.",
    "The last crew left the station in 1988 when it was made automatic.",
    "Visitors climb 168 steps from the door to the lantern room.",
    "The lens was ground by the workshop of North Quay in Lindvik.",
    "A storm in 1852 broke three windows of the lantern.",
]


def text_file(folder: Path, sentences: list[str] | None = None, name: str = "skarn.txt") -> Path:
    """A text document, one sentence a line, a blank line after every third."""
    lines: list[str] = []
    for number, sentence in enumerate(sentences or FACTS, start=1):
        lines.append(sentence)
        if number % 3 == 0:
            lines.append("")
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def pdf(objects: list[bytes], *, root: int = 1, broken_xref: bool = False) -> bytes:
    """A PDF of numbered objects (the first is number 1)."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % (offset + (7 if broken_xref else 0))
    out += b"trailer << /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, root, start)
    return out


def stream(data: bytes, extra: bytes = b"") -> bytes:
    """A compressed stream object."""
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), extra, packed)


def show(lines: list[str], *, x: int = 72, y: int = 720, size: int = 11) -> bytes:
    """Page content that writes lines below one another."""
    shown = b" ".join(
        b"(%s) Tj T*" % line.replace("\\", "").replace("(", "\\(").replace(")", "\\)").encode("latin-1")
        for line in lines
    )
    return b"BT /F1 %d Tf %d %d Td 14 TL %s ET\n" % (size, x, y, shown)


def pages_pdf(contents: list[bytes], *, box: tuple[float, float] = (612, 792)) -> bytes:
    """A PDF with one page per content stream."""
    count = len(contents)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, content in enumerate(contents):
        size = b"%f %f" % box
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (size, 5 + 2 * number)
        )
        objects.append(stream(content))
    return pdf(objects)


def chart(x: int = 100, y: int = 300) -> bytes:
    """A vector drawing of ten bars and a frame of axes."""
    bars = b" ".join(b"%d %d 18 %d re f" % (x + 30 * i, y, 20 + 12 * i) for i in range(10))
    return b"0.2 0.4 0.8 rg %s 0 0 0 rg 2 w %d %d m %d %d l S\n" % (bars, x, y, x, y + 160)


def figure_pdf() -> bytes:
    """Two pages: text with a table caption, then a chart with its caption."""
    first = show(["Keepers and their pay", "", "Table 1. Wages by year", "1811 twelve crowns"])
    second = chart() + show(["Figure 1. Oil burned per month", "Bars rise from January."], y=280)
    return pages_pdf([first, second])


def two_columns_pdf() -> bytes:
    """One page whose columns are written one after the other, as typesetters do."""
    left = show([f"left {n}" for n in range(1, 11)], x=60)
    right = show([f"right {n}" for n in range(1, 11)], x=330)
    return pages_pdf([left + right])


def cyclic_pdf() -> bytes:
    """A page tree that contains itself."""
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 5 >>",
            b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 5 /Parent 2 0 R >>",
        ]
    )


def bomb_pdf(megabytes: int = 400) -> bytes:
    """One page whose content unpacks to hundreds of megabytes of drawing."""
    data = zlib.compress(zlib.compress(b"0 0 m 9 9 l S\n" * (megabytes * 1024 * 1024 // 14), 9), 9)
    body = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(data), data)
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << >> >>",
            body,
        ]
    )


JATS = """<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS 1.0//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta><journal-title-group>
<journal-title>Journal of Reefs</journal-title></journal-title-group></journal-meta><article-meta>
<title-group><article-title>Caf&eacute; keepers of Skarn</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name>
<surname>Keeper</surname><given-names>First</given-names></name>
</contrib></contrib-group><pub-date><year>1999</year></pub-date>
<abstract><p>The tower is 41 m tall &amp; made of granite.</p></abstract></article-meta></front>
<body><sec><title>Results</title><p>About 10<sup>6</sup> litres were burned<xref><sup>3</sup></xref>.
<fig id="f1"><label>Figure 1</label><caption><p>The lamp in use.</p></caption>
<graphic xlink:href="lamp"/></fig></p>
<table-wrap><label>Table 1</label><caption><title>Keepers</title></caption>
<table><tr><th>Name</th><th>Year</th></tr>
<tr><td>Heron</td><td>1811</td></tr></table></table-wrap>
<list><list-item><p>first point</p></list-item></list></sec></body>
<back><ref-list><ref><mixed-citation>Keeper F. Lamps. 1990</mixed-citation></ref></ref-list></back></article>
"""
