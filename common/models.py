"""Chat models by `provider:model`, chosen per role from Context, environment or profile."""

import re
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.rate_limiters import InMemoryRateLimiter
from pydantic import BaseModel, ConfigDict, SecretStr

from common.errors import BadInput, ModelUnavailable
from common.settings import Profile, Settings, get_settings

RULES = "rules"

# Looked up as "graph.role", then "graph", then "*".
PROFILES: dict[Profile, dict[str, str]] = {
    "embedded": {"*": RULES},
    "ollama": {
        "*": "ollama:qwen3:8b",
        "vocab_react": "ollama:mistral",
        "card_decision.mapper": "ollama:qwen3:32b",
        "card_decision.style": "ollama:qwen3:8b",
        "card_decision.qa": "ollama:qwen3:14b",
        "card_decision.diff": "ollama:qwen3:8b",
        "qgen_loop.generator": "ollama:qwen3:32b",
        "qgen_loop.validator": "ollama:mistral-small",
    },
    "gemini": {
        "*": "google_genai:gemini-2.5-flash",
        "card_decision.mapper": "google_genai:gemini-2.5-pro",
        "concept_extraction.reasoning": "google_genai:gemini-2.5-pro",
        "concept_extraction.checking": "google_genai:gemini-2.5-pro",
        "qgen_loop.generator": "google_genai:gemini-2.5-pro",
        "qgen_loop.validator": "openai:gpt-5.1-mini",
        "tutoring": "google_genai:gemini-2.5-flash",
    },
    "openai": {
        "*": "openai:gpt-5.1-mini",
        "card_decision.mapper": "openai:gpt-5.1",
        "concept_extraction.reasoning": "openai:gpt-5.1",
        "concept_extraction.checking": "openai:gpt-5.1",
        "qgen_loop.generator": "openai:gpt-5.1",
        "qgen_loop.validator": "google_genai:gemini-2.5-flash",
    },
}

CONTEXT_WINDOWS = {"openai": 272_000, "google_genai": 1_000_000}

_VISION = re.compile(r"gpt-[45]|gemini|gemma-?3|vision|llava|pixtral|-vl\b|vl:|minicpm-v|claude", re.I)
_ANY_TEMPERATURE = re.compile(r"^(?!gpt-5|o\d)", re.I)

_registered: dict[str, BaseChatModel] = {}


class Role(BaseModel):
    """One job that a model does in a graph, and the model that does it."""

    model_config = ConfigDict(frozen=True)

    graph: str
    name: str
    spec: str
    temperature: float = 0.0
    checks: bool = False

    @property
    def is_rules(self) -> bool:
        """Whether no model is wanted here."""
        return self.spec == RULES

    @property
    def label(self) -> str:
        """How warnings name it."""
        return f"{self.graph}.{self.name} ({self.spec})"


def role_for(
    graph: str, name: str, chosen: str | None = None, *, temperature: float = 0.0, checks: bool = False
) -> Role:
    """The role with its model: the run's own choice, the environment's, or the profile's."""
    settings = get_settings()
    spec = chosen or settings.models.get(f"{graph}_{name}") or profile_choice(settings.profile, graph, name)
    return Role(graph=graph, name=name, spec=spec, temperature=temperature, checks=checks)


def profile_choice(profile: Profile, graph: str, name: str) -> str:
    """What a profile gives this role."""
    table = PROFILES[profile]
    return table.get(f"{graph}.{name}") or table.get(graph) or table["*"]


def register(spec: str, model: BaseChatModel) -> None:
    """Make a ready-made chat model known under a spec of its own."""
    _registered[spec] = model


def forget(spec: str) -> None:
    """Undo `register`."""
    _registered.pop(spec, None)


def family(spec: str) -> str:
    """Who trained it, as far as the name tells: `ollama:qwen3:8b` → `qwen`."""
    name = split_spec(spec)[1].rsplit("/", 1)[-1].lower()
    match = re.match(r"[a-z]+", name)
    return match.group() if match else name


