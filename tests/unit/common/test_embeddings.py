"""Embedders: unit vectors, known values, and a clear word where one is missing."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from common.embeddings import CharacterGrams, SentenceEncoder, get_embedder
from common.errors import BadInput, ModelUnavailable

TEXTS = ["The cat sleeps on the sofa.", "El gato duerme en el sofá.", "OSPF elects a designated router."]


@pytest.mark.parametrize("spec", ["use", "ngram"])
async def test_rows_have_length_one_and_never_change(spec: str) -> None:
    embedder = get_embedder(spec)
    vectors = await embedder.embed([*TEXTS, ""])
    assert vectors.shape == (4, embedder.dimension)
    assert np.allclose(np.linalg.norm(vectors[:3], axis=1), 1, atol=1e-5)
    assert np.allclose(vectors, embedder.embed_sync([*TEXTS, ""]), atol=1e-5)
    assert embedder.embed_sync([]).shape == (0, embedder.dimension)


def test_the_encoder_reads_meaning_across_languages() -> None:
    vectors = get_embedder().embed_sync(TEXTS)
    assert get_embedder().name == "use"
    assert vectors[0] @ vectors[1] > 0.7
    assert vectors[0] @ vectors[2] < 0.3


def test_known_vector() -> None:
    vector = get_embedder("use").embed_sync(["A known sentence."])[0]
    assert float(vector.sum()) == pytest.approx(-1.2132, abs=1e-3)
    assert float(vector[0]) == pytest.approx(0.01637, abs=1e-4)


def test_ngram_stands_in_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.embeddings.find_spec", lambda name: None)
    assert get_embedder("use").name == "ngram"


def test_ngrams_know_spelling() -> None:
    near, also, far = CharacterGrams().embed_sync(["interface", "interfaces", "vocabulary"])
    assert near @ also > near @ far


class _Embeddings(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        vectors = [[1.0, 2.0, 2.0] for _ in body["input"]]
        data = [{"object": "embedding", "index": n, "embedding": v} for n, v in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = {"object": "list", "data": data, "model": "m", "usage": usage, "embeddings": vectors}
        raw = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.mark.parametrize("spec", ["ollama:mxbai-embed-large", "local:e5", "openai:text-embedding-3-small"])
def test_providers_through_their_real_clients(
    spec: str, settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    settings(ollama_base_url=address, base_urls__local=f"{address}/v1", api_keys__local="k")
    embedder = get_embedder(spec)
    if spec.startswith("openai"):  # its tokenizer would be fetched from the network
        embedder._client.check_embedding_ctx_length = False  # type: ignore[attr-defined]
    assert embedder.name == spec
    assert embedder.dimension == 3
    assert embedder.embed_sync(["a"])[0].tolist() == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("openai:x", ModelUnavailable, "OPENAI_API_KEY"),
        ("google_genai:x", ModelUnavailable, "GOOGLE_API_KEY"),
        ("acme:x", BadInput, "acme:x"),
        ("word2vec", BadInput, "word2vec"),
    ],
)
def test_what_is_missing_is_said(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        get_embedder(spec)


def test_dead_server_is_a_clear_error(settings: Callable[..., None]) -> None:
    settings(ollama_base_url="http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable, match="STUDY_EMBEDDINGS=use"):
        get_embedder("ollama:mxbai-embed-large").embed_sync(["x"])


def test_the_encoder_keeps_to_one_thread() -> None:
    """Its limit needs threadpoolctl; without it, two threads wait for each other on a busy machine."""
    embedder = get_embedder("use")
    embedder.embed_sync(["ready"])
    assert isinstance(embedder, SentenceEncoder)
    assert embedder._encoder._model._threadpool is not None
