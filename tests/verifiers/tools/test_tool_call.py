"""ToolCall: what a host would have called counts, in every form; nothing raises; pairing is the best one."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.support import in_groups
from verifiers import ConfigError, Status, ToolCall
from verifiers.tools.parsed_call import Call
from verifiers.tools.tool_call import paired, toolrl_score

_LETTERS = "ab é말\"'\\\n\t,;:{}()=#\u200b𝄞"


def _value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(6 if depth > 2 else 8)
    if kind < 2:
        return "".join(chance.choices(_LETTERS, k=chance.randrange(6)))
    if kind == 6:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(3))]
    if kind == 7:
        return {_name(chance): _value(chance, depth + 1) for _ in range(chance.randrange(3))}
    return [None, chance.random() < 0.5, chance.randint(-(10**9), 10**9), chance.uniform(-1e6, 1e6)][kind - 2]


def _name(chance: random.Random) -> str:
    return chance.choice("abc") + "".join(chance.choices("ab_1", k=chance.randrange(4)))


def _calls(chance: random.Random, most: int = 3) -> list[tuple[str, Any]]:
    return [
        (_name(chance), {_name(chance): _value(chance) for _ in range(chance.randrange(4))})
        for _ in range(chance.randint(1, most))
    ]


_MARKS = (
    *("<tool_call>", "</tool_call>", "<function=f>", "</function>", "<parameter=a>", "</parameter>"),
    *("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "[TOOL_CALLS]", "[ARGS]", "<|python_tag|>"),
    *("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"),
    *("<|channel|>", "<|message|>", "commentary to=functions.f", "<|call|>", "<|start|>", "</think>"),
    *('{"name": "f", "arguments": {"a": 1}}', "[f(a=1)]", "f(", ")", "{", "}", '"', "'", "\\", "=", "1"),
)


def _object(call: tuple[str, Any], key: str = "arguments") -> str:
    return json.dumps({"name": call[0], key: call[1]}, ensure_ascii=False)


def _python(call: tuple[str, Any]) -> str:
    return f"{call[0]}({', '.join(f'{name}={value!r}' for name, value in call[1].items())})"


def _deepseek(call: tuple[str, Any]) -> str:
    body = f"function<｜tool▁sep｜>{call[0]}\n```json\n{json.dumps(call[1])}\n```"
    return f"<｜tool▁call▁begin｜>{body}<｜tool▁call▁end｜>"


def _harmony(call: tuple[str, Any]) -> str:
    head = f"<|start|>assistant<|channel|>commentary to=functions.{call[0]} <|constrain|>json"
    return f"{head}<|message|>{json.dumps(call[1])}<|call|>"


WRITERS: dict[str, Callable[[list[Any]], Any]] = {
    "tagged": lambda calls: "\n".join(f"<tool_call>\n{_object(call)}\n</tool_call>" for call in calls),
    "llama": lambda calls: "; ".join(_object(call, "parameters") for call in calls),
    "pythonic": lambda calls: f"[{', '.join(map(_python, calls))}]",
    "mistral": lambda calls: f"[TOOL_CALLS][{', '.join(map(_object, calls))}]",
    "mistral_new": lambda calls: "".join(
        f"[TOOL_CALLS]{name}[ARGS]{json.dumps(arguments)}" for name, arguments in calls
    ),
    "deepseek": lambda calls: f"<｜tool▁calls▁begin｜>{''.join(map(_deepseek, calls))}<｜tool▁calls▁end｜>",
    "harmony": lambda calls: "<|channel|>analysis<|message|>hm<|end|>" + "".join(map(_harmony, calls)),
    "messages": lambda calls: [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
                for name, arguments in calls
            ],
        }
    ],
}


@pytest.mark.parametrize("form", WRITERS)
def test_every_form_reads_what_it_writes(form: str) -> None:
    """A reference earns 1.0 in every form, in any order, and not with a call more or another name."""
    chance, judge, written = random.Random(form), ToolCall(), WRITERS[form]
    for _ in range(40):
        calls = _calls(chance)
        reference = [{"name": name, "arguments": arguments} for name, arguments in calls]
        assert judge.verify(written(calls[::-1]), reference).reason == "right_calls", calls
        assert judge.verify(written([*calls, calls[0]]), reference).reason == "extra_call", calls
        other = [*calls[:-1], (f"{calls[-1][0]}x", calls[-1][1])]
        assert judge.verify(written(other), reference).score == 0.0, calls
        assert judge.verify(written(calls), []).reason == "needless_call", calls


@in_groups(range(300), str)
def test_nothing_raises_and_everything_is_scored(seed: int) -> None:
    """Whatever a completion is made of: it has a score, never a fault, and nothing is paid."""
    chance = random.Random(seed)
    pieces = [*_MARKS, "\ud800", "\x00", "말", "\u202e"]
    text = "".join(chance.choices(pieces, k=chance.randrange(14)))
    for judge in (ToolCall(), ToolCall(credit="toolrl"), ToolCall(rules="bfcl")):
        reference: Any = (
            [{"f": {"a": [7]}}] if judge.rules == "bfcl" else [{"name": "g", "arguments": {"b": 7}}]
        )
        verdict = judge.verify(text, reference)
        assert (verdict.status, verdict.score) == (Status.SCORED, 0.0), verdict
        assert verdict.reason in judge.all_reasons()


@in_groups(range(60), str)
def test_pairing_is_the_best_there_is(seed: int) -> None:
    """The Hungarian method against every possible pairing."""
    chance = random.Random(seed)
    made, expected = chance.randrange(6), chance.randrange(6)
    weights = [[chance.choice([0, 0, 1, 2, 5]) for _ in range(expected)] for _ in range(made)]
    total, partners = paired(made, expected, lambda one, other: weights[one][other])
    size = max(made, expected)
    padded = [[weights[i][j] if i < made and j < expected else 0 for j in range(size)] for i in range(size)]
    best = max(sum(padded[order[j]][j] for j in range(size)) for order in itertools.permutations(range(size)))
    assert total == best
    used = [place for place in partners if place is not None]
    assert len(used) == len(set(used))


@in_groups(range(60), str)
def test_partial_credit_is_a_share(seed: int) -> None:
    """From 0.0 to 1.0, all of it for the expected calls, and less for any other."""
    chance = random.Random(seed)
    wanted, found = ([Call(*each) for each in _calls(chance)] for _ in range(2))
    assert toolrl_score(wanted, wanted) == pytest.approx(1.0)
    assert 0.0 <= toolrl_score(found, wanted) <= 1.0
    assert toolrl_score([*wanted, Call("surplus", {})], wanted) < 1.0


@pytest.mark.parametrize("reference", ["", "words", 7, [7], [{"name": ""}], '{"a": 1}', [{"f": {"x": [1]}}]])
@pytest.mark.parametrize("completion", ["", "[f(x=1)]", "<tool_call>", "x" * 300_000])
def test_unusable_references_are_unscored_for_every_completion(reference: Any, completion: str) -> None:
    """Whatever the completion."""
    assert ToolCall().verify(completion, reference).reason == "bad_reference"


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" * 18_000,
        "<tool_call>{" + '"a":' * 40_000 + "}</tool_call>",
        '[f(a="' + "\\" * 40_000 + '")]',
        "[f(" + "a=[" * 9_000 + ")]",
        '{"name": "arguments", ' * 9_000,
        "[TOOL_CALLS]" + "f{" * 90_000,
        "<|channel|><|start|>" + "<|message|>" * 18_000,
        "<｜tool▁calls▁begin｜>" * 9_000,
        "<tool_call>f<arg_key>" + "<arg_key>a</arg_key>" * 9_000 + "</tool_call>",
        "<tool_call><function=f>" + "<parameter=a>" * 12_000 + "</function></tool_call>",
        "<tool_call>{" + ", ".join(f'"{n}": 1' for n in range(20_000)) + ', "0": 1}</tool_call>',
        "x" * 200_001,
    ],
)
def test_huge_input_is_refused_with_a_reason(text: str) -> None:
    """0.0, and never a fault: nothing here takes more than a walk through the text."""
    verdict = ToolCall().verify(text, [{"name": "f", "arguments": {}}])
    assert (verdict.status, verdict.score) == (Status.SCORED, 0.0)


def test_options_that_exclude_one_another() -> None:
    """Said when the verifier is made."""
    for options in ({"rules": "bfcl", "credit": "toolrl"}, {"credit": "toolrl", "order": "given"}):
        with pytest.raises(ConfigError, match="leave out"):
            ToolCall(**options)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="two tools"):
        ToolCall(tools=[{"name": "f"}, {"name": "f"}])
    assert ToolCall(against="schema").columns_needed() == ("tools",)
    assert ToolCall(against="schema", tools=[{"name": "f"}]).columns_needed() == ()
