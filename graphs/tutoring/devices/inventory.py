"""The inventory of lab devices: a YAML file with names and addresses, never a password."""

import re
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rapidfuzz.process import extractOne

from common.errors import BadInput, NotFound
from common.settings import get_settings

NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,62}")


class Device(BaseModel):
    """How to reach one device. Its password is the setting `STUDY_DEVICE_PASSWORDS__<name>`."""

    model_config = ConfigDict(extra="forbid")

    name: str = ""
    host: str = Field(min_length=1, max_length=253, pattern=r"^[A-Za-z0-9.:_-]+$")
    port: int = Field(22, ge=1, le=65_535)
    username: str = Field("", max_length=64)
    device_type: str = Field("cisco_ios", pattern=r"^cisco_(ios|xe|nxos|s300)$")

    @property
    def password(self) -> str:
        """The login password, from the settings."""
        return secret_of(self.name, "device_passwords")

    @property
    def enable_secret(self) -> str:
        """The enable password, from the settings; empty where none is needed."""
        return secret_of(self.name, "device_enable_secrets")


def secret_of(name: str, setting: str) -> str:
    """A device's secret: its own, else the one named `default`."""
    secrets = {key.lower(): value for key, value in getattr(get_settings(), setting).items()}
    value = secrets.get(name.lower().replace("-", "_")) or secrets.get(name.lower()) or secrets.get("default")
    return value.get_secret_value() if value else ""


def inventory_path() -> Path:
    """Where the inventory is: the setting, else `devices.yaml` in the data folder."""
    settings = get_settings()
    return settings.device_inventory or settings.data_dir / "devices.yaml"


def load_inventory(path: Path | None = None) -> dict[str, Device]:
    """All devices by name; a missing file is an empty inventory."""
    path = path or inventory_path()
    if not path.is_file():
        return {}
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        found = {str(name): Device(**{**item, "name": str(name)}) for name, item in data["devices"].items()}
    except (yaml.YAMLError, KeyError, TypeError, AttributeError, ValidationError, UnicodeDecodeError) as exc:
        raise BadInput(
            f"The inventory {path.name} cannot be read: {str(exc).splitlines()[0]}",
            remedy="It holds `devices:` with a name each, and under it host, port and username.",
        ) from exc
    wrong = [name for name in found if not NAME.fullmatch(name)]
    if wrong:
        raise BadInput(f"{wrong[0]!r} is no device name.", remedy="Use letters, digits, dots and hyphens.")
    return found


def device_names() -> list[str]:
    """The names in the inventory."""
    return sorted(load_inventory())


def find_device(name: str) -> Device:
    """The device of that name; anything that is no name at all is refused before it is looked up."""
    if not NAME.fullmatch(name):
        raise BadInput(
            f"{name[:60]!r} is no device name.", remedy="Use a name from the inventory, such as R1."
        )
    inventory = load_inventory()
    for known, device in inventory.items():
        if known.lower() == name.lower():
            return device
    nearest = extractOne(name, list(inventory), score_cutoff=60)
    listed = ", ".join(sorted(inventory)) or "none; write them into devices.yaml"
    hint = f"Did you mean {nearest[0]}? " if nearest else ""
    raise NotFound(f"There is no device {name!r} in the inventory.", remedy=f"{hint}Known devices: {listed}.")
