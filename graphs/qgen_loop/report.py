"""What the statistics file says, added up, and as a page with small charts."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html import escape
from pathlib import PurePath
from typing import Any

from graphs.qgen_loop.statistics import Statistics

COLOURS = {"accepted": "#2a7f62", "duplicate": "#c08a2b", "trivial": "#8a6fb0", "ambiguous": "#4f7cac"}
OTHER = "#b4534b"
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "body{color:#222;background:#fff}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.3rem .6rem;text-align:left;border-bottom:1px solid #ddd}td.n,th.n{text-align:right}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}td,th{border-color:#444}"
    "text{fill:#ddd}}"
)


@dataclass
class RunLine:
    """One document's run in numbers."""

    document: str
    status: str
    accepted: int
    attempts: int
    target: int
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    run_id: str = ""


@dataclass
class Report:
    """All runs of a statistics file, added up."""

    runs: list[RunLine] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    roles: dict[str, Counter[str]] = field(default_factory=dict)
    usd_by_role: dict[str, float] = field(default_factory=dict)

    @property
    def accepted(self) -> int:
        """Accepted questions in all."""
        return sum(run.accepted for run in self.runs)

    @property
    def attempts(self) -> int:
        """Attempts in all."""
        return sum(self.outcomes.values())

    @property
    def calls(self) -> int:
        """Model calls in all."""
        return sum(run.calls for run in self.runs)

    @property
    def usd(self) -> float:
        """US dollars in all."""
        return sum(run.usd for run in self.runs)

    @property
    def calls_per_question(self) -> float:
        """Model calls per accepted question."""
        return self.calls / self.accepted if self.accepted else 0.0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "accepted": self.accepted,
            "attempts": self.attempts,
            "acceptance": round(self.accepted / self.attempts, 4) if self.attempts else 0.0,
            "calls": self.calls,
            "calls_per_question": round(self.calls_per_question, 2),
            "usd": round(self.usd, 6),
            "outcomes": dict(self.outcomes),
            "roles": {role: dict(counts) for role, counts in self.roles.items()},
            "usd_by_role": self.usd_by_role,
            "runs": [vars(run) for run in self.runs],
        }


def make_report(statistics: Statistics) -> Report:
    """Read a statistics file and add it up."""
    report = Report()
    spent: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for call in statistics.rows("calls"):
        spent[call["run_id"]].append(call)
        counts = report.roles.setdefault(call["role"], Counter())
        counts.update({key: call[key] for key in ("calls", "input_tokens", "output_tokens")})
        report.usd_by_role[call["role"]] = report.usd_by_role.get(call["role"], 0.0) + call["usd"]
    for attempt in statistics.rows("attempts"):
        report.outcomes[attempt["rejection_reason"] or "accepted"] += 1
    for run in statistics.rows("runs"):
        report.runs.append(_line(run, spent[run["run_id"]]))
    return report


def read_report(values: dict[str, Any]) -> Report:
    """A report from the plain values that `as_json` gave, as a server sends them."""
    return Report(
        runs=[RunLine(**run) for run in values["runs"]],
        outcomes=Counter(values["outcomes"]),
        roles={role: Counter(counts) for role, counts in values["roles"].items()},
        usd_by_role=values["usd_by_role"],
    )


def _line(run: dict[str, Any], calls: list[dict[str, Any]]) -> RunLine:
    counted = json.loads(run["stats"])
    return RunLine(
        document=PurePath(run["document_path"]).name,
        status=run["status"],
        accepted=counted["accepted_count"],
        attempts=counted["total_attempts"],
        target=run["target_count"],
        calls=sum(call["calls"] for call in calls),
        tokens=sum(call["input_tokens"] + call["output_tokens"] for call in calls),
        usd=round(sum(call["usd"] for call in calls), 6),
        run_id=run["run_id"],
    )


def bars(values: dict[str, float], title: str, unit: str = "") -> str:
    """A bar chart as inline SVG: one bar per name, its value beside it."""
    highest = max(values.values(), default=0) or 1
    rows = []
    for number, (name, value) in enumerate(values.items()):
        y, width = 26 * number + 4, round(380 * value / highest, 1)
        colour = COLOURS.get(name, OTHER)
        rows.append(
            f'<text x="150" y="{y + 14}" text-anchor="end" font-size="13">{escape(name)}</text>'
            f'<rect x="158" y="{y}" width="{max(width, 1)}" height="18" rx="2" fill="{colour}"/>'
            f'<text x="{166 + width}" y="{y + 14}" font-size="13">{value:,.6g}{escape(unit)}</text>'
        )
    height = 26 * max(len(values), 1) + 8
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 640 {height}" width="640" '
        f'height="{height}" xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{"".join(rows)}</svg>'
    )


def _row(run: RunLine) -> str:
    numbers = (f"{run.accepted}/{run.target}", run.attempts, run.calls, f"{run.tokens:,}", f"{run.usd:.4f}")
    cells = "".join(f"<td class=n>{number}</td>" for number in numbers)
    return f"<tr><td>{escape(run.document)}</td><td>{escape(run.status)}</td>{cells}</tr>"


def html(report: Report) -> str:
    """The report as one page that needs nothing else."""
    rows = "".join(_row(run) for run in report.runs)
    heads = "".join(f"<th class=n>{name}</th>" for name in ("accepted", "attempts", "calls", "tokens", "US$"))
    said = (
        f"{report.accepted} questions accepted in {report.attempts} attempts, "
        f"{report.calls_per_question:.1f} model calls and "
        f"{report.usd / max(report.accepted, 1):.4f} US$ per question."
    )
    per_role = {role: float(counts["calls"]) for role, counts in report.roles.items()}
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Question report</title>'
        f"<style>{_STYLE}</style></head><body><h1>Question report</h1><p>{said}</p>"
        f"<h2>What became of the attempts</h2>{bars(dict(report.outcomes), 'Attempts by outcome')}"
        f"<h2>Model calls by role</h2>{bars(per_role, 'Model calls by role')}"
        f"<h2>Cost by role</h2>{bars(report.usd_by_role, 'US dollars by role', ' US$')}"
        f"<h2>Documents</h2><table><tr><th>document</th><th>ended</th>{heads}</tr>{rows}</table></body></html>\n"
    )
