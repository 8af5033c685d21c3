"""The presets pay what the documents say from which they come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards import Pay, Reward, load_recipe
from rewards.recipe.load import preset_path
from verifiers import CodePassRate, KoreanAnswerTemplate

# Chapter 11 of the course: its example output, and its two reward functions written anew.
EXAMPLE = """
<THINK>
문제: 48 + 27을 계산하라.
1. 48을 40 + 8로, 27을 20 + 7로 분리한다.
2. 십의 자리: 40 + 20 = 60
3. 일의 자리: 8 + 7 = 15
4. 합계: 60 + 15 = 75
</THINK>
<SOLUTION>
75
</SOLUTION>
"""


def _chapter_11(text: str, gold: str) -> float:
    inside = text.split("<SOLUTION>")[-1].split("</SOLUTION>")[0].strip() if "</SOLUTION>" in text else None
    kept = re.search("<THINK>.*</THINK>.*<SOLUTION>.*</SOLUTION>", text, re.DOTALL)
    return (1.0 if inside == gold else 0.0) + (0.5 if kept else 0.0)


def test_gsm8k_tags_replays_chapter_11() -> None:
    """Its example earns both rewards; wrong answers and missing tags what its functions pay."""
    reward = load_recipe("gsm8k_tags")
    completions = [
        EXAMPLE, EXAMPLE.replace("\n75\n", "\n57\n"), "<SOLUTION>75</SOLUTION>", "75",
        "<THINK>48+27</THINK> 75", "<SOLUTION>57</SOLUTION> no, <SOLUTION>75</SOLUTION>",
    ]  # fmt: skip
    expected = [_chapter_11(text, "75") for text in completions]
    assert (expected, reward(completions, answer=["75"] * 6)) == ([1.5, 0.5, 1.0, 0.0, 0.0, 1.0], expected)
    gold = "Natalia sold 48/2 = 24 clips in May.\nNatalia sold 48+24 = 72 clips altogether.\n#### 72"
    chat = [{"role": "assistant", "content": EXAMPLE.replace("75", "72")}]
    assert reward([chat], answer=[gold]) == [1.5]


def test_gsm8k_tags_pays_what_string_matching_refuses_and_refuses_what_a_loose_pattern_pays() -> None:
    """1,000 is 1000, and tags inside tags are not a format."""
    reward = load_recipe("gsm8k_tags")
    assert reward(["<THINK>x</THINK><SOLUTION>1,000</SOLUTION>"], answer=["1000"]) == [1.5]
    gamed = "<THINK><SOLUTION></THINK></SOLUTION><THINK></THINK><SOLUTION></SOLUTION>"
    assert (_chapter_11(gamed, "1"), reward([gamed], answer=["1"])) == (0.5, [0.0])


@pytest.mark.parametrize(
    ("text", "paid"),
    [
        ("<think>48+27=75</think><answer>75</answer>", 1.5),
        ("<think>48+27=57</think><answer>57</answer>", 0.5),
        ("75", -0.5),
        ("<think>48+27=75</think> 75", -0.5),
        ("<think></think><answer>75</answer>", -0.5),
        ("<think>the answer is <answer>75</answer>", -0.5),
    ],
)
def test_r1_zero_gates_accuracy_by_format(text: str, paid: float) -> None:
    """Without the format a right answer earns nothing, and the missing format costs."""
    assert load_recipe("r1_zero")([text], answer=["75"]) == [paid]


@pytest.mark.parametrize("opening", ["<think>", "", "\n<think>"])
@pytest.mark.parametrize(
    ("rest", "paid"),
    [
        ("48+27=75</think>\n최종 답: \\boxed{75}", 1.5), ("48+27=75</think> 57", 0.5),
        ("48+27=75</think>", -0.5), ("48+27=75, so 75", -0.5), ("</think> 75", -0.5),
        ("48+27</think><think>again</think> 75", -0.5),
    ],
)  # fmt: skip
def test_r1_think_is_one_form_prefilled_or_not(opening: str, rest: str, paid: float) -> None:
    """Thinking, closed, and an answer after it, whoever opened the block."""
    assert load_recipe("r1_think")([opening + rest], answer=["75"]) == [paid]


def _r1_style(text: str) -> float:
    """The R1-style reward of the GRPO review: 0.5 for tags, 0.3 for 100 to 2000 characters."""
    reward = 0.5 if "<think>" in text and "</think>" in text else 0.0
    return reward + (0.3 if 100 < len(text) < 2000 else 0.0)


@pytest.mark.parametrize(
    "thinking", ["So then.", "I add forty and twenty, then eight and seven. " * 4, "word " * 500]
)
@pytest.mark.parametrize("answer", ["75", "57"])
def test_r1_think_answer_is_accuracy_format_length_and_language(thinking: str, answer: str) -> None:
    """By the formula of its source, with 0.2 more for the language of the thinking."""
    text = f"<think>{thinking}</think><answer>{answer}</answer>"
    [value] = load_recipe("r1_think_answer")([text], answer=["75"])
    assert value == pytest.approx((answer == "75") + _r1_style(text) + 0.2)
    assert load_recipe("r1_think_answer")([f"{thinking} {answer}"], answer=["75"]) == [0.0]
    [korean] = load_recipe("r1_think_answer_ko")([text], answer=["75"])
    assert korean == pytest.approx((answer == "75") + _r1_style(text))
    mixed = text.replace(thinking, "먼저 십의 자리를 더한다.")
    [korean] = load_recipe("r1_think_answer_ko")([mixed], answer=["75"])
    assert korean == pytest.approx((answer == "75") + 0.5 + 0.2)


@settings(deadline=None)
@given(st.text("ab c", max_size=60), st.booleans(), st.booleans())
def test_multi_objective_is_the_seeds_weighted_sum(text: str, right: bool, kept: bool) -> None:
    """Weights 1.0, 0.1 and 0.05; the judge's 0.3 is left out while there is none."""
    answer = "75" if right else "57"
    text = f"<think>x{text}</think><answer>{answer}</answer>" if kept else f"{text}\nthe answer is {answer}"
    expected = 1.0 * right + 0.1 * kept + 0.05 * (-abs(len(text) - 500) / 1000)
    [value] = load_recipe("multi_objective")([text], answer=["75"])
    assert value == pytest.approx(expected)


