"""``verify-cli serve``: rewards over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from reward_verifiers.verifiers import ConfigError

from ..serve.load_limits import Limits
from ..serve.server_runs import Address, run
from .console import check_progress, failing_clearly, say

TOKEN_VARIABLE = "REWARD_SERVER_TOKEN"  # noqa: S105  (the name of a variable)

Recipes = Annotated[
    list[str],
    typer.Option(
        "--recipe",
        "-r",
        help="A preset, a recipe file, or a verifier's name; NAME=RECIPE to give it another name. "
        "Several may be served; the first is for requests that name none.",
    ),
]
NoToken = Annotated[
    bool,
    typer.Option(
        "--no-token",
        help="Accept requests of all accounts on this machine, even if a recipe runs programs or your code.",
    ),
]
Hosts = Annotated[
    list[str] | None,
    typer.Option(
        help="Another host name that requests may be addressed to, besides this machine's own.",
        show_default=False,
    ),
]
Defaults = Limits()


def serve(
    recipe: Recipes,
    port: Annotated[int, typer.Option(help="Port; 0 for any free one.", min=0, max=65535)] = 8000,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but this machine's own needs a token.")
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        typer.Option(help=f"File with the token that requests must carry; or set {TOKEN_VARIABLE}."),
    ] = None,
    no_token: NoToken = False,
    allow_host: Hosts = None,
    workers: Annotated[
        int | None, typer.Option(help="Number of processes (default: all cores).", show_default=False)
    ] = None,
    progress: Annotated[
        float | None,
        typer.Option(help="Progress of training for scheduled weights: 0 to 1.", show_default=False),
    ] = None,
    unscored: Annotated[
        Literal["zero", "raise"],
        typer.Option(help="Reply to OpenRLHF, slime and verl for a row without a reward."),
    ] = "zero",
    deadline: Annotated[float, typer.Option(help="Seconds until a request is dropped.")] = Defaults.deadline,
    max_body_mb: Annotated[float, typer.Option(help="Largest request, in MB.")] = Defaults.body_bytes
    / (1 << 20),
    max_rows: Annotated[
        int, typer.Option(help="Largest number of rows in a request.")
    ] = Defaults.request_rows,
    max_queue: Annotated[int, typer.Option(help="Largest number of waiting rows.")] = Defaults.queue_rows,
    max_requests: Annotated[
        int, typer.Option(help="Largest number of requests at a time.")
    ] = Defaults.requests,
) -> None:
    """Answer requests for rewards, in the formats of several trainers.

    It listens on this machine only, unless --host says otherwise and there is a token. If a recipe runs
    programs or your own code, it writes a token to a file that only you can read. SIGTERM or Ctrl-C ends it
    after it has answered all accepted requests.
    """
    with failing_clearly():
        if progress is not None:
            check_progress(progress)
        limits = Limits(
            body_bytes=int(max_body_mb * (1 << 20)),
            request_rows=max_rows,
            requests=max_requests,
            queue_rows=max_queue,
            deadline=deadline,
        )
        run(
            recipe,
            Address(host, port, _token(token_file, no_token), tuple(allow_host or ()), no_token),
            limits=limits,
            workers=workers,
            progress=progress,
            unscored=unscored,
            ready=lambda url, file: _tell(recipe, url, file),
        )


def _tell(recipe: list[str], url: str, file: Path | None) -> None:
    token = "" if file is None else f" the token is in {file}, where RewardClient finds it;"
    say(f"serving {', '.join(recipe)} on {url};{token} {url}/docs says how to ask")


def _token(file: Path | None, none: bool) -> str | None:
    if file is None:
        return None if none else os.environ.get(TOKEN_VARIABLE) or None
    if none:
        raise ConfigError("--no-token and --token-file contradict each other; give one of them")
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read as a token: {error}") from error
    if not token:
        raise ConfigError(f"{file}: has no token in it; openssl rand -hex 24 makes one")
    return token
