"""The student's language: found in the question, and fixed phrases in it. The cards' own text is English."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

from graphs.tutoring.intent import plain
from graphs.tutoring.schemas import Card

Language = Literal["en", "es", "ja"]
FOLDER = Path(__file__).parent
COMMAND = re.compile(r"`([^`\n]+)`")
JAPANESE = re.compile(r"[\u3040-\u30ff]")
SPANISH_MARKS = re.compile(r"[¿¡ñáíóú]", re.IGNORECASE)
FRENCH_MARKS = re.compile(r"[èêçàùûîôœ]|\b(?:qu|[ldncjs])['’]\w", re.IGNORECASE)
SPANISH = re.compile(
    r"\b(?:el|la|los|las|una|unos|que|como|por|para|con|del|mi|mis|esta|este|esto|eso|hay|entre|cual|cuando"
    r"|donde|porque|pero|sin|muy|se|lo|ya|su|un|de|en|es|al)\b"
)
ENGLISH = re.compile(
    r"\b(?:the|is|are|my|what|how|why|does|do|to|of|an|i|in|on|and|can|not|with|it|this|that|for|when|show)\b"
)
# French and German share words with Spanish, and are answered in English.
OTHERS = re.compile(
    r"\b(?:est|et|une|les|des|du|le|ne|pas|je|mon|ma|mes|quel(?:le)?s?|comment|pourquoi|combien|quand|avec|dans"
    r"|pour|sur|qui|cette|vous|peut|peux|puis|ou|svp|fait|ont|sont|commande|reponse|difference|exemple|masque"
    r"|oublie|mot|adresse|vers|entre|signifie|bloque|der|die|das|ist|nicht|ich|mein\w*|und|immer|noch|wie)\b"
)
ONLY_SPANISH = re.compile(
    r"\b(?:explica\w*|hola|ayuda\w*|dame|pista|funciona\w*|falla\w*|aparece\w*|puedo|puede|tengo|tiene|quiero"
    r"|hago|hacer|configur(?:o|ar|ado)|sirve|significa|siguiente|paso|gracias|vecinos?|interfaz|enrutamiento"
    r"|cuantos?|cuales|diferencia|muestra\w*|comandos?|equipo|ruta|puerto|contrasena|solucion|listo"
    r"|ventajas?|dej[ao]\w*|responde\w*|consigo|logro|cambios|guarda\w*|quisiera|entrar|aprend\w+|rutas|quedan?"
    r"|agotado|acceso|ejemplos?|levanta\w*|poner|puse|vecindad|troncal|direccion\w*|mascara|arregl\w+|sigue\w*)\b"
)
PLAIN_FIX = ("TYPO_IN_COMMAND", "SPLIT_KEYWORD", "MISSING_SPACE", "CIDR_NOT_SUPPORTED", "WRONG_MODE")


def detect(text: str) -> Language | None:
    """The language of a text, or None where it has no words that tell."""
    if JAPANESE.search(text):
        return "ja"
    words = plain(COMMAND.sub(" ", text))
    if "¿" in text or "¡" in text:
        return "es"
    spanish = len(set(SPANISH.findall(words))) + 2 * len(set(ONLY_SPANISH.findall(words)))
    spanish += bool(SPANISH_MARKS.search(text))
    others = len(set(OTHERS.findall(words))) + bool(FRENCH_MARKS.search(text))
    if spanish > max(others, len(set(ENGLISH.findall(words)))):
        return "es"
    return "en" if len(re.findall(r"[a-z]{2,}", words)) >= 3 else None


def language_of(question: str, history: Sequence[dict[str, Any]] = ()) -> Language:
    """The question's language; where it does not tell, that of the student's earlier questions."""
    earlier = [turn["content"] for turn in reversed(history) if turn.get("role") == "student"]
    return next((found for text in (question, *earlier) if (found := detect(text))), "en")


@lru_cache(maxsize=2)
def read_words(name: str) -> dict[str, dict[str, str]]:
    """Phrases or causes from their data file."""
    return dict(yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def phrase(name: str, language: Language) -> str:
    """A fixed phrase in the student's language."""
    return read_words("phrases")[name][language]


def labelled(name: str, language: Language) -> str:
    """A heading of English text: in another language it says that English follows."""
    return phrase(name, language) + phrase("english", language)


def title(card: Card, language: Language) -> str:
    """A card's title in the student's language, where it has one."""
    return card.title_es if language == "es" and card.title_es else card.title


def cause_in(fault: dict[str, Any], language: Language) -> tuple[str, str, str]:
    """What happened and what to do in the student's language, and the English where it says more."""
    said = read_words("causes").get(fault["error_type"], {}).get(language)
    if language == "en" or not said:
        return fault["diagnosis"], fault["fix"], ""
    fix = fault.get("correction") or {}
    values = {"token": fault.get("token") or fault["command"], "command": fault["command"]}
    values |= {"wrong": fix.get("wrong", ""), "right": fix.get("right", "")}
    commands = COMMAND.findall(fault["fix"])
    if fault["error_type"] in PLAIN_FIX:
        commands = commands[:1] if commands[0].startswith("do ") else commands
        typed = phrase("then", language).join(f"`{command}`" for command in commands)
        return said.format(**values), typed, ""
    typed = ", ".join(f"`{command}`" for command in dict.fromkeys(commands))
    return said.format(**values), typed, f"{fault['diagnosis']} {fault['fix']}"
