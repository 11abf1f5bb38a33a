"""References to the document itself, which mean nothing to someone who has only the question."""

import re

from graphs.qgen_loop.wording.words import any_of, plain

_DOCUMENT = any_of(
    "document text passage article paper excerpt extract essay chapter section subsection paragraph page "
    "abstract introduction conclusion appendix figure table chart diagram image picture graph caption "
    "manuscript book report context content material source snippet transcript file pdf handout reading "
    "study lines? sentence heading bibliography footnote preface summary author writer narrator researcher"
)
_SURE = any_of(
    "document text passage article paper excerpt extract chapter section subsection paragraph page "
    "abstract figure table chart diagram caption manuscript context snippet authors? writer pdf appendix "
    "reading footnote"
)
_SAY = any_of(
    "say state mention describe discuss report present provide give list show explain suggest argue claim "
    "note identif(?:y|ie) highlight indicate define refer conclude propose use cite mean about call "
    "compare attribute recommend observe find consider"
)
_SAID = any_of(
    "mentioned described discussed shown listed given presented stated cited reported outlined illustrated "
    "depicted provided referenced noted defined indicated seen"
)
_LAW = any_of(
    "act code law constitution statute treaty convention charter directive regulation agreement bill "
    "ordinance rules penal u\\.s\\.c"
)
_LEGAL_NOUN = any_of(
    "bankruptcy filing petition housing rights claim protection liability injunction powers notice duty "
    "proceedings?"
)
# "the section of the mine" is a thing of the world, "the section of the report" is not.
_OF_SOMETHING = (
    r"of (?!(?:the|this) (?:document|text|book|paper|article|report|study|manuscript|thesis|passage|essay)\b)"
)
_HARD = (
    re.compile(
        rf"\b(?:according to|based on|as (?:per|{_SAID}) (?:in|by|on)|as per|per|in the words of) "
        rf"(?:the|this|that|these) (?:\w+ ){{0,2}}{_DOCUMENT}s?\b"
    ),
    re.compile(
        r"\b(?:in|from|within|throughout|of|by) (?:the|this) "
        r"(?:(?:given|provided|above|following|present|current|supplied|attached|entire|whole|same) )?"
        r"(?:document|passage|excerpt|text|paragraph|abstract|manuscript|snippet|provided context|article|"
        r"chapter|section|appendix|reading)\b"
        rf"(?! (?:message|field|editor|that|which|{_OF_SOMETHING}|of (?:the )?(?:[\w\s]{{0,30}}\b)?{_LAW}))"
    ),
    re.compile(rf"\b(?:the|this) {_SURE} {_SAY}s?\b"),
    re.compile(rf"\b(?:do|does|did|is|are|was|were) (?:the|this) {_SURE} (?:\w+ )?{_SAY}\b"),
    re.compile(rf"\b{_SAID} (?:above|below|here|earlier|in (?:the|this) {_DOCUMENT})\b"),
    re.compile(
        r"\b(?:this|the (?:present|current|provided|given|above|following|attached)) "
        r"(?:document|text|passage|article|paper|excerpt|study|manuscript|chapter|section|paragraph|report|context|"
        r"work|review|thesis|essay|page|snippet|book)\b"
    ),
    re.compile(r"\b(?:on|at|from|see|of) (?:page|pages|pp?\.) ?\d+"),
    re.compile(r"\b(?:in|on|at|from|between) lines? \d+(?!\w* (?:of|train|metro|bus|subway))"),
    re.compile(r"\b(?:equation|eq\.|appendix|footnote|reference|ref\.|paragraph|slide) \(?\[?\d+\b"),
    re.compile(r"\bappendix [a-h]\b"),
    re.compile(
        r"\bthe (?:provided|given|above|following|supplied) "
        r"(?:information|data|details|table|figure|chart|list)\b"
    ),
    re.compile(
        r"\b(?:in|from|of) the (?:first|second|third|fourth|fifth|last|final|opening|closing|next|previous) "
        rf"(?:paragraph|section|chapter|page|sentence)\b(?! {_OF_SOMETHING})"
    ),
    re.compile(r"\b(?:in|of|from|see|per) (?:section|chapter|sec\.) \d+(?:\.\d+)+"),
)
# The same in other languages: "laut dem Text", "según el texto", "d'après ce document".
_FOREIGN = (
    re.compile(
        r"\b(?:laut|gemäss|im|(?:laut|gemäss|nach|in|aus) (?:dem|diesem)) "
        r"(?:text|dokument|artikel|absatz|auszug|abschnitt)\b(?! \d)"
    ),
    re.compile(
        r"\b(?:según|en|de acuerdo con) (?:el|este) "
        r"(?:texto|documento|pasaje|fragmento|párrafo)\b(?! \d)"
    ),
    re.compile(r"\b(?:selon|d'après|dans) (?:le|ce) (?:texte|document|passage|paragraphe)\b(?! \d)"),
    re.compile(r"\b(?:selon|d'après|dans) (?:l'|cet )(?:article|extrait)\b(?! \d)"),
    re.compile(r"\b(?:secondo|nel|in) (?:il |questo )?(?:testo|documento|brano|paragrafo)\b(?! \d)"),
    re.compile(
        r"\b(?:segundo|de acordo com|conforme|no|neste) (?:(?:o|este) )?"
        r"(?:texto|documento|artigo|trecho|parágrafo)\b(?! \d)"
    ),
    re.compile(
        r"\b(?:согласно|в) (?:(?:этому|этом|данному|данном) )?"
        r"(?:тексту|тексте|документу|документе|статье|отрывке)\b(?! \d)"
    ),
    re.compile(
        r"(?:本文|文章|文書|論文|資料)(?:によると|によれば|の中で|では)|上記の|根据(?:本文|文章|文档|文本|上文|材料)"
        r"|(?:本文|文档|文章|文本)(?:中|里)"
    ),
)
_FLOAT = re.compile(
    r"\b(?:fig(?:ure|\.)?s?|tables?|chart|diagram|plate|scheme|panel|graph|exhibit) "
    r"(?:s?\d+[a-z]?|[ivx]+|[a-h])\b(?! tennis)"
)
_SHOWN = re.compile(
    r"\b(?:shown|depicted|illustrated|displayed|pictured|presented|in|from|on|does|of) (?:(?:by|in) )?"
    r"(?:the|this) (?:figure|table|chart|diagram|graph|image|picture|photo(?:graph)?|plot|map|drawing)\b"
)
_SECTION = re.compile(
    r"\b(?:in|of|from|see|per|does) (?:section|chapter|part|sec\.|§) (?:\d+|[ivx]+)\b(?!\(|\.?\d)"
    rf"(?! (?:of (?:the |title )?[\w\s]{{0,40}}?{_LAW}|{_LEGAL_NOUN}))"
)
_SOFT = re.compile(
    r"\b(?:the (?:study|authors?|researchers|paper|report|article|document|text|investigators|experiment)|"
    r"table of contents)\b"
)


def refers_to_document(question: str, *, visual: bool = False) -> bool:
    """Whether a question leans on the document's own structure; figures may be named in visual mode."""
    text = plain(question)
    if any(pattern.search(text) for pattern in (*_HARD, _SECTION, *_FOREIGN)):
        return True
    return not visual and bool(_FLOAT.search(text) or _SHOWN.search(text))


def may_refer_to_document(question: str) -> bool:
    """Softer: "the study", "the authors" may be a thing of the world or the document itself."""
    return bool(_SOFT.search(plain(question)))