def test_multi_objective_asks_a_judge_where_one_is_configured(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from rewards.recipe import preset_path

    text = preset_path("multi_objective").read_text(encoding="utf-8")
    assert "- Judge: {}" in text
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace("- Judge: {}", '- Judge: "tests.verifiers.judges:long_enough"'))
    completion = "<think>x</think><answer>75</answer>"
    [plain] = load_recipe("multi_objective")([completion], answer=["75"])
    assert load_recipe(file)([completion], answer=["75"]) == [pytest.approx(plain + 0.3)]


def test_mcq_takes_one_option() -> None:
    reward = load_recipe("mcq")
    texts = ["The answer is (C).", "정답은 ③번입니다.", "A, B, C, D", "B"]
    assert reward(texts, answer=["C", "3", "C", "C"]) == [1.0, 1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("tokens", "overlong"), [(1, 0.0), (16_384, 0.0), (18_432, -0.5), (20_480, -1.0), (99_999, -1.0)]
)
def test_dapo_is_plus_or_minus_one_and_soft_overlong(tokens: int, overlong: float) -> None:
    """Equations 7 and 13 with the paper's lengths."""
    reward = load_recipe("dapo_math")
    values = reward(["Answer: 34", "Answer: 43"], answer=["34", "34"], completion_tokens=[tokens] * 2)
    assert values == [1.0 + overlong, -1.0 + overlong]


