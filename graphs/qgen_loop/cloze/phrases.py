"""How a gap is asked for in each language, and the words that make a sentence lean on its neighbours."""

import re
from typing import Literal

from graphs.qgen_loop.wording.language import language, script
from graphs.qgen_loop.wording.words import any_of

Kind = Literal["year", "number", "name", "date"]

_WHAT: dict[str, dict[Kind, str]] = {
    "en": {"year": "Which year", "number": "Which number", "name": "Which name", "date": "Which date"},
    "es": {"year": "¿Qué año", "number": "¿Qué número", "name": "¿Qué nombre", "date": "¿Qué fecha"},
    "fr": {"year": "Quelle année", "number": "Quel nombre", "name": "Quel nom", "date": "Quelle date"},
    "de": {"year": "Welches Jahr", "number": "Welche Zahl", "name": "Welcher Name", "date": "Welches Datum"},
    "it": {"year": "Quale anno", "number": "Quale numero", "name": "Quale nome", "date": "Quale data"},
    "pt": {"year": "Que ano", "number": "Que número", "name": "Que nome", "date": "Que data"},
    "ru": {"year": "Какой год", "number": "Какое число", "name": "Какое имя", "date": "Какая дата"},
    "ja": {"year": "年", "number": "数", "name": "名前", "date": "日付"},
    "zh": {"year": "年份", "number": "数字", "name": "名称", "date": "日期"},
    "he": {
        "year": "איזו שנה משלימה",
        "number": "איזה מספר משלים",
        "name": "איזה שם משלים",
        "date": "איזה תאריך משלים",
    },
    "ar": {
        "year": "ما السنة التي تكمل",
        "number": "ما العدد الذي يكمل",
        "name": "ما الاسم الذي يكمل",
        "date": "ما التاريخ الذي يكمل",
    },
}
_FRAME = {
    "en": "{what} completes this statement: “{gapped}”?",
    "es": "{what} completa esta frase: “{gapped}”?",
    "fr": "{what} complète cette phrase : « {gapped} » ?",
    "de": "{what} ergänzt diesen Satz: „{gapped}“?",
    "it": "{what} completa questa frase: “{gapped}”?",
    "pt": "{what} completa esta frase: “{gapped}”?",
    "ru": "{what} дополняет это предложение: «{gapped}»?",
    "ja": "次の文の空欄に入る{what}は何ですか：「{gapped}」",
    "zh": "下面这句话的空白处应填什么{what}：“{gapped}”？",
    "he": "{what} את המשפט: „{gapped}”?",
    "ar": "{what} هذه الجملة: «{gapped}»؟",
}
_SCRIPTS = {"HEBREW": "he", "ARABIC": "ar"}
# Letters of Persian and Urdu that Arabic lacks.
_NOT_ARABIC = re.compile(r"[پچژگکیےہں]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LEANING = re.compile(
    any_of(
        "it this that these those he she they his her their its however therefore thus moreover "
        "furthermore also but and or so then here there such both another other in_addition "
        "for_example instead we our my i you your as_a_result afterwards later meanwhile nevertheless "
        "similarly hence yet only_then see ella él ellos ellas este esta esto estos estas ese esa eso "
        "esos esas aquel aquella su sus pero además también entonces allí ahí sin_embargo por_eso así "
        "después luego elle il ils elles cette cet ce ces c'est son sa ses leur leurs mais aussi puis "
        "alors ainsi cependant dies diese dieser dieses diesem diesen er sie es sein seine seiner ihr "
        "ihre ihrer jedoch aber auch dort dann damit dadurch deshalb daher danach später jener jene "
        "wir esso essa questo questa questi queste quel quello quella suo sua suoi loro ma inoltre "
        "poi ele ela eles elas isto esse essa seu sua seus mas além_disso depois это этот эта эти он "
        "она они его её их там тогда затем однако поэтому также но הוא היא הם הן זה זו זאת אלה אבל גם לכן "
        "אך שם כך הדבר هو هي هم هذا هذه ذلك تلك هؤلاء لكن ولكن ثم كما هناك وهو وهي وقد"
    )
    + r"\b|それ|これ|その|この|彼|しかし|また|そして|ここ|そこ|あの|这|那|它|他|她|但|然而|此",
    re.IGNORECASE,
)
# Inside a sentence these may point to its own beginning, so they make it less clear, not useless.
_POINTING = re.compile(
    r"\b(?:(?-i:I(?= [a-z]))|me|my|it|its|they|them|their|he|she|him|his|her|we|us|our|you|your|this|these|"
    r"those|latter|former|said|lo|les|ello|ihn|ihm|ihnen|dessen|deren|lui|leur)\b"
    r"|\bthere\b(?! (?:is|are|was|were|has|have|had|will)\b)",
    re.IGNORECASE,
)
_STRUCTURE = re.compile(
    r"\b(?:table|figure|fig|section|chapter|page|equation|appendix|ibid|isbn|doi|http|www|copyright|file|step|"
    r"example|exercise|question|tabla|figura|sección|capítulo|página|ejemplo|tabelle|abbildung|abb|kapitel|seite|"
    r"abschnitt|beispiel|tableau|chapitre|annexe|tabella|capitolo|pagina|tabela|seção|рис|таблица|глава|раздел)\b"
    r"|[\[{}|\\_<>=@©]|[図表]\s?\d|第\s?\d+\s?[章節図表页頁]",
    re.IGNORECASE,
)


