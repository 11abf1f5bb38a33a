"""Questions over HTTP: what was made so far, as numbers and as a page."""

import asyncio
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from graphs.qgen_loop.report import html, make_report
from graphs.qgen_loop.statistics import own_statistics

router = APIRouter(tags=["questions"])


@router.get("/api/v1/qgen/report", summary="Accepted and rejected questions, calls and cost, in numbers")
async def numbers() -> dict[str, Any]:
    report = await asyncio.to_thread(make_report, own_statistics())
    return report.as_json()


@router.get("/qgen/report", response_class=HTMLResponse, summary="The same as a page with charts")
async def page() -> str:
    report = await asyncio.to_thread(make_report, own_statistics())
    return html(report)
