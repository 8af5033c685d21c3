"""[cache]: a verdict that one process kept on disk is found by the next."""

from __future__ import annotations

import tempfile


def main() -> None:
    """Two caches on one folder: the second knows what the first was told."""
    from rewards import Pay, VerdictCache
    from verifiers import MathEquivalence

    with tempfile.TemporaryDirectory() as folder:
        for hits in (0, 1):
            cache = VerdictCache(folder, worth_seconds=0)
            paid = Pay(MathEquivalence())([r"\boxed{\sqrt{8}}"], answer=[r"2\sqrt2"], cache=cache)
            assert paid == [1.0]
            assert cache.hits == hits, cache.hits
    print("a verdict was found again on disk")


if __name__ == "__main__":
    main()
