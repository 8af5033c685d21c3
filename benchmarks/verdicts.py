"""Whether two commits judge alike: every verdict on a folder of data, written down and compared.

    python -m benchmarks.verdicts dump --data DATA --out a.jsonl
    python -m benchmarks.verdicts compare a.jsonl b.jsonl

`dump` judges with the checkout that it is run in, and takes its rows of fixtures from there, too. For a
checkout without this file: `PYTHONPATH=. python PATH/TO/benchmarks/verdicts.py dump ...` in its root.
`compare` ends with status 1 if a status, a score or a reason differs, or if a row is there on one side only.

Only names that every commit has are used: those of `verifiers`, `verifiers.korean`, `rewards` and
`adapters.trl`. The hostile programs run in CodePassRate's sandbox and nowhere else.

Three dumps of one commit, with a test suite running at the same time and without, agree in every status,
score and reason. Details differ in two places: the order of strings in a set that a failed test
shows (MBPP 945), and how 61_fd_spray ended. Of the hostile programs, which run until they meet a limit, only
status, score and reason are compared. BERTScore and BLEURT say `model_missing` where their models are not
on this machine. A dump takes 3 to 4 minutes on two cores.

Particles, numerals and rewards have rows, too: what `josa` and `parse_number` return is in `reason`, what
a reward pays in `score`, and its parts and verdicts in `parts`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

# This folder holds a rewards.py, and comes first on the path where this file is run as a script.
sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]

import rewards  # noqa: E402
import verifiers  # noqa: E402
from adapters.trl import trl_reward_funcs  # noqa: E402
from rewards import Pay, Reward, load_recipe, preset_names  # noqa: E402
from verifiers import (  # noqa: E402
    Bleu,
    Chrf,
    CodePassRate,
    ExactMatch,
    KoreanAnswerTemplate,
    LanguageConsistency,
    Length,
    MathEquivalence,
    MultipleChoice,
    Repetition,
    Rouge,
    SemanticSimilarity,
    TagFormat,
    TokenF1,
    Verdict,
    Verifier,
    from_spec,
    verifier_names,
)
from verifiers.korean import josa, parse_number  # noqa: E402

Row = dict[str, Any]

SHOWN = 400
"""Characters of a text that are written down; of a longer one, its beginning and a hash."""
ATTACKS = "attacks"
"""The set of which only status, score and reason are compared."""
JUDGED = ("status", "score", "reason")
COMPLETIONS = (
    ("completions", "gold", "en"),
    ("korean_completions", "reference", "ko"),
    ("chinese_completions", "reference", "zh"),
)
"""Files of completions, the columns of their references, and their languages."""
FOLDS = ("width", "middot", "jamo")
SAMPLE_EVERY, GROUP = 7, 4
FORMS = (
    "<think>{text}</think>\n<answer>{answer}</answer>",
    "{text}\n\\boxed{{{answer}}}",
    "<THINK>{text}</THINK><SOLUTION>{answer}</SOLUTION>",
    "<answer>{answer}</answer><think>{text}</think>",
    "<think>{text}<answer>{answer}</answer>",
    "<think>{text}</think>\n{answer}",
    "<think>{text}</think><answer>{answer}</answer>\nThat is all.",
    "{text}\n#### {answer}",
    "<think>{text}</think>\n<answer>{answer}</answer>",
)
SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Add, ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


# Rows --------------------------------------------------------------------------------------------


def rows_of(path: Path) -> list[Row]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def short(text: str | None) -> str | None:
    """A text, or the beginning and a hash of a long one."""
    if text is None or len(text) <= SHOWN:
        return text
    return f"{text[: SHOWN // 2]}… {hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def part(verdict: Verdict) -> Row:
    """A part of a verdict, and its parts."""
    return {
        "name": verdict.verifier,
        "status": verdict.status.value,
        "score": verdict.score,
        "reason": verdict.reason,
        "parts": [part(inner) for inner in verdict.parts],
    }


def row_of(of: str, row_id: str, label: str, verdict: Verdict) -> Row:
    """A verdict as it is written down."""
    return {
        "set": of,
        "id": row_id,
        "verifier": label,
        "status": verdict.status.value,
        "score": verdict.score,
        "reason": verdict.reason,
        "raw": verdict.raw,
        "extracted": short(verdict.extracted),
        "expected": short(verdict.expected),
        "detail": short(verdict.detail),
        "parts": [part(inner) for inner in verdict.parts],
    }


def value_row(of: str, row_id: str, label: str, value: object) -> Row:
    """What a plain function returned, as its reason."""
    return {
        "set": of,
        "id": row_id,
        "verifier": label,
        "status": "value",
        "score": None,
        "reason": str(value),
    }


def judged(
    of: str, ids: Iterable[str], label: str, verifier: Verifier, completions: list[Any], references: list[Any]
) -> Iterator[Row]:
    """A batch that one verifier judges."""
    verdicts = verifier.verify_batch(completions, references)
    for row_id, verdict in zip(ids, verdicts, strict=True):
        yield row_of(of, row_id, label, verdict)


# Completions, pairs, Korean ----------------------------------------------------------------------


def completions_of(data: Path, name: str, field: str) -> list[tuple[str, str, str, str]]:
    """(id, completion, reference, kind) of a file of completions."""
    rows = rows_of(data / f"{name}.jsonl")
    return [
        (row.get("id") or f"{number:05}", row["completion"], row[field], row.get("kind") or "math")
        for number, row in enumerate(rows)
    ]


def completions(data: Path, _: Path) -> Iterator[Row]:
    """Every file of completions, by the verifiers that judge such texts."""
    for name, field, language in COMPLETIONS:
        rows = completions_of(data, name, field)
        everywhere: dict[str, Verifier] = {
            "MathEquivalence": MathEquivalence(),
            "MathEquivalence strict": MathEquivalence(strict=True),
            "TagFormat": TagFormat(),
            "ExactMatch": ExactMatch(),
            "TokenF1": TokenF1(),
            "MultipleChoice": MultipleChoice(),
            "LanguageConsistency": LanguageConsistency(language),
            "Repetition": Repetition(),
            "Length": Length(minimum=100, maximum=2000),
        }
        on_texts: dict[str, Verifier] = {
            "Rouge": Rouge(),
            "Bleu": Bleu(),
            "Chrf": Chrf(),
            "KoreanAnswerTemplate": KoreanAnswerTemplate(),
        }
        texts = [row for row in rows if row[3] == "text"] or rows[:200]
        for chosen, judges in ((rows, everywhere), (texts, on_texts)):
            ids, given, references, _kinds = map(list, zip(*chosen, strict=True))
            for label, judge in judges.items():
                yield from judged(name, ids, label, judge, given, references)


def sample(data: Path) -> list[tuple[str, str, str]]:
    """(id, completion, reference): some completions in the forms that formats and presets ask for.

    A third of the answers are the reference of another row.
    """
    rows = list(chain.from_iterable(completions_of(data, name, field) for name, field, _ in COMPLETIONS))
    chosen = rows[::SAMPLE_EVERY]
    found: list[tuple[str, str, str]] = []
    for number, (row_id, text, reference, _) in enumerate(chosen):
        answer = chosen[number - 1][2] if number % 3 == 2 else reference
        written = FORMS[number % len(FORMS)].format(text=text, answer=answer)
        # Some are in their group twice, for what compares completions.
        found.append((f"{number:05} {row_id}", found[-1][1] if number % 8 == 1 else written, reference))
    return found[: len(found) // GROUP * GROUP]


def formats(data: Path, _: Path) -> Iterator[Row]:
    """The sample, by what looks at formats and tags."""
    ids, given, references = map(list, zip(*sample(data), strict=True))
    judges: dict[str, Any] = {
        "MathEquivalence": "MathEquivalence",
        "MathEquivalence in SOLUTION": {"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}},
        "MultipleChoice": "MultipleChoice",
        "ExactMatch": "ExactMatch",
        "TagFormat": "TagFormat",
        "TagFormat partial": {"TagFormat": {"partial": True}},
        "TagFormat nothing outside": {"TagFormat": {"allow_outside": False}},
        "TagFormat THINK": {"TagFormat": ["THINK", "SOLUTION"]},
        "Repetition of the answer": {"Repetition": {"of": "answer"}},
        "Length of the thinking": {"Length": {"minimum": 100, "maximum": 1000, "of": "thinking"}},
    }
    for label, spec in judges.items():
        yield from judged("formats", ids, label, from_spec(spec), given, references)


def math_pairs(data: Path, _: Path) -> Iterator[Row]:
    """Pairs of answers, each side as the reference of the other."""
    rows = rows_of(data / "math_pairs.jsonl")
    ids = [str(row["id"]) for row in rows]
    golds, answers = [row["gold"] for row in rows], [row["pred"] for row in rows]
    boxed = [row["pred"] if row["form"] == "text" else f"\\boxed{{{row['pred']}}}" for row in rows]
    turned = [f"\\boxed{{{gold}}}" for gold in golds]
    for label, judge in (
        ("MathEquivalence", MathEquivalence()),
        ("MathEquivalence strict", MathEquivalence(strict=True)),
    ):
        yield from judged("math_pairs", ids, label, judge, boxed, golds)
        yield from judged("math_pairs", ids, f"{label} turned", judge, turned, answers)


def korean_row(of: str, row_id: str, row: Row) -> Iterator[Row]:
    """What a row asks, as benchmarks/korean.py judges it; rows without an expectation as well."""
    kind, text, gold = row["kind"], row["input"], row["gold"]
    judges: dict[str, Verifier] = {}
    if kind == "josa":
        yield value_row(of, row_id, "josa", josa(text, gold))
    elif kind == "korean_number":
        found = parse_number(text)
        yield value_row(of, row_id, "parse_number", f"{type(found).__name__} {found}")
    elif kind == "answer_extraction":
        judges = {"MathEquivalence": MathEquivalence(), "MultipleChoice": MultipleChoice()}
    elif kind == "language_mix":
        judges = {"LanguageConsistency": LanguageConsistency(gold)}
    else:
        official = KoreanAnswerTemplate(mode="official")
        judges = {
            "KoreanAnswerTemplate": KoreanAnswerTemplate(),
            "KoreanAnswerTemplate official": official,
            **{f"KoreanAnswerTemplate {fold}": KoreanAnswerTemplate(fold=(fold,)) for fold in FOLDS},
        }
        reason = next(each for each in official.verify(text, gold).parts if each.verifier == "reason")
        rouge = Rouge(tokenizer="nikl").verify(reason.extracted, reason.expected)
        yield row_of(of, row_id, "Rouge of the reason", rouge)
    for label, judge in judges.items():
        yield row_of(of, row_id, label, judge.verify(text, gold))


def korean(data: Path, fixtures: Path) -> Iterator[Row]:
    """The Korean cases of the data and of the fixtures, and pairs of sentences."""
    for number, row in enumerate(rows_of(data / "korean_cases.jsonl")):
        yield from korean_row("korean_cases", f"{number:03}", row)
    for path in sorted((fixtures / "cases" / "korean").glob("*.jsonl")):
        for row in rows_of(path):
            yield from korean_row(f"case {path.stem}", row["id"], row)
    pairs = rows_of(fixtures / "pairs" / "korean.jsonl")
    ids, left, right = ([row[name] for row in pairs] for name in ("id", "left", "right"))
    yield from judged("korean pairs", ids, "SemanticSimilarity", SemanticSimilarity(), left, right)


# Fixtures ----------------------------------------------------------------------------------------


def cases(_: Path, fixtures: Path) -> Iterator[Row]:
    """The rows of fixtures/cases, as tests/verifiers/test_cases.py judges them, and the hostile answers."""
    names = {name.casefold(): name for name in verifier_names()}
    for path in sorted((fixtures / "cases").glob("*.jsonl")):
        for row in rows_of(path):
            spec = row.get("spec") or names[path.stem.replace("_", "")]
            yield by_spec(f"case {path.stem}", row["id"], spec, row["completion"], row["reference"])
    for row in rows_of(fixtures / "attacks" / "text.jsonl"):
        yield by_spec("hostile texts", row["id"], row["spec"], row["completion"], row["reference"])
    for row in rows_of(fixtures / "attacks" / "maths.jsonl"):
        answer, reference = (
            written_out(row, "answer", "pieces"),
            written_out(row, "reference", "reference_pieces"),
        )
        text = f"<answer>{answer}</answer>"
        yield by_spec("hostile maths", row["id"], "MathEquivalence", text, reference)


def written_out(row: Row, field: str, pieces: str) -> str:
    """A field of a row, or what its pieces make: long texts are kept as [text, how often]."""
    return str(row[field]) if field in row else "".join(text * times for text, times in row[pieces])


def by_spec(of: str, row_id: str, spec: Any, completion: Any, reference: Any) -> Row:
    """The verdict of the verifier that a row names; what cannot be built is written down as that."""
    label = spec if isinstance(spec, str) else json.dumps(spec, ensure_ascii=False)
    try:
        judge = from_spec(spec)
    except Exception as error:
        return {
            **value_row(of, row_id, label, type(error).__name__),
            "status": "raised",
            "detail": str(error),
        }
    return row_of(of, row_id, label, judge.verify(completion, reference))


# Programs ----------------------------------------------------------------------------------------


def fenced(code: str) -> str:
    """A program as a completion."""
    return f"```python\n{code}\n```"


def mutant(code: str, name: str) -> str:
    """The program with one small change, which the name picks; nearly all of these are wrong.

    Nothing changes in `while` loops: most programs that never end come from there.
    """
    tree = ast.parse(code)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    spared = {id(node) for loop in loops for node in ast.walk(loop)}
    found = [node for node in ast.walk(tree) if id(node) not in spared and is_mutable(node)]
    if not found:
        return f"{code}\nraise ValueError"
    node = found[zlib.crc32(name.encode()) % len(found)]
    if isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = SWAPS[type(node.op)]()
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    elif isinstance(node, ast.Constant):
        node.value += 1
    else:
        node.value = ast.Constant(None)
    return ast.unparse(ast.fix_missing_locations(tree))


def is_mutable(node: ast.AST) -> bool:
    """Whether `mutant` can change it."""
    if isinstance(node, ast.BinOp | ast.BoolOp):
        return type(node.op) in SWAPS
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in SWAPS
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Return) and node.value is not None


def programs(data: Path, name: str) -> tuple[list[str], list[str], list[Row]]:
    """The names, solutions and tests of HumanEval or MBPP."""
    rows = rows_of(data / f"{name}.jsonl")
    codes = [row["prompt"] + row["canonical_solution"] if "prompt" in row else row["code"] for row in rows]
    return [str(row["task_id"]) for row in rows], codes, [{name.casefold(): row} for row in rows]


def datasets(data: Path, _: Path) -> Iterator[Row]:
    """HumanEval and MBPP: reference solutions, and one mutant of each."""
    for name in ("HumanEval", "MBPP"):
        ids, codes, tests = programs(data, name)
        mutants = [mutant(code, row_id) for code, row_id in zip(codes, ids, strict=True)]
        for label, texts, options in (
            ("CodePassRate", codes, {"timeout": 60.0}),  # one solution needs nearly 10 s
            ("CodePassRate of a mutant", mutants, {"timeout": 2.0, "stop_early": True}),
        ):
            given = [fenced(code) for code in texts]
            rows = list(judged(name, ids, label, CodePassRate(**options), given, tests))
            yield from rows
            rest = [number for number, row in enumerate(rows) if row["reason"] == "visible_tests_needed"]
            if rest:
                shown = CodePassRate(**options, visible_tests=True)
                chosen = ([column[number] for number in rest] for column in (ids, given, tests))
                some, programs_, references = chosen
                yield from judged(name, some, f"{label} visible", shown, programs_, references)


def attacks(data: Path, _: Path) -> Iterator[Row]:
    """Hostile programs: run by CodePassRate and by nothing else."""
    paths = sorted((data / "attacks").glob("*.py"))
    texts = [fenced(path.read_bytes().decode("utf-8", "surrogateescape")) for path in paths]
    judge = CodePassRate(timeout=0.5, memory=256, stop_early=True)
    modes: dict[str, Row] = {
        "calls": {"calls": [{"function": "solve", "args": [3, 4], "expected": 67}]},
        "stdio": {"stdio": [{"input": "3 4\n", "output": "67\n"}]},
        "asserts": {"asserts": ["a, b = 3, 4\nassert solve(a, b) == 67"], "functions": ["solve"]},
    }
    for mode, tests in modes.items():
        ids = [path.stem for path in paths]
        yield from judged(ATTACKS, ids, f"CodePassRate {mode}", judge, texts, [tests] * len(paths))


# Rewards -----------------------------------------------------------------------------------------


def presets(data: Path, fixtures: Path) -> Iterator[Row]:
    """Every preset: programs by those that run them, the sample and Korean statements by all others."""
    ids, codes, tests = programs(data, "HumanEval")
    code_rows = [
        (ids[at], fenced(mutant(codes[at], ids[at]) if at % 2 else codes[at]), tests[at]) for at in range(40)
    ]
    statements = [
        (row["id"], row["input"], row["gold"])
        for row in rows_of(fixtures / "cases" / "korean" / "templates.jsonl")[:100]
    ]
    texts = sample(data)
    for name in preset_names():
        reward = load_recipe(name)
        runs = any(isinstance(judge, CodePassRate) for judge in reward.verifiers())
        states = any(isinstance(judge, KoreanAnswerTemplate) for judge in reward.verifiers())
        yield from paid(f"preset {name}", reward, code_rows if runs else statements if states else texts)


def trees(data: Path, _: Path) -> Iterator[Row]:
    """Rewards that no preset holds: what compares a group's completions, what looks at lengths and tags."""
    right, overlap = Pay(MathEquivalence()), Pay(TokenF1())
    found: dict[str, Reward] = {
        "CosineLength": rewards.CosineLength(right, 4000, unit="characters"),
        "LengthTarget": rewards.LengthTarget(500).clip(low=-1),
        "TagCount": rewards.TagCount(),
        "Diversity": rewards.Diversity(),
        "DuplicatePenalty": rewards.DuplicatePenalty(of="response"),
        "Rank": rewards.Rank(overlap),
        "WinRate": rewards.WinRate(overlap),
        "scheduled": right + Pay(TagFormat()).scheduled(rewards.Linear(1.0, 0.2)),
        "gated": right.when(TagFormat()) + Pay(Length(maximum=1500)).penalty(0.5).optional(),
    }
    rows = sample(data)
    ids, given, references = map(list, zip(*rows, strict=True))
    for name, reward in found.items():
        values = reward(given, answer=references, progress=0.5, group_size=GROUP)
        for row_id, value in zip(ids, values, strict=True):
            yield {**value_row("trees", row_id, name, ""), "score": value}


