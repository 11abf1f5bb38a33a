"""Counts the model calls that RAGAS and DeepEval take per question: `python qgen_peers.py NAME DOCUMENT`.

Run by another interpreter than ours (`qgen_loop.py` says how to set it up); it imports nothing of ours.
Their model is a stand-in that fills the schema it is asked for, so that every call succeeds at the first try:
the count is the least they need.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

WANTED = 10
TEXT = "Skarn Rock light and its keepers in the winter of the year"


class Count:
    """How often the stand-in was called."""

    calls = 0
    items = 1


def filled(schema: dict[str, Any], root: dict[str, Any] | None = None, name: str = "") -> Any:
    """A value that satisfies a JSON schema: the shortest one that later steps can work with."""
    root = root or schema
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, name)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return filled(schema[key][0], root, name)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    if kind == "object" and "properties" not in schema:
        other = schema.get("additionalProperties")
        return {"Lamp keeper": filled(other, root)} if isinstance(other, dict) else {}
    if kind == "object":
        return {key: filled(part, root, key) for key, part in schema["properties"].items()}
    if kind == "array":
        return [filled(schema.get("items", {}), root, name) for _ in range(Count.items)]
    plain: dict[str, Any] = {"integer": 5, "number": 1.0, "boolean": True, "null": None}
    return plain.get(kind, "Lamp keeper" if name == "name" else TEXT)


def deepeval(document: str) -> int:
    """DeepEval's synthesizer with its default evolution and filtration."""
    from deepeval.models import DeepEvalBaseLLM
    from deepeval.synthesizer import Synthesizer

    class StandIn(DeepEvalBaseLLM):
        def load_model(self) -> Any:
            return self

        def generate(self, prompt: str, schema: Any = None) -> Any:
            Count.calls += 1
            if schema is None:
                return json.dumps({"data": [{"input": TEXT}], "score": 1.0, "feedback": "", "response": TEXT})
            return schema.model_validate(filled(schema.model_json_schema()))

        async def a_generate(self, prompt: str, schema: Any = None) -> Any:
            return self.generate(prompt, schema)

        def get_model_name(self) -> str:
            return "stand-in"

    lines = [line for line in Path(document).read_text().splitlines() if line]
    contexts = [lines[i : i + 3] for i in range(WANTED)]
    made = Synthesizer(model=StandIn(), async_mode=False).generate_goldens_from_contexts(
        contexts, max_goldens_per_context=1, _send_data=False
    )
    return len(made)


class Words:
    """Counts words as tokens: the real encoding is a download."""

    def encode(self, text: str, **_: Any) -> list[str]:
        return text.split()

    def decode(self, words: list[str]) -> str:
        return " ".join(words)


def ragas(document: str) -> int:
    """RAGAS' test-set generator with its default transforms on pages of the document."""
    import tiktoken
    from langchain_core.documents import Document

    tiktoken.get_encoding = lambda _name: Words()  # type: ignore[assignment,return-value]
    from langchain_core.embeddings import DeterministicFakeEmbedding
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from ragas.embeddings import LangchainEmbeddingsWrapper
    from ragas.llms import LangchainLLMWrapper
    from ragas.testset import TestsetGenerator

    Count.items = 2

    class StandIn(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "stand-in"

        def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
            Count.calls += 1
            text = str(messages[-1].content)
            found = re.search(r"JSON Schema:\s*(\{.*)", text, re.DOTALL)
            schema = json.JSONDecoder().raw_decode(found.group(1))[0] if found else {"type": "string"}
            told = AIMessage(json.dumps(filled(schema)), response_metadata={"finish_reason": "stop"})
            return ChatResult(generations=[ChatGeneration(message=told)])

    text = Path(document).read_text()
    pages = [Document(page_content=f"# Part {n}\n\n{text}\n" * 8) for n in range(4)]
    generator = TestsetGenerator(
        llm=LangchainLLMWrapper(StandIn()),
        embedding_model=LangchainEmbeddingsWrapper(DeterministicFakeEmbedding(size=64)),
    )
    return len(generator.generate_with_langchain_docs(pages, testset_size=WANTED).samples)


if __name__ == "__main__":
    os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "RAGAS_DO_NOT_TRACK": "true"}
    questions = {"deepeval": deepeval, "ragas": ragas}[sys.argv[1]](sys.argv[2])
    print(json.dumps({"calls": Count.calls, "questions": questions}))
