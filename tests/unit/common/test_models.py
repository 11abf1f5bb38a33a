"""Which model does which job."""

from collections.abc import Callable

import pytest

from common import models
from common.errors import BadInput, ModelUnavailable
from common.models import Role, chat_model, context_window, family, role_for, supports_vision


def role(spec: str, temperature: float = 0.5) -> Role:
    return Role(graph="g", name="n", spec=spec, temperature=temperature)


def test_choice_then_environment_then_profile(settings: Callable[..., None]) -> None:
    assert role_for("vocab_react", "agent").is_rules
    settings(profile="ollama")
    assert role_for("vocab_react", "agent").spec == "ollama:mistral"
    assert role_for("card_decision", "mapper").spec == "ollama:qwen3:32b"
    assert role_for("tutoring", "tutor").spec == "ollama:qwen3:8b"
    settings(models__vocab_react_agent="ollama:gemma3")
    assert role_for("vocab_react", "agent").spec == "ollama:gemma3"
    assert role_for("vocab_react", "agent", "rules").is_rules


@pytest.mark.parametrize("profile", ["ollama", "gemini", "openai"])
def test_questions_are_validated_by_another_family(profile: models.Profile) -> None:
    generator = models.profile_choice(profile, "qgen_loop", "generator")
    validator = models.profile_choice(profile, "qgen_loop", "validator")
    assert family(generator) != family(validator)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("ollama:qwen3:8b", "qwen"),
        ("openai:gpt-5.1", "gpt"),
        ("google_genai:gemini-2.5-pro", "gemini"),
        ("nim:nvidia/nemotron-nano", "nemotron"),
        ("local:7b", "7b"),
    ],
)
def test_family(spec: str, name: str) -> None:
    assert family(spec) == name


def test_vision() -> None:
    assert supports_vision("openai:gpt-5.1")
    assert supports_vision("ollama:qwen2.5-vl")
    assert not supports_vision("ollama:mistral")


def test_windows(settings: Callable[..., None]) -> None:
    settings(num_ctx=2048)
    assert context_window("ollama:mistral") == 2048
    assert context_window("google_genai:gemini-2.5-pro") == 1_000_000


def test_each_provider_makes_its_client(
    settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("GOOGLE_API_KEY", "x")
    settings(base_urls__nim="http://127.0.0.1:9/v1", model_rate=5)
    assert chat_model(role("openai:gpt-5.1")).temperature is None  # type: ignore[attr-defined]
    assert chat_model(role("nim:nemotron")).temperature == 0.5  # type: ignore[attr-defined]
    assert chat_model(role("ollama:mistral")).num_ctx == 16_384  # type: ignore[attr-defined]
    assert chat_model(role("google_genai:gemini-2.5-flash")).rate_limiter is not None


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("openai:gpt-5.1", ModelUnavailable, "OPENAI_API_KEY"),
        ("google_genai:gemini-2.5-pro", ModelUnavailable, "GOOGLE_API_KEY"),
        ("acme:x", BadInput, "STUDY_BASE_URLS__ACME"),
        ("mistral", BadInput, "provider:model"),
    ],
)
def test_what_is_missing_is_said(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        chat_model(role(spec))


def test_label_names_role_and_model() -> None:
    assert role("ollama:mistral").label == "g.n (ollama:mistral)"
