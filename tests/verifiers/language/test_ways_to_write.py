"""Numbers, times, durations and dates as people write them: spelled by grammars of the tests, read back, paid."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.language.numerals import chinese_numerals, english_numerals
from verifiers.language.numerals.in_words import SMALL, small
from verifiers.reading.plain_numbers import read_number
from verifiers.reading.prose_quantities import is_spelled
from verifiers.units.dates_and_times import asks_time, read_clock_time, read_date
from verifiers.units.expressions import total

JUDGE = MathEquivalence()
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty".split()
NATIVE_TENS = ["", "열", "스물", "서른", "마흔", "쉰"]
NATIVE = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"]
SINO = ["", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"]
HAN = "零一二三四五六七八九"
MONTHS = "January February March April May June July August September October November December".split()


def in_english(number: int) -> str:
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")


def in_native(number: int) -> str:
    tens = "스무" if number == 20 else NATIVE_TENS[number // 10]
    return tens + NATIVE[number % 10]


def in_sino(number: int) -> str:
    tens = number // 10
    return ("" if not tens else "십" if tens == 1 else f"{SINO[tens]}십") + (
        SINO[number % 10] or ("" if tens else "영")
    )


def in_han(number: int) -> str:
    tens = number // 10
    return ("" if not tens else "十" if tens == 1 else f"{HAN[tens]}十") + (
        HAN[number % 10] if number % 10 or not tens else ""
    )


def in_mixed(number: int, places: str = "万千百") -> str:
    """A number with digits before its places: 3万5千."""
    said = ""
    for place, size in zip(places, (10_000, 1_000, 100), strict=True):
        many, number = divmod(number, size)
        said += f"{many}{place}" if many else ""
    return said


SPELLED: list[Callable[[int], str]] = [str, in_english, in_native, in_sino, in_han]


@given(st.integers(1, 59))
def test_small_numbers_in_every_language(number: int) -> None:
    """One reader for hours, minutes and days."""
    for spell in SPELLED:
        assert re.fullmatch(SMALL, spell(number)), spell(number)
        assert small(spell(number)) == number, spell(number)


@given(st.integers(1, 99_999).map(lambda number: number * 100))
def test_places_after_digits(number: int) -> None:
    """3万5千8百 in Chinese and 3만 5천 8백 in Korean."""
    for places in ("万千百", "만천백"):
        for text in (in_mixed(number, places), " ".join(re.findall(r"\d+\D", in_mixed(number, places)))):
            found = read_number(text)
            assert found is not None, text
            assert getattr(found.node, "value", None) == number, text


@given(st.integers(1, 9), st.integers(0, 9))
def test_tenths(tens: int, ones: int) -> None:
    """八成 is 80 %, 七五折 leaves 75 % of a price."""
    said = f"{HAN[tens]}{HAN[ones] if ones else ''}折", f"{HAN[tens]}成{HAN[ones] if ones else ''}"
    for text in said:
        assert list(chinese_numerals.readings(text))[:1] == [(Fraction(10 * tens + ones), "%")]
        assert JUDGE.verify(f"\\boxed{{{text}}}", f"{10 * tens + ones}\\%").passed
        assert not JUDGE.verify(f"\\boxed{{{text}}}", str(tens)).passed


@settings(max_examples=examples(60))
@given(st.integers(1, 19))
def test_halves(number: int) -> None:
    """A number with a half is never the number."""
    texts = [
        f"{in_english(number)} and a half", f"{number}个半", f"{in_han(number) if number != 2 else '两'}个半",
        f"{number}개 반",
    ]  # fmt: skip
    hours = [
        f"{in_english(number)} and a half hours", f"{'an hour' if number == 1 else in_english(number) + ' hours'} and a half",
        f"{number}시간 반", f"{in_native(number)} 시간 반", f"{number}个半小时", f"{in_han(number)}个半小时", f"{in_han(number)}小时半",
    ]  # fmt: skip
    frames = [
        "\\boxed{%s}", "The answer is %s.", "So it's %s.", "정답은 %s입니다.", "答案是%s。", "所以是%s。",
    ]  # fmt: skip
    for text in texts + hours:
        for frame in _fitting(text, frames):
            said = frame % text
            assert JUDGE.verify(said, f"{number}.5").passed, said
            assert not JUDGE.verify(said, str(number)).passed, said
            if text in hours:
                assert JUDGE.verify(said, f"{60 * number + 30} minutes").passed, said


def _fitting(text: str, frames: list[str]) -> list[str]:
    """The frames of a text's language."""
    script = "가" if re.search("[가-힣]", text) else "一" if re.search("[一-鿿]", text) else ""
    found = {"가": "[가-힣]", "一": "[一-鿿]", "": "[A-Z]"}[script]
    return [frame for frame in frames if re.search(found, frame) or "boxed" in frame]


