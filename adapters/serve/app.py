"""The application: its addresses, their documentation, and a page that says how to ask, all in itself."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from html import escape
from typing import Any

from reward_verifiers.verifiers import __version__
from reward_verifiers.verifiers.runtime.packages import require

from ..hosts.unscored import Policy
from .counters import Metrics
from .guards import App, Guards, add_refusals, strict_route
from .handlers import Handlers
from .load_limits import Limits
from .micro_batches import Queue
from .recipes import Recipes
from .request_formats import OpenRLHFReply, Problem, ScoreReply, VerifyReply, VerlReply
from .workers import Workers

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #8881; padding: .6rem; overflow-x: auto; font-size: .85rem; }
section { border-top: 1px solid #8886; margin-top: 1.5rem; }
:root { color-scheme: light dark; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
"""Headers with which a browser loads nothing and runs nothing."""


def page(described: Mapping[str, Any]) -> str:
    """Return a description of an API for people."""
    about = described["info"]
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(about['title'])}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(about['title'])} {escape(about['version'])}</h1><p>{escape(about.get('summary', ''))} "
        "A token goes along as the header <code>Authorization: Bearer TOKEN</code>. "
        '<a href="openapi.json">openapi.json</a> says the same for programs.</p>'
    )
    return head + "".join(_sections(described)) + "</body></html>"


def _sections(described: Mapping[str, Any]) -> Iterator[str]:
    schemas = described.get("components", {}).get("schemas", {})
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            said = escape(operation.get("description", operation.get("summary", "")))
            yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2><p>{said}</p>"
            asked = _schema(operation.get("requestBody"), schemas)
            answered = _schema(operation.get("responses", {}).get("200"), schemas)
            yield from _shown("Send", asked)
            yield from _shown("Answered with", answered)
            yield "</section>"


def _schema(body: Any, schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    content = (body or {}).get("content", {}).get("application/json", {}).get("schema", {})
    found: Mapping[str, Any] = schemas.get(content.get("$ref", "").rpartition("/")[2], content)
    return found


def _shown(word: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if not schema:
        return
    fields = schema.get("properties", {})
    listed = "".join(
        f"<li><code>{escape(name)}</code> {escape(about.get('description', ''))}</li>"
        for name, about in fields.items()
    )
    yield f"<h3>{word}</h3><p>{escape(schema.get('description', ''))}</p><ul>{listed}</ul>"
    for example in schema.get("examples", ()):
        yield f"<pre>{escape(json.dumps(example, indent=1, ensure_ascii=False))}</pre>"


ERRORS = (401, 403, 404, 413, 415, 421, 422, 429, 500, 503, 504)


def build(
    recipes: Recipes,
    workers: Workers,
    limits: Limits,
    metrics: Metrics,
    *,
    unscored: Policy = "zero",
    token: str | None = None,
    names: frozenset[str] | None = None,
) -> App:
    """Return the server as an ASGI application, which judges all that it accepted before it ends.

    Raises:
        MissingDependencyError: fastapi is not installed.
    """
    require("fastapi", extra="serve")
    from fastapi import FastAPI
    from fastapi.responses import Response

    queue = Queue(workers, limits, metrics)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        await queue.drained()
        workers.close()

    def respond(body: bytes, kind: str) -> Any:
        return Response(body, media_type=kind)

    app = FastAPI(
        title="Reward server",
        version=__version__,
        summary="Rewards for completions, in the formats of several trainers.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.router.route_class = strict_route()
    add_refusals(app)
    _add_routes(app, Handlers(recipes, queue, limits, metrics, unscored, respond))

    async def docs() -> Any:
        """This page."""
        return Response(page(app.openapi()), media_type="text/html", headers=POLICY)

    app.add_api_route("/docs", docs, methods=["GET"], tags=["server"])
    paths = frozenset("/" + route.path.lstrip("/").partition("/")[0] for route in app.routes)  # type: ignore[attr-defined]
    return Guards(app, limits, metrics, paths, token, names)


def _add_routes(app: Any, handlers: Handlers) -> None:
    posts = (
        ("/score", handlers.score, ScoreReply, "rows"),
        ("/openrlhf", handlers.openrlhf, OpenRLHFReply, "OpenRLHF"),
        ("/openrlhf/{recipe}", handlers.openrlhf_by, OpenRLHFReply, "OpenRLHF"),
        ("/slime", handlers.slime, float | dict[str, float], "slime"),
        ("/slime/{recipe}", handlers.slime_by, float | dict[str, float], "slime"),
        ("/verl", handlers.verl, VerlReply, "verl"),
        ("/verl/{recipe}", handlers.verl_by, VerlReply, "verl"),
        ("/verify", handlers.verify, VerifyReply, "NeMo-Gym"),
        ("/seed_session", handlers.seed_session, dict[str, Any], "NeMo-Gym"),
    )
    problems: dict[int | str, dict[str, Any]] = {status: {"model": Problem} for status in ERRORS}
    for path, handler, reply, host in posts:
        app.add_api_route(
            path, handler, methods=["POST"], response_model=reply, responses=problems, tags=[host]
        )
    app.add_api_route("/health", handlers.health, methods=["GET"], tags=["server"])
    app.add_api_route("/metrics", handlers.metrics, methods=["GET"], tags=["server"])
