"""One shape for whatever the application refuses, and for what its framework refuses before it is asked."""

from __future__ import annotations

from typing import Any

from ...files.chunk_scorer import dumps
from ..limits import ServeError


def add_refusals(app: Any) -> None:
    """Let a FastAPI application answer every refusal as `ServeError` says it.

    Args:
        app: The application.
    """
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException

    for kind, handler in (
        (ServeError, _on_refusal),
        (RequestValidationError, _on_invalid),
        (HTTPException, _on_http),
        (404, _on_http),
        (405, _on_http),
        (Exception, _on_breakage),
    ):
        app.add_exception_handler(kind, handler)


async def _on_refusal(_: Any, error: ServeError) -> Any:
    return _reply(error)


async def _on_invalid(_: Any, error: Any) -> Any:
    return _reply(ServeError(422, "unreadable", _told(error.errors())))


async def _on_breakage(_: Any, error: Exception) -> Any:
    said = f"the server broke on this request ({type(error).__name__}); its log says where"
    return _reply(ServeError(500, "internal", said))


async def _on_http(_: Any, error: Any) -> Any:
    kind = {404: "unknown_address", 405: "wrong_method"}.get(error.status_code, "refused")
    hint = "; /docs lists the addresses" if error.status_code == 404 else ""
    return _reply(ServeError(error.status_code, kind, f"{error.detail}{hint}"))


def _reply(error: ServeError) -> Any:
    from fastapi.responses import Response

    return Response(dumps(error.body()), error.status, headers=error.headers(), media_type="application/json")


def _told(errors: Any) -> str:
    """What pydantic found, in a sentence."""
    found = [
        f"{'.'.join(str(each) for each in error['loc'] if each != 'body') or 'the body'}: {error['msg']}"
        for error in errors[:3]
    ]
    return "; ".join(found) + ("; ..." if len(errors) > 3 else "")
