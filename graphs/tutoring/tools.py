"""The tools a model may use when no CLI error is visible: read a device, never change one."""

from langchain_core.tools import BaseTool, tool

from common.errors import StudyError
from common.prompts import fence
from graphs.tutoring.devices import read_running_config, run_show
from graphs.tutoring.diagnosis.arguments import is_interface, is_mask, is_quad

MAX_SHOWN = 6_000


@tool
async def get_device_running_config(device_name: str) -> str:
    """Read the running configuration of a lab device, such as R1. Passwords are hidden."""
    try:
        return fence((await read_running_config(device_name))[:MAX_SHOWN], f"configuration of {device_name}")
    except StudyError as exc:
        return str(exc)


@tool
async def execute_command(device_name: str, command: str) -> str:
    """Run one read-only show command on a lab device, such as `show ip route` on R1."""
    try:
        return fence((await run_show(device_name, command))[:MAX_SHOWN], f"{command} on {device_name}")
    except StudyError as exc:
        return str(exc)


@tool
async def create_interface(interface: str, address: str, mask: str) -> str:
    """Propose the commands that set up an interface. Nothing is sent to a device: the student types them."""
    if not (is_interface(interface) and is_quad(address) and is_mask(mask)):
        return "Give an interface such as GigabitEthernet0/0, an address and a dotted mask."
    lines = [
        "configure terminal",
        f"interface {interface}",
        f"ip address {address} {mask}",
        "no shutdown",
        "end",
    ]
    return "Proposed commands, for the student to type:\n" + "\n".join(lines)


TOOLS: list[BaseTool] = [get_device_running_config, execute_command, create_interface]