def test_no_preset_pays_what_must_never_be_paid() -> None:
    """The bundled attacks on text earn no accuracy under any preset."""
    from tests.support import FIXTURES, rows

    attacks = [row for row in rows(FIXTURES / "attacks" / "text.jsonl") if isinstance(row["reference"], str)]
    maths = [row for row in attacks if "MathEquivalence" in str(row["spec"])]
    assert len(maths) > 20
    for name in ("r1_zero", "r1_think", "r1_think_answer", "multi_objective", "dapo_math"):
        reward = load_recipe(name)
        for row in maths:
            if row["spec"] != "MathEquivalence":
                continue
            parts = reward.explain(row["completion"], answer=row["reference"], completion_tokens=9).values()
            first = next(iter(parts.values()))
            assert first == 0.0, (name, row["id"])


def test_code_pass_rate_pays_for_all_tests_only() -> None:
    """The seeds pay the pass rate; the preset pays what a fraction would teach nobody to fake."""
    tests = {"stdio": [{"input": f"{n}\n", "output": "YES\n" if n else "NO\n"} for n in range(4)]}
    programs = ["print('YES' if int(input()) else 'NO')", "print('YES')", "print('YES'", "while True: pass"]
    completions = [f"```python\n{program}\n```" for program in programs]
    assert load_recipe("code_pass_rate")(completions[:3], answer=[tests] * 3) == [1.0, 0.0, 0.0]
    share = Pay(CodePassRate(timeout=0.3))
    assert share(completions, answer=[tests] * 4) == [1.0, 0.75, 0.0, 0.0]


GOLD = "\"오늘이 몇 월 며칠이야?\"가 옳다. '며칠'은 어원이 분명하지 않으므로 소리 나는 대로 적는다."
SENTENCE, REASON = '"오늘이 몇 월 며칠이야?"가 옳다.', GOLD.partition("옳다. ")[2]
ANSWERS = {
    "gold": GOLD,
    "another reason": f"{SENTENCE} '며칠'은 소리 나는 대로 적는 말이기 때문이다.",
    "no reason": SENTENCE,
    "wrong": GOLD.replace("몇 월 며칠", "몇 월 몇일", 1),
    "hedged": f'{SENTENCE} "오늘이 몇 월 몇일이야?"도 옳다. {REASON}',
    "a loop": f"{SENTENCE} " + "소리 나는 대로 적는다. " * 9,
    "other words": GOLD.replace("옳다.", "맞다."),
    "nothing": "",
    "prose": "잘 모르겠지만 며칠이 맞는 것 같다.",
}


def _with_small_models(name: str, folder: Path) -> Reward:
    """The preset with small random models where it names large ones."""
    from benchmarks import metrics_bleurt
    from tests.verifiers.metrics import tiny

    bert = tiny.encoder(folder / "bert")
    weights = metrics_bleurt.random_weights(metrics_bleurt.SHAPE, 1)
    bleurt = metrics_bleurt.save(folder / "bleurt", metrics_bleurt.SHAPE, weights)
    text = preset_path(name).read_text(encoding="utf-8")
    text = text.replace("model: bert-base-multilingual-cased, layer: 9", f"model: {bert}, layer: 3")
    file = folder / "recipe.yaml"
    file.write_text(text.replace("Bleurt: {}", f"Bleurt: {bleurt}"), encoding="utf-8")
    return load_recipe(file)


