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
        None,
        description=(
            "What the command line shows to a server at --url that asks for a token; as `name=token`, "
            "its threads are the ones that the server's pages use for that name."
        ),
    )
    cors_origins: list[str] = Field(
        default_factory=list,
        description='Web pages that may call the server, beside Studio and this machine: ["https://…"].',
    )

    # pages and the door
    api_tokens: SecretStr | None = Field(
        None,
        description=(
            "Who may use the server: `name=token`, several with commas, `name=token;2027-01-31` for one "
            "that ends. The name owns its threads; without tokens the server is open to whoever reaches it."
        ),
    )
    session_hours: float = Field(12.0, gt=0, le=720, description="Hours a browser stays logged in.")
    input_folders: list[Path] = Field(
        default_factory=lambda: [Path("samples")],
        description=(
            "Folders that files named over HTTP may be in (a JSON list), besides each owner's own uploads."
        ),
    )
    body_max_mb: float = Field(16.0, gt=0, le=1024, description="Largest request, in megabytes.")
    upload_max_mb: float = Field(50.0, gt=0, le=1024, description="Largest uploaded file, in megabytes.")
    upload_quota_mb: float = Field(500.0, gt=0, description="All uploads of one owner, in megabytes.")

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

    # tutoring
    warm_up: bool = Field(
        True, description="Load the tutor's cards as the server starts, not when first asked."
    )
    device_inventory: Path | None = Field(
        None, description="YAML file of lab devices; `devices.yaml` in the data folder without."
    )
    device_passwords: dict[str, SecretStr] = Field(
        default_factory=dict, description="Login passwords of lab devices, e.g. STUDY_DEVICE_PASSWORDS__R1."
    )
    device_enable_secrets: dict[str, SecretStr] = Field(
        default_factory=dict, description="Their enable passwords, e.g. STUDY_DEVICE_ENABLE_SECRETS__R1."
    )
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

    # concept_extraction
    neo4j_uri: str | None = Field(None, description="Neo4j for the knowledge base; a SQLite file without.")
    neo4j_user: str = Field("neo4j", description="The user there.")
    neo4j_password: SecretStr | None = Field(
        None, description="Its password; none where Neo4j asks for none."
    )
    author_search: bool = Field(False, description="Look authors of quotes up on the web.")
    zettel_dir: Path | None = Field(
        None, description="Where notes of concepts are written; a folder in STUDY_DATA_DIR without."
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