@given(st.integers(1, 12), st.integers(1, 59))
def test_times_of_day(hour: int, minute: int) -> None:
    """In digits and words of three languages one time, and never the next minute."""
    said = [
        f"오후 {hour}시 {minute}분", f"오후 {in_native(hour)} 시 {in_sino(minute)} 분", f"오후 {in_native(hour)}시 {in_sino(minute)}분",
        f"下午{hour}点{minute}分", f"下午{in_han(hour)}点{in_han(minute)}分", f"{hour}:{minute:02} PM",
        f"{in_english(hour)} {in_english(minute) if minute > 9 else 'oh ' + ONES[minute]} PM",
        f"{in_english(minute)} minutes past {in_english(hour)} in the afternoon",
        f"{in_english(60 - minute)} minutes to {in_english(hour % 12 + 1)} p.m." if hour not in (11, 12) else f"{hour}:{minute:02} PM",
    ]  # fmt: skip
    expected = (hour % 12 + 12) * 3600 + minute * 60
    for text in said:
        found = read_clock_time(text)
        assert found is not None, text
        assert found.seconds == expected, text
        assert found.half


@given(st.integers(1, 12))
def test_parts_of_an_hour(hour: int) -> None:
    """半, 一刻, 반, half past, and the hour itself where a word says that it is whole."""
    for text, minute in [
        (f"{in_han(hour)}点半", 30), (f"{in_han(hour)}点一刻", 15), (f"{in_han(hour)}点三刻", 45), (f"{hour}点整", 0),
        (f"{in_native(hour)} 시 반", 30), (f"{hour}시 정각", 0), (f"half past {in_english(hour)}", 30),
        (f"a quarter past {in_english(hour)}", 15), (f"{in_english(hour)} o'clock", 0),
    ]:  # fmt: skip
        found = read_clock_time(text)
        assert found is not None, text
        assert found.seconds == hour % 24 * 3600 + minute * 60, text


@given(st.integers(1, 12), st.integers(1, 28))
def test_dates(month: int, day: int) -> None:
    """Months and days in words, with the sounds that 유월 and 시월 have lost."""
    korean = {6: "유", 10: "시"}.get(month, in_sino(month))
    ordinal = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"}
    tens, ones = divmod(day, 10)
    place = ordinal.get(day) or (
        f"{ONES[day]}th"
        if day < 20
        else "twentieth"
        if day == 20
        else f"twenty-{ordinal.get(ones, ONES[ones] + 'th')}"
    )
    assert tens >= 0
    for text in (
        f"{month}월 {day}일", f"{korean}월 {in_sino(day)}일", f"{month}月{day}日", f"{in_han(month)}月{in_han(day)}号",
        f"{MONTHS[month - 1]} {day}", f"{day} {MONTHS[month - 1]}", f"{MONTHS[month - 1]} {place}", f"the {place} of {MONTHS[month - 1]}",
    ):  # fmt: skip
        found = read_date(text)
        assert found is not None, text
        assert (found.month, found.day) == (month, day), text


