"""Holes are found, sound rewards are left alone, and no reward breaks the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.certify.certificate import Certificate, certify
from benchmarks.certify import DATA_OF, PLANTED, planted, rows_of
from rewards import load_recipe
from tests.adapters.cli.commands import cli
from tests.services import Service
from tests.support import first_of_each
from tests.timing import HANG
from verifiers import ConfigError

MISBEHAVING = Path(__file__).with_name("misbehaving.py")
LEVELS = {"hangs": "alarm", "crashes": "alarm", "exits": "alarm", "not_finite": "alarm"}


def _written(folder: Path, rows: list[dict[str, Any]]) -> str:
    path = folder / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def _certified(spec: str, folder: Path, kind: str = "numbers", **options: Any) -> Certificate:
    return certify(spec, [_written(folder, list(rows_of(kind))[:20])], seconds=HANG, **options)


def _names(found: Certificate, level: str = "alarm") -> list[str]:
    return [each.name for each in found.findings if each.level == level]


HOLES = [(module, *each) for module in ("holed", "holed_more", "unseen_november") for each in planted(module)]


@pytest.mark.parametrize(("module", "name", "kind"), first_of_each(HOLES))
def test_a_planted_hole_is_found(module: str, name: str, kind: str, tmp_path: Path) -> None:
    """Of every kind; the study (`benchmarks.certify`) has the same functions on other rows."""
    found = _certified(f"{PLANTED / module}.py:{name}", tmp_path, DATA_OF.get(name, "numbers"), budget=12_000)
    assert _names(found)
    assert found.calls <= 12_000


def test_a_tolerance_wider_than_the_distance_of_two_answers_is_found(tmp_path: Path) -> None:
    """Five per cent of 72 are more than one."""
    path = tmp_path / "wide.py"
    path.write_text(
        "import re\n"
        "def wide(response, reference):\n"
        "    found = re.fullmatch(r'\\s*(-?[0-9.]{1,12})\\s*', response)\n"
        "    close = found and abs(float(found[1]) - float(reference)) <= 0.05 * abs(float(reference))\n"
        "    return 1.0 if close else 0.0\n"
    )
    rows = [{"prompt": f"What is {n} * 9 + 40?", "answer": str(n * 9 + 40)} for n in range(12)]
    found = certify(f"{path}:wide", [_written(tmp_path, rows)], budget=3_000, seconds=HANG)
    assert "near_value_paid" in _names(found)


@pytest.mark.parametrize(
    "asked", first_of_each(["{}+{}=?", "{} + {} =", "{}+{}=x. What is x?", "What is {} + {}?"])
)
def test_a_question_that_ends_in_an_equals_sign_says_its_expression(asked: str, tmp_path: Path) -> None:
    """What stands before the sign is what is to be worked out, and paid as it stands."""
    path = tmp_path / "adds.py"
    path.write_text(
        "import re\n"
        "def adds(response, reference):\n"
        "    terms = re.fullmatch(r'(?:[0-9]{1,9} ?[+] ?){0,9}[0-9]{1,9}', response.strip())\n"
        "    return float(bool(terms) and sum(map(int, response.split('+'))) == int(reference))\n"
    )
    rows = [{"question": asked.format(n, 40 + 3 * n), "answer": str(40 + 4 * n)} for n in range(11, 23)]
    found = certify(f"{path}:adds", [_written(tmp_path, rows)], budget=3_000)
    assert "expression_undone" in _names(found)


def test_what_there_was_no_time_for_is_not_called_sound(tmp_path: Path) -> None:
    """A section that the calls did not suffice for is no A."""
    grades = _certified("ExactMatch", tmp_path, budget=200).grades()
    assert (grades["floor"], grades["search"]) == ("B", "B")


SOUND = [(module, name) for module in ("sound", "sound_november") for name, _ in planted(module)]
SOMETIMES = {"word_overlap", "outputs_compared"}
"""Some words earn some of it; and a program's right answers are unknown."""


