"""Diagnosis of Cisco IOS command lines: what went wrong, why, and what to type instead."""

from graphs.tutoring.diagnosis.detector import ErrorDetector, diagnose, get_default_detector
from graphs.tutoring.diagnosis.patterns import BaseErrorPattern, FuzzyErrorPattern
from graphs.tutoring.diagnosis.registry import PatternRegistry
from graphs.tutoring.diagnosis.transcript import parse_transcript

__all__ = [
    "BaseErrorPattern",
    "ErrorDetector",
    "FuzzyErrorPattern",
    "PatternRegistry",
    "diagnose",
    "get_default_detector",
    "parse_transcript",
]
