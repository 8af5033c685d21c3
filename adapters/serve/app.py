"""The application: its addresses and their documentation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from reward_verifiers.verifiers import __version__
from reward_verifiers.verifiers.runtime.packages import require

from ..hosts.unscored import Policy
from .door.bodies import strict_route
from .door.guards import App, Guards
from .door.refusals import add_refusals
from .formats import OpenRLHFReply, Problem, ScoreReply, VerifyReply, VerlReply
from .handlers import Handlers
from .judging.micro_batches import Queue
from .judging.recipes import Recipes
from .judging.workers import Workers
from .limits import Limits
from .metrics import Metrics
from .pages import POLICY, page

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
    """The server as an ASGI application; before it ends, it judges what it has accepted.

    Args:
        recipes: What can judge.
        workers: What judges.
        limits: What is let through.
        metrics: What is counted.
        unscored: As for `Handlers`.
        token: As for `Guards`.
        names: As for `Guards`.

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