def paid(of: str, reward: Reward, rows: list[tuple[str, str, Any]]) -> Iterator[Row]:
    """What a reward pays in a batch; its parts as TRL gets them, and the verdicts of the explanation."""
    ids, given, references = map(list, zip(*rows, strict=True))
    # Enough tokens for limits of some 20,000 to matter.
    columns = {"answer": references, "completion_tokens": [12 * len(text) for text in given]}
    if set(reward.columns()) - set(columns):
        return
    totals = reward(given, **columns)
    functions = {each.__name__: each for each in trl_reward_funcs(reward)}
    logged = {name: each(given, prompts=list(ids), **columns) for name, each in functions.items()}
    for at, row_id in enumerate(ids):
        explained = reward.explain(given[at], **{name: column[at] for name, column in columns.items()})
        yield {
            "set": of,
            "id": row_id,
            "verifier": of.removeprefix("preset "),
            "status": explained.status.value,
            "score": totals[at],
            "reason": ", ".join(f"{name}:{verdict.reason}" for name, verdict in explained.judged()),
            "detail": short(str(explained)),
            "parts": [
                *({"name": name, "score": values[at]} for name, values in logged.items()),
                *({**part(verdict), "name": name} for name, verdict in explained.judged()),
            ],
        }


# Dump and compare --------------------------------------------------------------------------------

