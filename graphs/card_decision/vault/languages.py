"""Which language a text is in: by its declaration, by its script, and only then by its words."""

import functools
import re
from typing import Any

from graphs.card_decision.vault.frontmatter import text_of, words_of

_NAMES = {
    "english": "en", "английский": "en", "inglés": "en", "ingles": "en",
    "russian": "ru", "русский": "ru", "ruso": "ru",
    "spanish": "es", "español": "es", "espanol": "es", "испанский": "es",
    "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "francais": "fr",
    "italian": "it", "italiano": "it", "portuguese": "pt", "português": "pt",
    "japanese": "ja", "日本語": "ja", "chinese": "zh", "中文": "zh", "korean": "ko", "한국어": "ko",
    "ukrainian": "uk", "українська": "uk", "polish": "pl", "polski": "pl", "dutch": "nl",
    "turkish": "tr", "czech": "cs", "greek": "el", "arabic": "ar", "hebrew": "he", "hindi": "hi",
}  # fmt: skip

_ISO = frozenset({
    "af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es",
    "et", "eu", "fa", "fi", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja",
    "ka", "kk", "km", "kn", "ko", "ky", "la", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "ms", "mt", "my",
    "nb", "ne", "nl", "nn", "no", "pa", "pl", "ps", "pt", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv",
    "sw", "ta", "te", "th", "tl", "tr", "uk", "ur", "uz", "vi", "zh",
})  # fmt: skip
_COUNTRY = {"jp": "ja", "cn": "zh", "ua": "uk", "gb": "en", "us": "en", "kr": "ko", "cz": "cs", "rus": "ru",
            "eng": "en", "esp": "es", "spa": "es", "deu": "de", "ger": "de", "jpn": "ja"}  # fmt: skip

_SCRIPTS = (
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_SCRIPT_OF = {"uk": "ru", "bg": "ru", "sr": "ru", "be": "ru", "mk": "ru", "kk": "ru", "mn": "ru", "fa": "ar",
              "ur": "ar", "mr": "hi", "ne": "hi"}  # fmt: skip
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_CODE = re.compile(
    r"```.*?```|~~~.*?~~~|<pre>.*?</pre>|`[^`\n]*`|<code[^>]*>.*?</code>|<[^>]+>|\$[^$\n]+\$", re.S
)


def language_code(word: str) -> str:
    """`EN`, `en-GB`, `English`, `Русский` → a two-letter code; empty where it is none."""
    word = word.strip().casefold()
    if word in _NAMES:
        return _NAMES[word]
    short = re.split(r"[-_]", word)[0]
    if short in _COUNTRY:
        return _COUNTRY[short]
    return short if short in _ISO else ""


def prose_of(text: str) -> str:
    """The text without code, markup and formulas, which belong to no language."""
    return _CODE.sub(" ", text)


def scripts_of(text: str) -> dict[str, int]:
    """How many letters each script has in the text (`latin` among them)."""
    counts = {code: len(pattern.findall(text)) for code, pattern in _SCRIPTS} if not text.isascii() else {}
    counts["latin"] = len(_LATIN.findall(text))
    if counts.get("ja"):
        counts["ja"] += counts.pop("zh", 0)
    return {code: count for code, count in counts.items() if count}


def script_of(language: str) -> str:
    """The script a language is written in."""
    code = _SCRIPT_OF.get(language, language)
    return code if any(code == known for known, _ in _SCRIPTS) else "latin"


def declared_languages(frontmatter: dict[str, Any]) -> list[str]:
    """The languages the note says it is written in, in its order."""
    single = text_of(frontmatter, "language", "lang")
    listed = [single] if single else []
    original = text_of(frontmatter, "original_language")
    listed += [original] if original else []
    listed += words_of(frontmatter, "language_tags", "languages")
    codes = [language_code(word) for word in listed]
    return [code for code in dict.fromkeys(codes) if code]


def guess_language(text: str, declared: list[str], default: str) -> str:
    """A stable guess: a script decides; among Latin languages only the declared ones are asked."""
    counts = scripts_of(prose_of(text))
    if not counts:
        return declared[0] if declared else default
    script = max(counts, key=lambda code: counts[code])
    fitting = [code for code in declared if script_of(code) == script]
    if fitting:
        return fitting[0] if len(fitting) == 1 else closest_language(text, tuple(fitting))
    if script == "latin":
        return default if script_of(default) == "latin" else "en"
    return script


@functools.lru_cache(maxsize=16)
def _identifier(languages: tuple[str, ...]) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(languages))
    return identifier


def closest_language(text: str, languages: tuple[str, ...]) -> str:
    """Which of these languages the words fit best; the first where the model knows none of them."""
    try:
        code, _ = _identifier(languages).classify(prose_of(text))
    except ValueError:
        return languages[0]
    return str(code)
