"""The labs: data that fits, checks that name what is missing."""

import pytest

from common.errors import NotFound
from graphs.tutoring.diagnosis.tree import get_tree
from graphs.tutoring.labs import check_lab, get_lab, lab_ids
from graphs.tutoring.labs.catalog import Lab
from graphs.tutoring.labs.running_config import parse_config

DONE = """hostname R1
!
interface GigabitEthernet0/0
 description LAN of PC1
 ip address 192.168.1.1 255.255.255.0
 duplex auto
!
interface GigabitEthernet0/1
 description LAN of PC2
 ip address 192.168.2.1 255.255.255.0
!
end
"""


def test_six_labs() -> None:
    assert lab_ids() == [
        "00-initial-switch", "01-basic-routing", "02-vlans-trunks", "03-router-on-a-stick",
        "04-static-routes", "05-single-area-ospf",
    ]  # fmt: skip


@pytest.mark.parametrize("lab_id", lab_ids())
def test_each_lab_is_whole(lab_id: str) -> None:
    lab = get_lab(lab_id)
    assert lab.goal
    assert lab.topology
    assert len(lab.instructions()) <= 5_000
    checked = {check.step for check in lab.checks}
    assert checked == {step.id for step in lab.steps}
    for step in lab.steps:
        assert "`" in step.hints[2], "the last hint holds the command"


@pytest.mark.parametrize("lab_id", lab_ids())
def test_the_commands_of_the_last_hints_resolve(lab_id: str) -> None:
    import re

    tree = get_tree()
    for step in get_lab(lab_id).steps:
        for command in re.findall(r"`([^`]+)`", step.hints[2]):
            assert any(tree.resolve(command, mode).ok for mode in tree.modes), command


def test_done_lab() -> None:
    results = check_lab(get_lab("01-basic-routing"), {"R1": DONE})
    assert all(result.done for result in results)


def test_missing_things_are_named() -> None:
    config = DONE.replace("192.168.2.1", "192.168.2.2").replace(" duplex auto", " shutdown")
    missing = {
        r.check_id: r.says for r in check_lab(get_lab("01-basic-routing"), {"r1": config}) if not r.done
    }
    assert set(missing) == {"lan1-up", "lan2-address"}
    assert "192.168.2.1" in missing["lan2-address"]


def test_other_devices_are_not_judged() -> None:
    results = check_lab(get_lab("04-static-routes"), {"R1": "hostname R1"})
    assert {r.done for r in results if r.device == "R2"} == {None}
    assert {r.done for r in results if r.device == "R1"} == {False}


def test_sections_are_looked_at_one_by_one() -> None:
    config = (
        "interface GigabitEthernet0/0.10\n encapsulation dot1Q 10\n"
        "interface GigabitEthernet0/0.20\n ip address 192.168.10.1 255.255.255.0\n"
    )
    done = {r.check_id: r.done for r in check_lab(get_lab("03-router-on-a-stick"), {"R1": config})}
    assert done["tag10"] is True
    assert done["address10"] is False


def test_unknown_lab() -> None:
    with pytest.raises(NotFound, match="Did you mean 01-basic-routing"):
        get_lab("01-basic")
    with pytest.raises(NotFound):
        get_lab("x" * 10_000)


def test_inconsistent_lab_is_refused() -> None:
    data = get_lab("01-basic-routing").model_dump()
    data["checks"][0]["step"] = "nowhere"
    with pytest.raises(ValueError, match="unknown step"):
        Lab.model_validate(data)


def test_a_configuration_as_a_terminal_shows_it() -> None:
    text = "R1#show run\r\nhostname R1\r\n --More-- \x08\x08interface Gi0/0\r\n no ip address\r\n!\r\nend\r\n"
    config = parse_config(text)
    assert config.hostname == "R1"
    assert parse_config("").hostname == ""
    assert config.opened_by("interface Gi0/0")[0].lines == ["no ip address"]
