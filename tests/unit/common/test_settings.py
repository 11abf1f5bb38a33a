"""Settings come from the environment alone, and a wrong one says which."""

import pytest

from clients.generate import env_example, settings_table
from common.errors import BadInput
from common.settings import Settings, get_settings


def test_defaults_need_nothing() -> None:
    assert get_settings().profile == "embedded"
    assert get_settings().postgres_uri is None


def test_unknown_profile_is_a_clear_error(settings: object) -> None:
    settings(profile="cloud9")  # type: ignore[operator]
    with pytest.raises(BadInput) as caught:
        get_settings()
    assert "STUDY_PROFILE" in str(caught.value)
    assert "embedded" in str(caught.value)


def test_nested_names(settings: object) -> None:
    settings(models__vocab_react_agent="ollama:mistral", base_urls__nim="http://127.0.0.1:9/v1")  # type: ignore[operator]
    assert get_settings().models == {"vocab_react_agent": "ollama:mistral"}
    assert get_settings().base_urls == {"nim": "http://127.0.0.1:9/v1"}


@pytest.mark.parametrize(("uri", "kept"), [(":memory:", False), ("postgresql://127.0.0.1/x", True)])
def test_database_uri_counts_only_for_postgres(monkeypatch: pytest.MonkeyPatch, uri: str, kept: bool) -> None:
    monkeypatch.setenv("DATABASE_URI", uri)
    get_settings.cache_clear()
    assert (get_settings().postgres_uri == uri) is kept


def test_keys_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    monkeypatch.setenv("STUDY_API_KEYS__NIM", "nim-planted")
    shown = repr(Settings()) + Settings().model_dump_json()
    assert "planted" not in shown


def test_every_setting_is_documented() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
    assert "STUDY_PROFILE" in settings_table()
    assert "#OPENAI_API_KEY=" in env_example()