def test_malpyeong_is_the_contests_score_of_an_answer(tmp_path: Path) -> None:
    """(EM + mean(ROUGE-1, BERTScore, BLEURT)) / 2, and 0 for the half of a reason that is not there."""
    pytest.importorskip("mecab")
    reward = _with_small_models("malpyeong", tmp_path)
    metrics = [each for each in reward.verifiers() if not isinstance(each, KoreanAnswerTemplate)]
    assert [type(each).__name__ for each in metrics] == ["Rouge", "BertScore", "Bleurt"]
    paid = dict(zip(ANSWERS, reward(list(ANSWERS.values()), answer=[GOLD] * len(ANSWERS)), strict=True))
    for name, text in ANSWERS.items():
        em = name in ("gold", "another reason", "no reason", "a loop", "other words")
        reason = (
            "" if name in ("no reason", "nothing", "prose") else re.split("[옳맞]다[.] ", text, maxsplit=1)[1]
        )
        mean = sum(each.verify(reason, REASON).score or 0.0 for each in metrics) / 3
        assert paid[name] == pytest.approx((em + mean) / 2), name
    assert reward([GOLD], answer=[""]) == [None]


def test_malpyeong_format_pays_the_form_beside_the_metrics(tmp_path: Path) -> None:
    """What the team planned: a format reward and the contest's metrics; loops and missing reasons earn no metrics."""
    pytest.importorskip("mecab")
    reward = _with_small_models("malpyeong_format", tmp_path)
    values = {name: reward.explain(text, answer=GOLD).values() for name, text in ANSWERS.items()}
    paid = dict(zip(ANSWERS, reward(list(ANSWERS.values()), answer=[GOLD] * len(ANSWERS)), strict=True))
    for name, parts in values.items():
        metrics = parts["reason"] if parts["reason_form"] == 1.0 else 0.0
        assert paid[name] == pytest.approx(0.5 * parts["format"] + parts["em"] + metrics), name
    assert {name for name, parts in values.items() if parts["format"]} == {
        "hedged", "gold", "another reason", "wrong", "a loop",
    }  # fmt: skip
    assert {name for name, parts in values.items() if parts["reason_form"]} >= {
        "gold", "another reason", "wrong",
    }  # fmt: skip
    assert values["a loop"]["reason_form"] == values["no reason"]["reason_form"] == 0.0
    assert max(paid, key=lambda name: paid[name] or 0.0) == "gold"
    assert paid["nothing"] == paid["prose"] == 0.0


def test_malpyeong_without_its_models_judges_nothing() -> None:
    """None, never a sum of what is left; the part that is optional says so by being left out."""
    payment = load_recipe("malpyeong").explain(GOLD, answer=GOLD)
    missing = [verdict for verdict in payment.verdicts if verdict.reason == "model_missing"]
    if not missing:
        pytest.skip("the models are on this machine")
    assert payment.value is None
    assert "hf download" in missing[0].detail


def test_malpyeong_rouge_needs_no_model() -> None:
    """All rows are judged; the gold earns all, other forms of it less, an empty reason nothing for the reason."""
    reward = load_recipe("malpyeong_rouge")
    sentence, why = GOLD.split("가 옳다. ", 1)
    bare = sentence.strip('"')
    paid = reward(
        [
            GOLD, f"{bare}가 옳다. {why}", f"{sentence}가 옳다. 아래와 같은 까닭으로 그러하다고 하겠다.", f"{sentence}가 옳다.",
            "모르겠다.", "",
        ],
        answer=[GOLD] * 6,
    )  # fmt: skip
    assert (paid, reward([GOLD], answer=[""])) == ([1.0, 0.9, 0.6, 0.5, 0.0, 0.0], [None])


@pytest.mark.parametrize("name", ["malpyeong", "malpyeong_format"])
def test_without_its_models_a_preset_judges_no_form_of_a_completion(name: str) -> None:
    """A malformed one must not be the only one with a number."""
    reward = load_recipe(name)
    if reward([GOLD], answer=[GOLD]) != [None]:
        pytest.skip("the models are on this machine")
    malformed = [
        "모르겠다.", "", GOLD.replace('"', ""), GOLD.split("옳다.")[0] + "옳다.", "<think>" + GOLD, "x" * 30_000,
    ]  # fmt: skip
    assert reward(malformed, answer=[GOLD] * len(malformed)) == [None] * len(malformed)