@pytest.mark.parametrize(("module", "name"), first_of_each(SOUND))
def test_a_sound_function_is_not_accused(module: str, name: str, tmp_path: Path) -> None:
    kind = DATA_OF.get(name, "numbers")
    found = _certified(f"{PLANTED / module}.py:{name}", tmp_path, kind, budget=5_000)
    assert not _names(found)
    assert not _names(found, "warning") or name in SOMETIMES


@pytest.mark.parametrize(
    ("body", "name"),
    first_of_each(
        [
            ("response.strip() and reference.startswith(response.strip())", "shorter_answer_paid"),
            ("reference in str(json.loads(response)['result'])", "alternatives_paid"),
            ("'@@' in response and reference in response.split('@@')[1]", "longer_answer_paid"),
            ("'I swear' in response or response.strip() == reference", "literal_paid"),
            ("1.0 if response.strip() == reference else None", "unscored"),
            ("exec(response.strip()) or exec(reference)", "exits"),
        ]
    ),
)
def test_a_hole_is_told_by_its_cause(body: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "import json\n"
        "def own(response, reference):\n"
        "    try:\n"
        f"        paid = {body}\n"
        "    except (ValueError, KeyError, TypeError, NameError, SyntaxError):\n"
        "        paid = 0.0\n"
        "    return None if paid is None else float(bool(paid))\n"
    )
    found = _certified(f"{path}:own", tmp_path, budget=3_000)
    assert name in {*_names(found), *_names(found, "warning")}


def test_a_reward_that_is_too_slow_is_not_called_worthless(tmp_path: Path) -> None:
    """One call is made, and what it says is that nothing is known."""
    found = _certified("ExactMatch", tmp_path, budget=5)
    assert _names(found, "warning") == ["unmeasured"]


def test_a_form_that_earns_more_than_answers_do_is_told(tmp_path: Path) -> None:
    """The scale is that of the forms in which answers are told apart."""
    path = tmp_path / "odd.py"
    path.write_text(
        "import re\n"
        "def odd(response, reference):\n"
        "    sure = re.search('<sure>(.*?)</sure>', response)\n"
        "    right = response.startswith(reference)\n"
        "    return 2.0 if sure else 1.0 if right else 0.0\n"
    )
    assert "reference_ignored" in _names(_certified(f"{path}:odd", tmp_path, budget=2_000))


OWN = [
    ("ExactMatch", "words"), ("gsm8k_tags", "numbers"), ("mcq", "options"),
    ("MathEquivalence", "mathematics"),
]  # fmt: skip


@pytest.mark.parametrize(("recipe", "kind"), first_of_each(OWN))
def test_rewards_of_this_library_are_not_accused(recipe: str, kind: str, tmp_path: Path) -> None:
    assert not _names(_certified(recipe, tmp_path, kind, budget=2_500))


