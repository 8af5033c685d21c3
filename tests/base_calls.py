"""How every verb and option of both command lines is tried, and what needs an extra (tests/test_base_install.py)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

ROWS = [
    {"id": number, "prompt": f"{number // 2} + 1?", "completion": f"The answer is {said}.",
     "answer": str(number // 2 + 1), "label": said == number // 2 + 1, "source": "sums", "step": number,
     "candidates": ["2", "3"]}
    for number, said in enumerate((1, 2, 2, 2, 3, 5, 4, 4))
]  # fmt: skip
FILES = {
    "rows.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "rows.csv": "completion,answer\nThe answer is 2.,2\n",
    "rows.tsv": "completion\tanswer\nThe answer is 2.\t2\n",
    "cases.jsonl": '{"id": "a-1", "completion": "4", "reference": "4", "score": 1.0, "reason": "equal"}\n',
    "judge.yaml": "reward:\n  Judge: {url: 'http://127.0.0.1:9/v1', model: none, rubric: 'Is it right?'}\n",
    "principles.yaml": "- Be kind.\n",
    "attacks/print.py": "print(1)\n",
    "own.yaml": (
        "output_dir: made\nmodel: {name: training.small_models:gpt}\ndata: {source: rows.jsonl}\n"
        "reward: MathEquivalence\nsample: {k: 2, batch_size: 2}\n"
    ),
    "certificate.json": '{"certificate": 1, "findings": [], "signature": "", "digest": ""}',
    "token": "a-token-of-some-length\n",
}
"""What lies in the folder that a verb runs in; ``scored.jsonl``, too: the rows scored."""


class Verb(NamedTuple):
    """How a verb is tried.

    Args:
        words: Arguments and options with which it does its work.
        values: What options are given where `USUAL` does not fit: one call for each. A text with the option in
            it is all that the verb is given.
    """

    words: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]] = MappingProxyType({})


CONFIG = ("--config", "own.yaml")
TO = ("--output", "made")
DRY = {
    "--completions": ("--config own.yaml --dry-run --completions rows.jsonl",),
    "--sample": ("--config own.yaml --dry-run --sample 2",),
}
SCORED = ("scored.jsonl",)
CALLS: dict[str, dict[str, Verb]] = {
    "adapters.cli": {
        "score": Verb(("rows.jsonl",), {
            "--input-format": ("auto", "json", "rows.csv --input-format csv", "rows.tsv --input-format tsv"),
            "--resume": ("rows.jsonl --output scored.jsonl --resume",),
            "--address": ("rows.jsonl --engine ray --address 127.0.0.1:6379",),
        }),
        "explain": Verb(("rows.jsonl",), {
            "--completion": ("--completion 4 --reference 4",),
            "--reference": ("--completion 4 --reference 4",),
            "--prompt": ("--completion 4 --reference 4 --prompt 2+2?",),
            "--tokens": ("--completion 4 --reference 4 --tokens 9",),
        }),
        "references": Verb(("rows.jsonl",)),
        "report": Verb((*SCORED, "-o", "page.md"), {"--output": ("page.html", "page.md", "page.json", "page.png"),
                                                    "--format": ("html", "md", "json", "png"),
                                                    "--watch": ("scored.jsonl --watch",),
                                                    "--open": ("scored.jsonl -o - --open",)}),
        "publish": Verb(SCORED),
        "cases": Verb(SCORED),
        "certify": Verb(("ExactMatch", "rows.jsonl", "--budget", "100"), {
            "--output": ("page.json", "page.md", "page.html", "page.svg"),
            "--since": ("certificate.json",),
            "--fail-on": ("alarm",),
        }),
        "trust": Verb(("rows.jsonl", "--recipe", "ExactMatch"), {"--ask": ("2",)}),
        "completion": Verb(("bash",)),
        "groups": Verb(SCORED),
        "prefer": Verb((*SCORED, "--judge", "judge.yaml")),
        "select": Verb(SCORED, {"--for": ("sft", "star", "dpo", "best", "majority")}),
        "audit": Verb(SCORED, {"--fail-on": ("alarm",)}),
        "diff": Verb((*SCORED, *SCORED), {"--recipe": ("scored.jsonl --recipe MathEquivalence",)}),
        "show": Verb(SCORED),
        "serve": Verb(("--recipe", "MathEquivalence", "--port", "0")),
        "sandbox": Verb(()),
        "new": Verb(("OwnCheck",)),
        "test": Verb(("cases.jsonl", "--verifier", "ExactMatch"),
                     {"--recipe": ("cases.jsonl --recipe ExactMatch",)}),
        "check-verifier": Verb(("ExactMatch", "--seconds", "60")),
        "list": Verb(()),
        "doctor": Verb(()),
        "demo": Verb(()),
        "recipe list": Verb(()),
        "recipe show": Verb(("gsm8k_tags",)),
        "recipe check": Verb(("gsm8k_tags",)),
        "recipe schema": Verb(()),
    },
    "training.cli": {
        "grpo": Verb(CONFIG, DRY),
        "rloo": Verb(CONFIG, DRY),
        "sft": Verb(CONFIG),
        "dpo": Verb(CONFIG),
        "select": Verb(CONFIG),
        "prm": Verb(CONFIG),
        "orm": Verb(CONFIG),
        "rm": Verb(CONFIG),
        "pipeline": Verb(("--config", "r1_arithmetic"), {"--config": ("r1_arithmetic",)}),
        "sample": Verb((*CONFIG, *TO)),
        "search": Verb((*CONFIG, *TO)),
        "label": Verb((*CONFIG, *TO), {"--format": ("trl", "prm800k", "processbench")}),
        "critique": Verb((*CONFIG, "--constitution", "principles.yaml", *TO)),
        "rank": Verb((*CONFIG, *TO)),
        "eval": Verb(CONFIG),
        "demo": Verb(()),
        "configs": Verb(()),
        "algorithms": Verb(()),
    },
}  # fmt: skip
_USUAL: dict[str, str | tuple[str, ...]] = {
    "--address": "127.0.0.1:6379", "--against": "scored.jsonl", "--allow-host": "trainer",
    "--ask": "Again, please.", "--asked": "2", "--attacks": "attacks", "--branch": "2", "--budget": "100",
    "--by": "source", "--cache": "kept", "--call-seconds": "2", "--candidates": "candidates",
    "--cases": "cases.jsonl", "--column": "id", "--completion": "It is 4.",
    "--completion-field": "completion", "--completions": "rows.jsonl", "--config": "own.yaml",
    "--consensus": "MathEquivalence", "--constitution": "principles.yaml", "--deadline": "9",
    "--depth": "2", "--engine": ("local", "ray"), "--example": ("healthy", "collapse", "hackable"),
    "--exploration": "1", "--fail-on": "unscored>50%", "--folder": "elsewhere", "--form": "It is {}.",
    "--gold": "answer", "--group-by": "prompt", "--group-field": "prompt", "--host": "127.0.0.1",
    "--how": ("pairs", "list"), "--input-format": ("auto", "json", "csv", "tsv"),
    "--isolation": ("auto", "full", "unprivileged", "none"), "--iterations": "2", "--judge": "judge.yaml",
    "--k": "2", "--key": ("id", "line"), "--labels": "label", "--limit": "2", "--line": "2",
    "--log": "wandb", "--log-project": "mine", "--margin": "0.1", "--max": "1", "--max-body-mb": "1",
    "--max-faults": "0", "--max-pass-rate": "0.9", "--max-queue": "9", "--max-requests": "9",
    "--max-rows": "9", "--messages-field": "messages",
    "--method": ("best_of_n", "weighted_vote", "majority", "revise", "beam", "mcts"), "--min": "0",
    "--model": "nowhere", "--n": "2", "--outcome": "MathEquivalence", "--output": "new.jsonl",
    "--output-dir": "made", "--pairing": ("length", "reward"), "--part": "MathEquivalence",
    "--pass-at": "1", "--per-prompt": "2", "--port": "0",
    "--prefer": ("shortest", "best", "first", "random"), "--progress": "0.5", "--prompt": "2 + 2?",
    "--prompt-field": "prompt", "--reason": "not_equal", "--recipe": "MathEquivalence", "--reference": "4",
    "--reference-field": "answer", "--require": "MathEquivalence", "--rollouts": "2", "--rounds": "2",
    "--row": "2", "--rows": "2", "--sample": "2", "--search": "answer", "--seconds": "90", "--seed": "3",
    "--server": "http://127.0.0.1:9/v1", "--solutions": "rows.jsonl", "--source-field": "source",
    "--stage": "grpo", "--status": ("scored", "unscored", "fault"), "--step-tokens": "9",
    "--steps": "lines", "--strict": "MathEquivalence", "--timeout": "1", "--title": "Sums",
    "--token-file": "token", "--tokens": "9", "--tokens-field": "completion_tokens",
    "--unscored": ("zero", "raise"), "--until": "sft", "--verifier": "ExactMatch", "--width": "2",
    "--workers": "2",
}  # fmt: skip
USUAL = {option: (value,) if isinstance(value, str) else value for option, value in _USUAL.items()}
"""What options are given."""
NEEDS = {"adapters.cli score --cache": "cache", "adapters.cli score --engine=ray": "ray",
         "adapters.cli score --address": "ray", "adapters.cli score --log": "wandb",
         "adapters.cli report --output=page.png": "report", "adapters.cli report --format=png": "report",
         "adapters.cli report --against": "report", "adapters.cli report --watch": "report",
         "adapters.cli diff": "report", "adapters.cli serve": "serve", "adapters.cli prefer": "remote",
         "training.cli": "train", "training.cli configs": "", "training.cli algorithms": ""}  # fmt: skip
"""What is for an extra: a program, a verb, an option or its value; the most exact entry counts, "" needs none."""


class Call(NamedTuple):
    """One command.

    Args:
        program: The module that is run.
        verb: Its words after the program's.
        option: The option that is tried, with its value; empty for the verb alone.
        words: All that the program is given.
    """

    program: str
    verb: str
    option: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        """As `NEEDS` names it."""
        return f"{self.program} {self.verb} {self.option}".strip()

    @property
    def extra(self) -> str:
        """What `NEEDS` says of it."""
        names = [self.name, self.name.partition("=")[0], f"{self.program} {self.verb}", self.program]
        return next((NEEDS[name] for name in names if name in NEEDS), "")


def calls(program: str, verb: str, command: Any) -> Iterator[Call]:
    """The verb alone, and with each of its options.

    Args:
        program: The module of the command line.
        verb: The words that lead to the command.
        command: As typer declares it.

    Raises:
        KeyError: A verb or an option is new, and nothing here says how it is tried.
    """
    tried = CALLS[program][verb]
    lead = tuple(verb.split())
    yield Call(program, verb, "", (*lead, *tried.words))
    for parameter in command.params:
        names = [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--")]
        flag = getattr(parameter, "is_flag", False)
        for name in names:  # none of an argument, which is among the words
            for value in tried.values.get(name) or (("",) if flag else USUAL[name]):
                whole = tuple(value.split())
                words = whole if name in whole else (*tried.words, name, *([] if flag else [value]))
                yield Call(program, verb, f"{name}={whole[-1]}" if whole else name, (*lead, *words))
