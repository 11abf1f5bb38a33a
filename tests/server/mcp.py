"""Asks a server over the Model Context Protocol, in one plain request."""

import json
from typing import Any

import httpx


def call_mcp(http: httpx.Client, method: str, params: dict[str, Any]) -> Any:
    headers = {"accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = http.post("/mcp/", json=body, headers=headers, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    text = answer.text
    if answer.headers["content-type"].startswith("text/event-stream"):
        text = next(line[6:] for line in text.splitlines() if line.startswith("data: "))
    return json.loads(text)
