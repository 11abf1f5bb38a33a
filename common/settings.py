"""The only reader of the environment: `STUDY_…` variables, `.env`, and the providers' own key names."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from common.errors import BadInput

Profile = Literal["embedded", "ollama", "gemini", "openai"]


class Settings(BaseSettings):
    """Every setting with its default. Secrets are SecretStr and never leave the process."""

    model_config = SettingsConfigDict(
        env_prefix="STUDY_",
        env_file=".env",
        env_nested_delimiter="__",
        extra="ignore",
        populate_by_name=True,
    )

    profile: Profile = Field("embedded", description="Default models for every role.")
    data_dir: Path = Field(Path(".study"), description="Everything of ours: checkpoints, store, caches.")
    replicas: int = Field(1, ge=1, description="Server processes that share one database.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level logged.")

    # platform
    checkpoint_history: int = Field(
        20, ge=1, le=10_000, description="Steps of a thread that are kept while it is worked on."
    )
    checkpoint_idle_hours: float = Field(
        24.0, gt=0, description="Hours after which a resting thread keeps its latest state only."
    )

    api_token: SecretStr | None = Field(
        None, description="What the command line shows to a server at --url that asks for a token."
    )
    cors_origins: list[str] = Field(
        default_factory=list,
        description='Web pages that may call the server, beside Studio and this machine: ["https://…"].',
    )

    models: dict[str, str] = Field(
        default_factory=dict,
        description="One role's model, e.g. STUDY_MODELS__VOCAB_REACT_AGENT=ollama:mistral.",
    )
    embeddings: str | None = Field(None, description="Embedder as provider:model, `use` or `ngram`.")
    base_urls: dict[str, str] = Field(
        default_factory=dict,
        description="OpenAI-compatible servers by name: STUDY_BASE_URLS__NIM makes `nim:<model>` a model.",
    )
    api_keys: dict[str, SecretStr] = Field(
        default_factory=dict, description="Their keys, e.g. STUDY_API_KEYS__NIM."
    )
    ollama_base_url: str = Field("http://127.0.0.1:11434", description="Where Ollama listens.")
    model_timeout: float = Field(120.0, gt=0, description="Seconds one model call may take.")
    model_attempts: int = Field(3, ge=1, le=10, description="Tries per call when the line fails.")
    model_max_wait: float = Field(30.0, ge=0, description="Longest wait a Retry-After may ask for, seconds.")
    model_cooldown: float = Field(10.0, ge=0, description="Seconds a dead model is left alone.")
    model_rate: float | None = Field(None, gt=0, description="Requests per second and model, at most.")
    num_ctx: int = Field(16_384, ge=1_024, description="Context window of local models, tokens.")
    num_predict: int = Field(4_096, ge=64, description="Longest answer, tokens.")

    # vocab_react
    lyrics_dirs: list[Path] = Field(
        default_factory=list, description="Folders of your own lyrics files (text with title and artist)."
    )
    lyrics_online: bool = Field(True, description="Whether lyrics may be looked for on the network.")
    lyrics_trusted_hosts: list[str] = Field(
        default_factory=list,
        description="host:port of lyrics pages that may be read although the address is private.",
    )
    lyrics_timeout: float = Field(10.0, gt=0, le=120, description="Seconds one lyrics source may take.")
    lrclib_url: str = Field("https://lrclib.net", description="The LRCLIB server.")
    search_url: str = Field("https://html.duckduckgo.com/html/", description="DuckDuckGo's HTML search page.")
    known_words: Path | None = Field(None, description="Your known Japanese words, one a line.")

    # card_decision
    anki_url: str = Field("http://127.0.0.1:8765", description="Where AnkiConnect listens.")
    anki_key: SecretStr | None = Field(None, description="AnkiConnect's `apiKey`, where it asks for one.")

    database_uri: str | None = Field(
        None,
        validation_alias=AliasChoices("STUDY_DATABASE_URI", "DATABASE_URI"),
        description="PostgreSQL for checkpoints and store; SQLite without.",
    )
    # qgen_loop
    openai_responses: bool = Field(
        False, description="Use OpenAI's Responses API for `openai:` models instead of Chat Completions."
    )
    google_api_key: SecretStr | None = Field(None, validation_alias="GOOGLE_API_KEY", description="Gemini.")
    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY", description="OpenAI.")
    openai_base_url: str | None = Field(
        None, validation_alias="OPENAI_BASE_URL", description="Another address for `openai:` models."
    )

    @property
    def postgres_uri(self) -> str | None:
        """The database, if it is PostgreSQL (`langgraph dev` sets DATABASE_URI to `:memory:`)."""
        uri = self.database_uri or ""
        return uri if uri.startswith(("postgres://", "postgresql://")) else None


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process; a wrong one is a clear error that names the variable."""
    try:
        return Settings()
    except ValidationError as exc:
        fault = exc.errors()[0]
        name = "_".join(str(part) for part in fault["loc"]).upper()
        raise BadInput(
            f"The setting STUDY_{name} is wrong: {fault['msg']}.",
            remedy="Correct it in the environment or in .env; .env.example lists every setting.",
        ) from exc
