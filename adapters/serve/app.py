"""The application: addresses, documentation, and one shape for what is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from adapters.files.chunk_scorer import dumps
from adapters.hosts.contract.unscored import Policy
from verifiers import __version__
from verifiers.runtime.packages import require

from .formats import OpenRLHFReply, Problem, ScoreReply, VerifyReply, VerlReply
from .guards import App, Guards
from .handlers import Handlers
from .judging.micro_batches import Queue
from .judging.recipes import Recipes
from .judging.workers import Workers
from .limits import Limits, ServeError
from .metrics import Metrics

ERRORS = (401, 404, 413, 422, 429, 504)


def build(
    recipes: Recipes,
    workers: Workers,
    limits: Limits,
    metrics: Metrics,
    *,
    unscored: Policy = "zero",
    token: str | None = None,
) -> App:
    """The server as an ASGI application; before it ends, it judges what it has accepted.

    Args:
        recipes: What can judge.
        workers: What judges.
        limits: What is let through.
        metrics: What is counted.
        unscored: As for `Handlers`.
        token: As for `Guards`.

    Raises:
        MissingDependencyError: fastapi is not installed.
    """
    require("fastapi", extra="serve")
    from fastapi import FastAPI
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import Response
    from starlette.exceptions import HTTPException

    queue = Queue(workers, limits, metrics)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        await queue.drained()
        workers.close()

    def respond(body: bytes, kind: str) -> Any:
        return Response(body, media_type=kind)

    def refused(error: ServeError) -> Any:
        return Response(
            dumps(error.body()), error.status, headers=error.headers(), media_type="application/json"
        )

    async def on_refusal(_: Any, error: Any) -> Any:
        return refused(error)

    async def on_invalid(_: Any, error: Any) -> Any:
        return refused(ServeError(422, "unreadable", _told(error.errors())))

    async def on_http(_: Any, error: Any) -> Any:
        if error.status_code == 400:  # a body that is no JSON, or is nested too deeply
            return refused(ServeError(422, "unreadable", "the body is not JSON that can be read"))
        kind = {404: "unknown_address", 405: "wrong_method"}.get(error.status_code, "refused")
        hint = "; /docs lists the addresses" if error.status_code == 404 else ""
        return refused(ServeError(error.status_code, kind, f"{error.detail}{hint}"))

    app = FastAPI(
        title="Reward server",
        version=__version__,
        summary="Rewards for completions, in the formats of several trainers.",
        lifespan=lifespan,
    )
    app.add_exception_handler(ServeError, on_refusal)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(404, on_http)
    app.add_exception_handler(405, on_http)
    handlers = Handlers(recipes, queue, limits, metrics, unscored, respond)
    problems: dict[int | str, dict[str, Any]] = {status: {"model": Problem} for status in ERRORS}

    def post(path: str, handler: Callable[..., Any], reply: Any, host: str) -> None:
        app.add_api_route(
            path, handler, methods=["POST"], response_model=reply, responses=problems, tags=[host]
        )

    post("/score", handlers.score, ScoreReply, "rows")
    post("/openrlhf", handlers.openrlhf, OpenRLHFReply, "OpenRLHF")
    post("/openrlhf/{recipe}", handlers.openrlhf_by, OpenRLHFReply, "OpenRLHF")
    post("/slime", handlers.slime, float | dict[str, float], "slime")
    post("/slime/{recipe}", handlers.slime_by, float | dict[str, float], "slime")
    post("/verl", handlers.verl, VerlReply, "verl")
    post("/verl/{recipe}", handlers.verl_by, VerlReply, "verl")
    post("/verify", handlers.verify, VerifyReply, "NeMo-Gym")
    post("/seed_session", handlers.seed_session, dict[str, Any], "NeMo-Gym")
    app.add_api_route("/health", handlers.health, methods=["GET"], tags=["server"])
    app.add_api_route("/metrics", handlers.metrics, methods=["GET"], tags=["server"])
    paths = frozenset("/" + route.path.lstrip("/").partition("/")[0] for route in app.routes)  # type: ignore[attr-defined]
    return Guards(app, limits, metrics, paths, token)


def _told(errors: Any) -> str:
    """What pydantic found, in a sentence."""
    found = [
        f"{'.'.join(str(each) for each in error['loc'] if each != 'body') or 'the body'}: {error['msg']}"
        for error in errors[:3]
    ]
    return "; ".join(found) + ("; ..." if len(errors) > 3 else "")
