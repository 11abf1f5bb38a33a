"""Lab devices: an inventory, read-only SSH, and masking of what must not be seen."""

from graphs.tutoring.devices.inventory import Device, device_names, find_device, load_inventory
from graphs.tutoring.devices.masking import mask_secrets
from graphs.tutoring.devices.session import DeviceUnavailable, read_running_config, run_show

__all__ = [
    "Device",
    "DeviceUnavailable",
    "device_names",
    "find_device",
    "load_inventory",
    "mask_secrets",
    "read_running_config",
    "run_show",
]