# What is said about the document or its maker and not in it: dates of revision, licences, addresses.
_BOILERPLATE = re.compile(
    r"\b(?:last (?:updated|modified|edited|revised|reviewed|changed)|rights reserved|permission is hereby|"
    r"licen[sc]ed under|terms of (?:use|service|the [\w ]{0,40}licen[sc]e)|creative commons|"
    r"open[ -]access article|project gutenberg|privacy policy|corresponding author|declares? no|"
    r"received:? .{0,40}\baccepted|registered (?:charity|office|company)|downloaded from|contact us|"
    r"(?:more|further) information)\b"
    r"|^(?:published|printed|distributed) by\b|#\d",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^(?:[A-Z]{1,3}|[A-Z][A-Z.' -]{2,24}):\s+")


def tongue_of(text: str) -> str:
    """The language to ask in; English where the text does not show one that we can write."""
    if script(text) == "CJK":
        return "ja" if _KANA.search(text) else "zh"
    found = language(text) or _SCRIPTS.get(script(text), "")
    if found == "ar" and _NOT_ARABIC.search(text):
        return "en"
    return found if found in _FRAME else "en"


def worded(kind: Kind, gapped: str, tongue: str) -> str:
    """The question for a sentence with a gap."""
    return _FRAME[tongue].format(what=_WHAT[tongue][kind], gapped=gapped)


def stands_alone(text: str) -> bool:
    """Whether a reader who sees only this sentence knows what it is about."""
    cased = text[:1].isalpha() and not text[:1].islower()
    opened = cased or text[:1] in '"“«„' or (text[:1].isdigit() and script(text) == "CJK")
    closed = text.rstrip('"”’)»“')[-1:] in (".", "!", "。", "۔")
    leaning = _LEANING.match(text) or _STRUCTURE.search(text) or _BOILERPLATE.search(text)
    return opened and closed and not leaning


def without_speaker(text: str) -> str:
    """What is said, without the name or letter that a transcript puts before it."""
    return _SPEAKER.sub("", text)


def is_title(text: str, tongue: str) -> bool:
    """Whether nearly all words have capitals, as in the title of a book; German nouns always have."""
    long = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) >= 4]
    return tongue != "de" and len(long) >= 2 and sum(word[0].isupper() for word in long) >= 0.8 * len(long)


def points_elsewhere(text: str) -> bool:
    """Whether a word inside the sentence may stand for something said before it."""
    return bool(_POINTING.search(text))
