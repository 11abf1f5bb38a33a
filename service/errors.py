"""How errors leave the service: one JSON object that says what happened and what to do."""

from fastapi import FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from common.errors import StudyError


def install(app: FastAPI) -> None:
    app.add_exception_handler(StudyError, study_error)
    app.add_exception_handler(RequestValidationError, invalid_request)
    app.add_exception_handler(HTTPException, refused)


async def study_error(_request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, StudyError)
    return JSONResponse({"error": exc.message, "remedy": exc.remedy}, status_code=exc.status)


async def invalid_request(_request: Request, exc: Exception) -> JSONResponse:
    assert isinstance(exc, RequestValidationError)
    faults = "; ".join(_told(fault["loc"], fault["msg"]) for fault in exc.errors()[:5])
    return JSONResponse({"error": faults, "remedy": "The fields are described at /docs."}, status_code=422)


async def refused(request: Request, exc: Exception) -> Response:
    """What the framework refuses on our routes, as a body that is no text; the platform keeps its form."""
    assert isinstance(exc, HTTPException)
    if not isinstance(request.scope.get("route"), APIRoute):
        return await http_exception_handler(request, exc)
    remedy = "The fields are described at /docs."
    return JSONResponse({"error": f"{exc.detail}.", "remedy": remedy}, status_code=exc.status_code)


def _told(place: tuple[int | str, ...], message: str) -> str:
    """`("body", "count")` → `count: …`; the part of the request is named where no field is."""
    if message == "JSON decode error":
        return f"The body is not JSON, from character {place[-1]} on"
    field = ".".join(str(part) for part in place[1:]) or str(place[0])
    return f"{field}: {message}"