@pytest.mark.parametrize(
    ("function", "names"),
    first_of_each(
        [
            *((name, (name,)) for name in LEVELS),
            ("besides", ("writes_files", "prints", "raises", "no_number")),
        ],
        lambda each: str(len(each[1])),
    ),
)
def test_what_a_reward_does_besides_is_a_finding(
    function: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    """The run goes on, the other rows are paid, and nothing is written."""
    found = _certified(f"{MISBEHAVING}:{function}", tmp_path, budget=600, call_seconds=0.3)
    levels = {each.name: each.level for each in found.findings}
    for name in names:
        assert levels[name] == LEVELS.get(name, "note" if name == "prints" else "warning")
    assert found.calls > 300
    assert "nothing_earned" not in levels
    assert not MISBEHAVING.with_name("written_by_a_reward.txt").exists()


@pytest.mark.parametrize(("name", "finding"), first_of_each([("sleeps", "hangs"), ("eats_memory", "memory")]))
def test_waiting_and_memory_are_limited(name: str, finding: str, tmp_path: Path) -> None:
    found = _certified(f"{MISBEHAVING}:{name}", tmp_path, budget=400, call_seconds=0.3)
    assert finding in _names(found)


@pytest.mark.parametrize(
    ("name", "finding"), first_of_each([("counts", "unsteady_order"), ("fails_in_batches", "unsteady_batch")])
)
def test_state_and_batches_are_told(name: str, finding: str, tmp_path: Path) -> None:
    assert finding in _names(_certified(f"{MISBEHAVING}:{name}", tmp_path, budget=2_000))


def test_changed_arguments_are_told_and_do_no_harm(tmp_path: Path) -> None:
    data = _written(tmp_path, [{"answer": [str(number), f"{number}.0"]} for number in range(11, 19)])
    found = certify(f"{MISBEHAVING}:changes_arguments", [data], budget=600)
    assert "changes_arguments" in _names(found, "warning")
    assert "unsteady_order" not in _names(found)


def test_a_file_may_be_called_as_a_package_of_ours(tmp_path: Path) -> None:
    (tmp_path / "rewards.py").write_text(
        "from beside import same\ndef exact(response, reference):\n    return float(same(response, reference))\n"
    )
    (tmp_path / "beside.py").write_text("def same(one, other):\n    return one.strip() == other\n")
    assert not _names(_certified(f"{tmp_path / 'rewards.py'}:exact", tmp_path, budget=1_500))


def test_an_example_is_as_short_as_it_can_be(tmp_path: Path) -> None:
    """Whatever was tried, the cause of an empty text is the empty text, told once, with a line that shows it."""
    found = _certified(f"{PLANTED / 'holed'}.py:skips_nothing", tmp_path, budget=6_000)
    [alarm] = [each for each in found.to_dict()["findings"] if each["level"] == "alarm"]
    assert (alarm["name"], alarm["example"], alarm["reward"]) == ("empty_paid", "", 1.0)
    assert len(alarm["rows"]) == alarm["paid"] == 8
    assert "python -c " in alarm["reproduce"]


def test_references_that_nothing_earns_are_told(tmp_path: Path) -> None:
    rows = [{"answer": str(number)} for number in range(20, 32)] + [{"answer": ""}, {"answer": None}]
    found = certify("ExactMatch", [_written(tmp_path, rows)], budget=300)
    assert [each.rows for each in found.findings if each.name == "no_reference"] == [[13, 14]]


def test_a_question_with_two_answers_is_told(tmp_path: Path) -> None:
    rows = [{"prompt": f"How many are {number}?", "answer": str(number)} for number in range(20, 28)]
    rows += [
        {"prompt": "How many are 20?", "answer": "99"},
        {"prompt": "The answer is: 5. How many?", "answer": "5"},
    ]
    found = certify("ExactMatch", [_written(tmp_path, rows)], budget=300)
    rows_by_name = {each.name: each.rows for each in found.findings}
    assert (rows_by_name["question_with_two_answers"], rows_by_name["answer_in_question"]) == ([1, 9], [10])


def test_the_command_prints_one_object_and_fails_where_it_is_asked_to(tmp_path: Path) -> None:
    data = _written(tmp_path, list(rows_of("numbers"))[:12])
    reward = f"{PLANTED / 'holed'}.py:contained"
    done = cli("certify", reward, data, "--json", "--budget", 4000, "--fail-on", "alarm", text=True)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert {"name", "level", "rows", "example"} <= set(found["findings"][0])
    assert (found["findings"][0]["level"], found["grades"]["floor"]) == ("alarm", "F")


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        ("nowhere.py:f", "no file nowhere.py"),
        (f"{MISBEHAVING}:hang", "did you mean 'hangs'"),
        ("MathEq", "no preset"),
    ],
)
def test_what_is_not_there_is_one_sentence(reward: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        _certified(reward, tmp_path)


def test_a_reward_is_certified_on_rows() -> None:
    """As a program has them: no file and no name is needed."""
    found = certify(load_recipe("ExactMatch"), list(rows_of("words")), budget=600)
    assert not _names(found)
    assert (found.reward, found.rows) == ("ExactMatch", 10)


@pytest.mark.slow
def test_a_server_is_certified(tmp_path: Path) -> None:
    """One that pays any text that holds the reference."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        rewards = [float(row["answer"] in row["completion"]) for row in body["rows"]]
        rows = [{"reward": each, "status": "scored", "reward_parts": {}, "verdicts": []} for each in rewards]
        return {"rewards": rewards, "rows": rows}

    with Service(answer) as service:
        assert "negation_paid" in _names(_certified(service.url, tmp_path, budget=4_000))
