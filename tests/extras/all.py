"""[all]: the extras for users get along in one environment."""

from __future__ import annotations

from tests.extras import cache, gym, korean, metrics, qlora, remote, report, serve, train


def main() -> None:
    """What each of them is for, one after another."""
    for each in (cache, gym, korean, metrics, remote, report, serve, train, qlora):
        each.main()


if __name__ == "__main__":
    main()