SETS: tuple[Callable[[Path, Path], Iterator[Row]], ...] = (
    completions, formats, math_pairs, korean, cases, datasets, attacks, presets, trees,
)  # fmt: skip


def dump(data: Path, fixtures: Path, out: Path, only: list[str]) -> None:
    """Write every row down."""
    for module in (verifiers, rewards):
        print(f"{module.__name__}: {module.__file__}", file=sys.stderr)
    with out.open("w", encoding="utf-8") as file:
        for judge in SETS:
            if only and judge.__name__ not in only:
                continue
            started, counts = time.perf_counter(), Counter[str]()
            for row in judge(data, fixtures):
                counts[row["set"]] += 1
                file.write(json.dumps(row) + "\n")
            print(f"{judge.__name__}: {time.perf_counter() - started:.1f} s, {dict(counts)}", file=sys.stderr)


def compare(before: Path, after: Path, shown: int) -> int:
    """Print how many rows differ, and some of them; 1 if statuses, scores or reasons differ, else 0."""
    one, other = keyed(before), keyed(after)
    rows, wrong, apart = Counter[str](), Counter[str](), Counter[str]()
    listed: list[str] = []
    details: list[str] = []
    for key in dict.fromkeys([*one, *other]):
        of = key[0]
        rows[of] += 1
        left, right = one.get(key), other.get(key)
        name = " | ".join(key)[:200]
        if left is None or right is None:
            wrong[of] += 1
            listed.append(f"{name}\n    only in {after if left is None else before}")
        elif fields := [field for field in JUDGED if left.get(field) != right.get(field)]:
            wrong[of] += 1
            listed.append(difference(name, fields, left, right))
        elif of != ATTACKS and (
            fields := [name for name in sorted({*left, *right}) if left.get(name) != right.get(name)]
        ):
            apart[of] += 1
            details.append(difference(name, fields, left, right))
    print(f"{'set':28} {'rows':>7} {'status, score, reason':>22} {'other fields':>13}")
    for of, count in [*rows.items(), ("all", rows.total())]:
        bad, else_ = (wrong.total(), apart.total()) if of == "all" else (wrong[of], apart[of])
        print(f"{of:28} {count:7} {bad:22} {else_:13}")
    for title, found in (("status, score or reason differ", listed), ("other fields differ", details)):
        if found:
            print(f"\n{title}, {min(shown, len(found))} of {len(found)}:")
            print("\n".join(found[:shown]))
    return int(bool(listed))


