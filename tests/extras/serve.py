"""[serve]: the server rewards what its client sends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """A right row, a wrong one, and one that cannot be judged."""
    from adapters.serve.client import RewardClient

    command = [str(Path(sys.executable).with_name("verify-cli")), "serve", "--port", "0"]
    server = subprocess.Popen([*command, "--recipe", "MathEquivalence"], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        said = next(line for line in server.stderr if line.startswith("serving "))
        url = next(word for word in said.split() if word.startswith("http")).rstrip(";")
        with RewardClient(url) as client:
            paid = client.rewards([r"\boxed{4}", r"\boxed{5}", r"\boxed{5}"], answer=["4", "4", ""])
        assert paid == [1.0, 0.0, None], paid
    finally:
        server.terminate()
        server.wait(60)
        server.stderr.close()
    print("three rows were rewarded over HTTP")


if __name__ == "__main__":
    main()
