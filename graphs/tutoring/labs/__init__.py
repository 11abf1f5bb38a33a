"""The labs: instructions, steps with hints in three rungs, and checks on the running configuration."""

from graphs.tutoring.labs.catalog import Lab, Step, get_lab, lab_ids, load_labs
from graphs.tutoring.labs.checks import CheckResult, check_lab

__all__ = ["CheckResult", "Lab", "Step", "check_lab", "get_lab", "lab_ids", "load_labs"]