def supports_vision(spec: str) -> bool:
    """Whether the model is known to look at images."""
    return bool(_VISION.search(spec))


def context_window(spec: str) -> int:
    """Tokens that fit into one prompt."""
    return CONTEXT_WINDOWS.get(split_spec(spec)[0], get_settings().num_ctx)


def split_spec(spec: str) -> tuple[str, str]:
    """`provider:model` → its two halves; the model's own colons stay."""
    provider, _, name = spec.partition(":")
    if not name and provider != RULES:
        raise BadInput(
            f"{spec!r} does not name a model.",
            remedy="Write provider:model, for example ollama:mistral, or rules for none.",
        )
    return provider, name


def chat_model(role: Role) -> BaseChatModel:
    """A new client for the role's model. Nothing is contacted yet."""
    if role.spec in _registered:
        return _registered[role.spec]
    settings = get_settings()
    provider, name = split_spec(role.spec)
    options = _options(settings, provider, name, role.temperature)
    if settings.model_rate:
        options["rate_limiter"] = InMemoryRateLimiter(requests_per_second=settings.model_rate)
    from langchain.chat_models import init_chat_model  # a second of imports, only where a model is used

    model = init_chat_model(name, **options)
    assert isinstance(model, BaseChatModel)
    return model


def _options(settings: Settings, provider: str, name: str, temperature: float) -> dict[str, Any]:
    if provider in settings.base_urls:
        key = settings.api_keys.get(provider, SecretStr("none"))
        return _openai(settings, name, temperature, base_url=settings.base_urls[provider], key=key)
    if provider == "openai":
        key = _needed(settings.openai_api_key, "OPENAI_API_KEY", f"openai:{name}")
        options = _openai(settings, name, temperature, base_url=settings.openai_base_url, key=key)
        return {**options, "use_responses_api": True} if settings.openai_responses else options
    if provider == "google_genai":
        key = _needed(settings.google_api_key, "GOOGLE_API_KEY", f"google_genai:{name}")
        return _google(settings, temperature, key)
    if provider == "ollama":
        return _ollama(settings, temperature)
    known = ", ".join(["ollama", "google_genai", "openai", *sorted(settings.base_urls)])
    raise BadInput(
        f"Nobody here serves {provider}:{name}.",
        remedy=f"Known providers: {known}. STUDY_BASE_URLS__{provider.upper()} adds a server.",
    )


def _needed(key: SecretStr | None, variable: str, spec: str) -> SecretStr:
    if key is None:
        raise ModelUnavailable(f"{spec} needs a key.", remedy=f"Set {variable}, or choose another profile.")
    return key


def _openai(
    settings: Settings, name: str, temperature: float, *, base_url: str | None, key: SecretStr
) -> dict[str, Any]:
    from openai import DefaultAsyncHttpxClient  # as above

    options: dict[str, Any] = {
        "model_provider": "openai",
        "base_url": base_url,
        "api_key": key,
        "timeout": settings.model_timeout,
        "max_retries": 0,
        "max_tokens": settings.num_predict,
        "stream_usage": True,
        # LangChain shares one HTTP client between event loops; a connection lives in one only
        "http_async_client": DefaultAsyncHttpxClient(timeout=settings.model_timeout),
    }
    if _ANY_TEMPERATURE.match(name):
        options["temperature"] = temperature
    return options


def _google(settings: Settings, temperature: float, key: SecretStr) -> dict[str, Any]:
    return {
        "model_provider": "google_genai",
        "api_key": key,
        "timeout": settings.model_timeout,
        "max_retries": 0,
        "max_output_tokens": settings.num_predict,
        "temperature": temperature,
    }


def _ollama(settings: Settings, temperature: float) -> dict[str, Any]:
    return {
        "model_provider": "ollama",
        "base_url": settings.ollama_base_url,
        "num_ctx": settings.num_ctx,
        "num_predict": settings.num_predict,
        "temperature": temperature,
        "client_kwargs": {"timeout": settings.model_timeout},
    }
