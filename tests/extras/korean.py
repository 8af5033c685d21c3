"""[korean]: both analysers take Korean apart into morphemes, and ROUGE counts them."""

from __future__ import annotations

import sys


def main() -> None:
    """Words that differ in their particles share what carries the meaning."""
    from verifiers import Rouge

    names = ["morphemes"]
    if sys.version_info < (3, 13):
        names.append("nikl")  # python-mecab-ko has no wheels for later versions
    for name in names:
        judge = Rouge(kind="rouge1", tokenizer=name)
        same, particle, other = judge.verify_batch(
            ["학교에 갔다", "학교를 갔다", "비가 온다"], ["학교에 갔다"] * 3
        )
        assert same.score == 1.0, same
        assert particle.score is not None, particle.detail
        assert other.score is not None, other.detail
        assert 0.5 < particle.score < 1.0, particle
        assert other.score < particle.score, other
    print(f"ROUGE with {' and '.join(names)}")


if __name__ == "__main__":
    main()