def keyed(path: Path) -> dict[tuple[str, str, str], Row]:
    """The rows by set, id and verifier; a second one of the same name gets a number."""
    found: dict[tuple[str, str, str], Row] = {}
    seen = Counter[tuple[str, str, str]]()
    for row in rows_of(path):
        key = (row["set"], str(row["id"]), row["verifier"])
        seen[key] += 1
        found[key if seen[key] == 1 else (*key[:2], f"{key[2]} ({seen[key]})")] = row
    return found


def difference(name: str, fields: list[str], left: Row, right: Row) -> str:
    """The fields that differ, before and after."""
    lines = [f"    {field}: {left.get(field)!r:.300} -> {right.get(field)!r:.300}" for field in fields]
    return "\n".join([name, *lines])


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    dumping = verbs.add_parser("dump")
    dumping.add_argument("--data", type=Path, required=True)
    dumping.add_argument("--out", type=Path, required=True)
    dumping.add_argument("--fixtures", type=Path, default=Path(verifiers.__file__).parents[1] / "fixtures")
    dumping.add_argument("--only", action="append", default=[], choices=[judge.__name__ for judge in SETS])
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--shown", type=int, default=20, help="rows to list of each kind")
    options = parser.parse_args()
    if options.verb == "dump":
        dump(options.data, options.fixtures, options.out, options.only)
    else:
        sys.exit(compare(options.before, options.after, options.shown))


if __name__ == "__main__":
    main()
