"""The `agents:` YAML file: every key with its default, turned into settings of a run."""

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from common.errors import BadInput
from graphs.card_decision.schemas import BilingualMode

_ROLES = ("mapper_model", "style_model", "qa_model", "diff_model")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", protected_namespaces=())


class ModelPart(_Part):
    """Which model the agents use; a name without a provider is Ollama's."""

    name: str = "qwen-14b-instruct"
    temperature: float = Field(0.2, ge=0.0, le=2.0)
    max_tokens: int = Field(1024, ge=16)


class BilingualPart(_Part):
    """One card for both languages, or one for each."""

    mode: BilingualMode = "front_back"


class StylePart(_Part):
    """What the style agent looks after."""

    enabled: bool = True
    enforce_short_front: bool = True
    max_front_chars: int = Field(200, ge=20)
    max_back_chars: int = Field(1200, ge=50)


class AgentsConfig(_Part):
    """The file's `agents:` key."""

    enabled: bool = True
    provider: Literal["langchain"] = "langchain"
    max_mapping_retries: int = Field(2, ge=0, le=10)
    min_qa_score: float = Field(0.8, ge=0.0, le=1.0)
    allow_auto_fix: bool = True
    allow_content_updates: bool = True
    max_llm_calls_per_card: int = Field(8, ge=0, le=100)
    config_profile: str = "default"
    model: ModelPart = Field(default_factory=ModelPart)
    bilingual: BilingualPart = Field(default_factory=BilingualPart)
    style: StylePart = Field(default_factory=StylePart)

    def settings(self) -> dict[str, Any]:
        """Only what the file says: keys it leaves out keep the run's own defaults."""
        said = self.model_dump(
            exclude_unset=True, exclude={"model", "bilingual", "style", "enabled", "provider"}
        )
        if "mode" in self.bilingual.model_fields_set:
            said["bilingual_mode"] = self.bilingual.mode
        style = self.style.model_dump(exclude_unset=True)
        if "enabled" in style:
            said["style_enabled"] = style.pop("enabled")
        said |= style | self.model.model_dump(exclude_unset=True, exclude={"name", "max_tokens"})
        if not self.enabled:
            said |= dict.fromkeys(_ROLES, "rules")
        elif "name" in self.model.model_fields_set:
            said |= dict.fromkeys(_ROLES, _spec(self.model.name))
        return said


def _spec(name: str) -> str:
    known = ("rules", "ollama:", "openai:", "google_genai:", "scripted:")
    return name if name.startswith(known) or name.count(":") > 1 else f"ollama:{name}"


def load_agents_config(file: Path) -> AgentsConfig:
    """Read a file with a top key `agents`; what is wrong in it is named."""
    try:
        loaded = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as exc:
        raise BadInput(f"{file} cannot be read ({exc.strerror}).", remedy="Check --agents-config.") from exc
    except (yaml.YAMLError, UnicodeDecodeError) as exc:
        raise BadInput(f"{file} is not YAML ({exc}).", remedy="Correct the file.") from exc
    if not isinstance(loaded, dict) or not isinstance(loaded.get("agents"), dict):
        raise BadInput(f"{file} has no top key `agents`.", remedy="The README shows a complete file.")
    try:
        return AgentsConfig.model_validate(loaded["agents"])
    except ValidationError as exc:
        fault = exc.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise BadInput(f"{file}: agents.{where}: {fault['msg']}.", remedy="Correct that key.") from exc
