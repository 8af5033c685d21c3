"""[serve]: a reward server, asked by its client."""

from __future__ import annotations

import re
import subprocess
import sys


def main() -> None:
    """A right completion, a wrong one, and one that cannot be judged."""
    from adapters.serve.client import RewardClient

    command = [sys.executable, "-m", "adapters.cli", "serve", "--recipe", "gsm8k_tags", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        try:
            found = re.search(r"http://[\d.:]+", said)
            assert found, said + server.stderr.read()
            with RewardClient(found[0]) as client:
                texts = [f"<THINK>48+27</THINK><SOLUTION>{number}</SOLUTION>" for number in (75, 7, 75)]
                rewards = client.rewards(texts, answer=["75", "75", None])
        finally:
            server.terminate()
    assert rewards == [1.5, 0.5, None], rewards
    assert server.returncode == 0, server.returncode
    print("the server judged three completions, and ended")


if __name__ == "__main__":
    main()
