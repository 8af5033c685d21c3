"""[metrics]: every metric gives a figure; those of models with small ones that are made on the spot."""

from __future__ import annotations

import tempfile
from pathlib import Path


def main() -> None:
    """The same text is worth more than another one."""
    from benchmarks import metrics_bleurt
    from tests.verifiers.metrics import tiny
    from verifiers import BertScore, Bleu, Bleurt, Chrf, Rouge, SemanticSimilarity, Verifier

    with tempfile.TemporaryDirectory() as folder:
        encoder = tiny.encoder(Path(folder) / "encoder")
        weights = metrics_bleurt.random_weights(metrics_bleurt.SHAPE, 1)
        judges: list[Verifier] = [
            Rouge(tokenizer="rouge_score_stemmed"),
            Bleu(),
            Chrf(),
            SemanticSimilarity(),
            BertScore(model=encoder, layer=2),
            Bleurt(metrics_bleurt.save(Path(folder) / "bleurt", metrics_bleurt.SHAPE, weights), "cpu"),
        ]
        for judge in judges:
            same, other = judge.verify_batch(["w1 w2 w3 w4 w5", "w9 w8"], ["w1 w2 w3 w4 w5"] * 2)
            assert same.score is not None, same.detail
            assert other.score is not None, other.detail
            # BLEURT's weights are random; what the others give to the same text is the most there is.
            assert isinstance(judge, Bleurt) or same.score > max(other.score, 0.99), judge
            print(
                f"{type(judge).__name__}: {same.score:.3f} for the same text, {other.score:.3f} for another"
            )


if __name__ == "__main__":
    main()