@given(st.integers(1, 23), st.integers(1, 59))
def test_quantities_in_several_units(hours: int, minutes: int) -> None:
    """Digits and words are the same parts, joined or not."""
    for text in (
        f"{hours}시간 {minutes}분", f"{in_native(hours)} 시간 {in_sino(minutes)} 분", f"{in_native(hours)}시간 {in_sino(minutes)}분",
        f"{hours}小时{minutes}分钟", f"{in_han(hours)}小时{in_han(minutes)}分钟", f"{in_han(hours)}个小时{in_han(minutes)}分钟",
        f"{in_english(hours)} hours and {in_english(minutes)} minutes",
    ):  # fmt: skip
        found = total(text)
        assert found is not None, text
        assert found[0] == 60 * hours + minutes, text


@given(st.sampled_from("년 개월 살 세 시간 일".split()), st.integers(1, 9))
def test_full_years_are_no_ten_thousands(unit: str, number: int) -> None:
    """만 3년 is three years; 만삼천 is written as one word."""
    for text in (f"만 {number}{unit}", f"만 {in_native(number)} {unit}"):
        found = read_number(text)
        assert found is not None, text
        assert getattr(found.node, "value", None) == number, text


@pytest.mark.parametrize(
    ("text", "days"),
    list(zip("하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘 열하루 열이틀 보름".split(), [*range(1, 13), 15], strict=True)),
)  # fmt: skip
def test_days(text: str, days: int) -> None:
    """In a box, after a phrase and in a sentence."""
    for frame in ("\\boxed{%s}", "정답은 %s입니다.", "그래서 %s입니다."):
        for reference in (f"{days}일", f"{24 * days}시간", str(days)):
            assert JUDGE.verify(frame % text, reference).passed, (frame % text, reference)


@pytest.mark.parametrize(
    ("text", "number"),
    [("五边形", 5), ("三角形", 3), ("一样的", 1), ("十字路口", 10), ("一次函数", 1), ("二次函数", 2), ("三面体", 3), ("一口气", 1), ("칠판", 7), ("세모", 3),
     ("네모", 4), ("십자가", 10), ("공원", 0), ("둘리", 2), ("사회", 4), ("이번", 2), ("조개", 10**12), ("만점", 10**4), ("하나님", 1), ("한자", 1),
     ("a circle", 1), ("第7个质数", 7), ("the 7th prime", 7), ("7번째 소수", 7), ("일곱 번째 소수", 7), ("third prime", 3)],
)  # fmt: skip
def test_a_numeral_in_a_word_is_none(text: str, number: int) -> None:
    """Nor is a place in a row the number of what stands there; in a box, after a phrase and in a sentence."""
    frames = [
        "\\boxed{%s}", "The answer is %s.", "So it's %s.", "정답은 %s입니다.", "그래서 %s입니다.", "答案是%s。", "所以是%s。",
    ]  # fmt: skip
    for frame in _fitting(text, frames):
        verdict = JUDGE.verify(frame % text, str(number))
        assert not verdict.passed, frame % text
        assert not is_spelled(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("五个苹果", 5), ("三条鱼", 3), ("三次", 3), ("두개", 2), ("세명", 3), ("삼년", 3), ("십분", 10), ("만원", 10000), ("칠 판", 7), ("7번째", 7),
     ("7th", 7), ("第7", 7), ("3rd floor", 3), ("第3天", 3), ("half a dozen", 6), ("an apple and a half", 1.5), ("USD 18.90", 18.9),
     ("US$18.90", 18.9), ("18.90 USD", 18.9), ("$1.5M", 1500000)],
)  # fmt: skip
def test_what_is_counted_is_a_number(text: str, number: float) -> None:
    """Beside the words that are none."""
    assert JUDGE.verify(f"\\boxed{{{text}}}", str(number)).passed
    assert not JUDGE.verify(f"\\boxed{{{text}}}", str(number + 1)).passed


