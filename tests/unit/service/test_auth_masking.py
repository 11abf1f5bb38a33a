"""What a device said, with its passwords hidden before anything keeps it."""

from service.security.masking import masked

CONFIG = "hostname R1\nenable secret 5 planted\n"


def test_passwords_in_device_words_are_hidden_wherever_they_stand() -> None:
    entry = {"command": "show run", "output": f"R1#show run\n{CONFIG}"}
    sent = {"params": [{"input": {"running_configs": {"R1": CONFIG}, "cli_history": [entry]}}], "id": 1}
    told = masked(sent)
    assert "planted" not in str(told)
    assert "hostname R1" in str(told)
    assert told["id"] == 1


def test_passwords_in_a_students_words_are_hidden() -> None:
    asked = "ssh fails, my password is planted99!"
    sent = {"input": {"student_question": asked, "messages": [{"type": "human", "content": asked}]}}
    told = masked(sent)
    assert "planted" not in str(told)
    assert told["input"]["messages"][0]["type"] == "human"


def test_everything_else_is_the_very_same() -> None:
    sent = {
        "input": {"student_question": "enable secret or password?", "running_configs": {"R1": "hostname R1"}},
        "list": [1, None],
    }
    assert masked(sent) == sent
    assert masked(sent["list"]) is sent["list"]


def test_odd_shapes_pass() -> None:
    shapes: list[object] = [
        {"running_configs": None},
        {"cli_history": 7},
        [],
        "text",
        {"cli_history": [[CONFIG]]},
    ]
    for odd in shapes:
        assert "planted" not in str(masked(odd))
