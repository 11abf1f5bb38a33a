"""`study tutor` at the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from clients.tutoring import app
from common.errors import BadInput, Conflict, NotFound
from tests.unit.tutoring.conftest import INVALID, TYPO

CONFIG = """hostname R1
interface GigabitEthernet0/0
 description one
 ip address 192.168.1.1 255.255.255.0
interface GigabitEthernet0/1
 description two
 ip address 192.168.2.1 255.255.255.0
"""
run = CliRunner()


def study(*args: str, given: str | bytes = "") -> Any:
    return run.invoke(app, list(args), input=given)


def test_diagnose() -> None:
    result = study("diagnose", given=TYPO["output"])
    assert "hostname R1" in result.output
    assert "No error found" in study("diagnose", given="R1#show clock\n12:00\n").output


def test_diagnose_as_json() -> None:
    one = json.loads(study("diagnose", "--json", given=TYPO["output"]).output)
    assert (one["family"], one["token"]) == ("INVALID_INPUT", "hostnane")
    assert json.loads(study("diagnose", "--json", given=json.dumps(TYPO)).output)["family"] == "INVALID_INPUT"
    assert json.loads(study("diagnose", "--json", given="fine").output) == []
    several = json.loads(
        study(
            "diagnose", "--json", given=f'{TYPO["output"]}R1(config)#ex\n% Ambiguous command: "ex"\n'
        ).output
    )
    assert [item["family"] for item in several] == ["INVALID_INPUT", "AMBIGUOUS"]
    told = study("diagnose", "--json", "--command", "shwo", given=INVALID)
    assert json.loads(told.output)["token"] == "shwo"


def test_diagnose_refuses_broken_json() -> None:
    assert isinstance(study("diagnose", given='{"command": 7').exception, BadInput)


def test_diagnose_survives_bytes() -> None:
    assert study("diagnose", given=b"\xff\xfe\x00% Invalid").exit_code == 0


def test_route() -> None:
    assert study("route", "Why can't PC1 ping PC2?").output.strip() == "troubleshooting"
    assert json.loads(study("route", "What is a VLAN?", "--json").output)["intent"] == "teaching"


def test_labs() -> None:
    assert "01-basic-routing" in study("labs").output
    assert {"id", "title"} == set(json.loads(study("labs", "--json").output)[0])


def test_check_a_file(tmp_path: Path) -> None:
    path = tmp_path / "R1.txt"
    path.write_text(CONFIG)
    result = study("check", "01-basic-routing", "--config", str(path))
    assert result.exit_code == 0
    assert "Lab 01-basic-routing is done." in result.output
    path.write_text(CONFIG.replace("192.168.2.1", "192.168.2.9"))
    result = study("check", "01-basic-routing", "--config", str(path))
    assert result.exit_code == 1
    assert "192.168.2.1" in result.output
    data = json.loads(study("check", "01-basic-routing", "--config", str(path), "--json").output)
    assert data["done"] is False


def test_check_a_device(lab_device: Callable[..., Any]) -> None:
    device, _ = lab_device("R1")
    result = study("check", "01-basic-routing", "--device", "R1")
    assert result.exit_code == 1
    assert "GigabitEthernet0/0 is shut down" in result.output
    device.sections.clear()
    device.load(CONFIG)
    result = study("check", "01-basic-routing", "--device", "R1")
    assert "is done" in result.output
    assert result.exit_code == 0


def test_check_refuses(tmp_path: Path) -> None:
    assert isinstance(study("check", "nope", "--config", "x").exception, NotFound)
    assert isinstance(study("check", "01-basic-routing").exception, BadInput)
    assert isinstance(
        study("check", "01-basic-routing", "--config", str(tmp_path / "no")).exception, NotFound
    )
    path = tmp_path / "other.txt"
    path.write_text("hostname X\n")
    assert isinstance(study("check", "04-static-routes", "--config", str(path)).exception, BadInput)
    assert isinstance(study("check", "01-basic-routing", "--device", "../x").exception, BadInput)


def test_chat_and_progress() -> None:
    text = f"What is a VLAN?\n\n{TYPO['output']}\n/quit\n"
    result = study("chat", "01-basic-routing", "--student", "ana", given=text)
    assert result.exit_code == 0, result.exception
    assert "broadcast domain" in result.output
    assert "hostname R1" in result.output
    assert "[rules]" in result.output
    shown = study("progress", "ana", "--evidence")
    assert "cli-basics" in shown.output
    data = json.loads(study("progress", "ana", "--json").output)
    deleted = study("progress", "ana", "--forget", data["evidence"][0]["id"])
    assert "Deleted" in deleted.output
    assert "Nothing is known of ana" in study("progress", "ana").output


def test_practice_device() -> None:
    result = study("device", "R7", "--seconds", "0.05")
    assert "R7: {host: 127.0.0.1" in result.output
    assert "STUDY_DEVICE_PASSWORDS__R7" in result.output


def test_samples() -> None:
    samples = Path(__file__).resolve().parents[3] / "samples" / "labs"
    found = json.loads(study("diagnose", "--json", given=(samples / "transcript.txt").read_text()).output)
    assert [item["error_type"] for item in found] == [
        "CIDR_NOT_SUPPORTED",
        "OVERLAPPING_SUBNET",
        "TYPO_IN_COMMAND",
    ]
    started = study("check", "01-basic-routing", "--config", str(samples / "R1-started.txt"))
    assert started.exit_code == 1
    assert study("check", "01-basic-routing", "--config", str(samples / "R1-done.txt")).exit_code == 0


def test_chat_ends_with_the_input() -> None:
    assert study("chat", given="/quit\n").exit_code == 0
    assert "What would you" not in study("chat", given="\n\n").output


def test_index(settings: Callable[..., None]) -> None:
    settings(embeddings="ngram")
    result = study("index")
    assert "cards indexed" in result.output
    assert json.loads(study("index", "--json").output)["method"] in ("bm25", "blend")


def test_patterns(tmp_path: Path) -> None:
    assert "subinterface-encapsulation" in study("patterns", "list").output
    example = "R1(config)#frob 3\n% Frobnication 3 failed on GigabitEthernet0/1\n"
    options = ["--family", "COMMAND_REJECTED", "--diagnosis", "It failed.", "--fix", "Wait."]
    valid = tmp_path / "valid"
    valid.mkdir()
    (valid / "show_frob.raw").write_text("all is well\n")
    refused = study("patterns", "add", *options, given=example)
    assert refused.exit_code == 1
    added = study("patterns", "add", *options, "--valid", str(valid), "--yes", given=example)
    assert "0 mistaken" in added.output
    other = example.replace("3", "44").replace("0/1", "0/7")
    assert json.loads(study("diagnose", "--json", given=other).output)["diagnosis"] == "It failed."
    assert any(
        item["id"].startswith("learned-") for item in json.loads(study("patterns", "list", "--json").output)
    )
    again = study("patterns", "add", *options, "--yes", given=example)
    assert isinstance(again.exception, Conflict)
    (valid / "frob.raw").write_text("% Widget 9 lost\n")
    mistaken = study(
        "patterns",
        "add",
        *options,
        "--valid",
        str(valid),
        "--yes",
        given="R1(config)#widget\n% Widget 3 lost\n",
    )
    assert isinstance(mistaken.exception, Conflict)
    known = study("patterns", "add", *options, "--yes", given=TYPO["output"])
    assert isinstance(known.exception, Conflict)
    bad = study(
        "patterns",
        "add",
        "--family",
        "lower",
        "--diagnosis",
        "x",
        "--fix",
        "y",
        "--yes",
        given="R1#q\n% Odd\n",
    )
    assert isinstance(bad.exception, BadInput)


def test_broken_learned_file_is_passed_over(data_dir: Path) -> None:
    (data_dir / "tutoring").mkdir(parents=True)
    (data_dir / "tutoring" / "patterns.json").write_text("{}")
    assert json.loads(study("diagnose", "--json", given=TYPO["output"]).stdout)["family"] == "INVALID_INPUT"


@pytest.mark.parametrize("args", [["progress", "ana", "--forget", "nothing"]])
def test_unknown_evidence(args: list[str]) -> None:
    assert isinstance(study(*args).exception, NotFound)