STRANGE = st.text("뷁쀍꿹듧갸륄홱쮕", min_size=1, max_size=4) | st.sampled_from(
    "여 남짓 반의 언저리 안팎 몇 분의 승 제곱근 이상 미만 정도쯤 많은 多 余 来 几 左右 以上 出头 的一半 成半 分之 点几 odd something".split()
)
"""Words around a number that nobody understands, or that change it."""


@settings(max_examples=examples(300), deadline=None)
@given(
    st.integers(2, 99),
    st.sampled_from([str, in_sino, in_han]),
    STRANGE,
    st.sampled_from(["{}{}", "{} {}", "{1}{0}", "{1} {0}"]),
    st.sampled_from([0, 1, 7]),
)
def test_nothing_is_proved_of_words_that_are_not_understood(
    number: int, spell: Callable[[int], str], strange: str, order: str, off: int
) -> None:
    """Whatever the reference: such an answer may be it."""
    # Letters right beside a number are a product, of which something can be proved.
    text = ("{} {}" if strange.isascii() else order).format(spell(number), strange)
    verdict = JUDGE.verify(f"\\boxed{{{text}}}", str(number + off))
    assert not verdict.reason.startswith("proved"), (text, number + off, verdict)


@settings(max_examples=examples(80))
@given(st.integers(1, 12), st.integers(0, 29))
def test_where_a_time_is_asked_for_two_of_them_are_no_ratios(hour: int, minute: int) -> None:
    """Equal ratios are equal only where no time is meant."""
    one, other = f"{hour}:{minute:02}", f"{2 * hour}:{2 * minute:02}"
    for question in ("What time is it now?", "기차는 몇 시에 떠납니까?", "火车几点到？"):
        assert asks_time(question)
        assert not JUDGE.verify(f"\\boxed{{{one}}}", other, prompt=question).passed
        assert JUDGE.verify(f"\\boxed{{{one}}}", one, prompt=question).passed
    for sentence in (f"The train arrives at {one}.", f"{one} PM", f"오후 {one}", f"下午{one}"):
        assert not JUDGE.verify(sentence, other).passed


@given(
    st.text("oneandhalfquarter tothresixmiutspa-", max_size=40)
    | st.text("一二两三半点刻个小时分钟成折第零万千5", max_size=14)
    | st.text("한두세네시반분만년월일이삼십 오후3", max_size=14)
)
def test_any_text_is_read_or_left(text: str) -> None:
    """Never an exception, and what follows a numeral is a part of the text."""
    read_number(text)
    read_clock_time(text)
    read_date(text)
    total(text)
    list(english_numerals.readings(text))
    is_spelled(text)


@pytest.mark.parametrize(("letter", "size"), [("k", 1000), ("M", 10**6)])
@given(st.integers(1, 999))
def test_a_letter_of_size_counts_behind_money_and_proves_nothing_without(
    letter: str, size: int, number: int
) -> None:
    """35k alone may be a product: it is not 35000, and nobody knows that it differs."""
    assert JUDGE.verify(f"\\boxed{{\\${number}{letter}}}", str(number * size)).passed
    verdict = JUDGE.verify(f"\\boxed{{{number}{letter}}}", str(number * size))
    assert (verdict.score, verdict.reason) == (0.0, "not_equal")


@pytest.mark.parametrize(
    ("text", "number"),
    [("3이나 4 중 하나가 답입니다.", 1), ("둘 다 맞습니다.", 2), ("That is the right one.", 1), ("Wait a second.", 1), ("It's the same for the other half.", "1/2"),
     ("결과는 이", 2), ("그것은 사", 4), ("两者是一样的。", 1), ("万一。", 10001)],
)  # fmt: skip
def test_words_that_only_look_like_numbers_are_no_answer(text: str, number: object) -> None:
    """One of them, both, a moment."""
    assert not JUDGE.verify(text, str(number)).passed
