"""Chinese numerals: 三十五, 两千零五, 3万5千, 1.5亿, 三分之二, 百分之五十, 八成, 两个半, 负三; and what they count.

After a number Chinese has a measure word (量词) before any noun; they are closed (《现代汉语八百词》, 吕叔湘, 1980, appendix).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ...runtime.patterns import lazy
from ..normalization import clean, fold_width

MEASURE_WORDS = """
    个 個 箇 只 隻 条 條 张 張 本 支 枝 把 件 头 匹 辆 輛 架 艘 台 座 间 層 层 栋 幢 棵 株 朵 颗 粒 块 片 瓶 杯 盒 箱 袋 包 盘 碗 桶
    罐 篮 双 雙 对 對 副 套 组 組 排 列 行 队 群 批 份 封 篇 首 段 句 字 词 页 頁 册 卷 幅 道 门 堂 节 節 名 位 人 口 户 家 所 次 回
    遍 趟 场 場 局 圈 步 种 種 类 類 样 项 項 点 分 岁 歲 级 年级 班 号 楼 题 題 票 束 根 枚 滴 筐 捆 串 捧 顶 盏 扇 面 股 阵 期 届 代
    倍 学生 同学 小朋友 路 站 车 棟 颗星 堆 摞 叠 筒 锅 壶 勺 匙 边 角形
    """.split()
_ALONE = frozenset("次 回 遍 趟 步 边 字 页 頁 点 分 岁 歲 倍 站 圈 局 年级 级".split())
"""After a numeral in words they count only where no noun follows: 二次函数 is a kind of function."""
_NEVER = frozenset("样 樣 面 角形 口 道".split())
"""After a numeral in words they make a word of it: 一样, 三角形."""
HALVED = "小时 钟头 月 星期 礼拜 世纪 学期 季度 百分点".split()
"""Units whose half is said with 半 between the measure word and them: 两个半小时; of 两个半圆 the halves are circles."""
_COUNTED = lazy(
    rf"(?P<measure>{'|'.join(sorted(set(MEASURE_WORDS), key=len, reverse=True))})的?(?P<noun>[一-鿿]{{0,6}})"
)
_CHANGING = lazy(
    rf"[个個箇]半(?:{'|'.join(HALVED)})|[不无無非没沒错錯误誤负負否假反未超欠缺]|以[上下内外前后]|左右|大约|多|余|少|倍数|分之|之一|[方半]$"
)


def counted(text: str) -> tuple[str, str] | None:
    """A measure word and the noun after it ("" for none); None for anything else.

    >>> counted("个苹果"), counted("本书"), counted("个以上"), counted("错误")
    (('个', '苹果'), ('本', '书'), None, None)
    """
    match = _COUNTED.fullmatch(text)
    if match is None or _CHANGING.search(text):
        return None
    return match["measure"], match["noun"]


def is_counted(text: str) -> bool:
    """Return whether the text after a numeral is counted, so that the numeral is no part of a word.

    >>> is_counted("个苹果"), is_counted("次"), is_counted("次函数"), is_counted("样的")
    (True, True, False, False)
    """
    found = counted(text)
    return found is not None and found[0] not in _NEVER and not (found[1] and found[0] in _ALONE)


SCRIPT = lazy("[一-鿿]")
"""A character without which there is nothing to read here."""
MAX_CHARS = 200
"""Longest text that is read as a numeral."""
_DIGITS = {
    char: value
    for value, chars in enumerate(
        ("零〇", "一壹", "二两兩贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
    )
    for char in chars
}
_FEW = "".join(_DIGITS)
SMALL = rf"[零〇]?(?:[{_FEW}]?[十拾][{_FEW}]?|[{_FEW}])"
"""A number below a hundred as a pattern: of hours, minutes and days."""
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_TOKEN = lazy(
    rf"\s*(?:(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<digit>[{''.join(_DIGITS)}])"
    rf"|(?P<small>[{''.join(_SMALL)}])|(?P<large>[{''.join(_LARGE)}]))"
)
_NEGATIVE = lazy(r"\s*(?:负|負|零下|[-−])\s*")
_BEFORE = lazy(r"(?:约|大约|共|总共|一共)\s*")
ORDINAL = "第"
"""Before a numeral, it makes it a place in a row: it comes back before what follows the numeral."""
_HALF = "半"
_AND_HALF = lazy(rf"(?P<unit>[^\W\d_]{{1,4}})半(?P<what>(?:{'|'.join(HALVED)})?)\Z", re.IGNORECASE)
_QUARTERS, _QUARTER = re.compile(r"\s*刻[钟鐘]"), 15
"""Quarters of an hour: 一刻钟 is 15 minutes."""
# Tenths: 八成 is 80 %, 七折 is a price of 70 %, 七五折 one of 75 %.
_TENTHS = {"成": 10, "折": 10}
_SHARE = lazy(
    rf"(?P<tens>[{''.join(_DIGITS)}]|\d(?:\.\d)?)(?P<ones>[{''.join(_DIGITS)}\d]?)(?P<of>[{''.join(_TENTHS)}])"
    rf"(?P<more>[{''.join(_DIGITS)}{_HALF}]?)\Z"
)
_OVER = lazy(r"\s*分之\s*")
_POINT = lazy(rf"\s*[点點]\s*([{''.join(_DIGITS)}]+)")
_AND = lazy(r"\s*又\s*")
_HUNDRED = Fraction(100)
_YEARS = lazy(rf"[{''.join(_DIGITS)}]{{2,}}")


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each; 百分之 comes with a percent sign.

    Args:
        text: A text.

    >>> [(int(value), rest) for value, rest in readings("一百二十个")][:1]
    [(120, '个')]
    >>> next(readings("三分之二")), next(readings("百分之五十"))
    ((Fraction(2, 3), ''), (Fraction(50, 1), '%'))
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS:
        return
    if before := _BEFORE.match(text):
        text = text[before.end() :]
    if text.startswith(ORDINAL):
        for value, rest in reversed(list(_prefixes(text[1:]))):
            yield value, f"{ORDINAL}{rest.strip()}"
        return
    if text.startswith(_HALF):
        yield Fraction(1, 2), text[1:].strip()
    if share := _SHARE.match(text):
        yield _share(share), "%"
        return
    sign = 1
    if negative := _NEGATIVE.match(text):
        text, sign = text[negative.end() :], -1
    for value, rest in reversed(list(_prefixes(text))):
        if over := _OVER.match(rest):
            for top, after in reversed(list(_prefixes(rest[over.end() :]))):
                if value == _HUNDRED:
                    yield from ((sign * each, f"%{left}") for each, left in _decimals(top, after))
                elif value:
                    yield sign * top / value, after.strip()
            continue
        if joined := _AND.match(rest):
            for part, after in _fractions(rest[joined.end() :]):
                yield sign * (value + part), after.strip()
        if half := _AND_HALF.match(rest.strip()):
            yield sign * (value + Fraction(1, 2)), half["unit"] + half["what"]
            continue
        if rest.strip() == _HALF and value == 1:  # 一半
            yield sign * Fraction(1, 2), ""
            continue
        if quarter := _QUARTERS.match(rest):
            yield sign * value * _QUARTER, f"分钟{rest[quarter.end() :]}"
            continue
        for each, after in _decimals(value, rest):
            yield sign * each, after.strip()


def _share(share: re.Match[str]) -> Fraction:
    """So many tenths, in percent."""
    said = ("tens", "ones", "more")
    tens, *below = (
        Fraction(1, 2) * 10 if share[name] == _HALF else Fraction(_DIGITS.get(share[name], share[name] or 0))
        for name in said
    )
    return 100 * (tens + sum(below, Fraction(0)) / 10) / _TENTHS[share["of"]]


def _fractions(text: str) -> Iterator[tuple[Fraction, str]]:
    """The fractions (三分之二) with which a text may begin."""
    for bottom, rest in reversed(list(_prefixes(text))):
        if bottom and (over := _OVER.match(rest)):
            for top, after in reversed(list(_prefixes(rest[over.end() :]))):
                yield top / bottom, after


def _place(text: str, position: int) -> bool:
    """Return whether a place word follows: 千 after 5 in 3万5千."""
    match = _TOKEN.match(text, position)
    return match is not None and match.lastgroup in ("small", "large")


def _decimals(value: Fraction, rest: str) -> Iterator[tuple[Fraction, str]]:
    """A number with what 点 adds to it, and without."""
    if point := _POINT.match(rest):
        digits = "".join(str(_DIGITS[char]) for char in point[1])
        yield value + Fraction(int(digits), 10 ** len(digits)), rest[point.end() :]
    yield value, rest


def _prefixes(text: str) -> Iterator[tuple[Fraction, str]]:
    """Every beginning that is a numeral, shortest first."""
    if years := _YEARS.match(text):  # 二〇二三
        digits = "".join(str(_DIGITS[char]) for char in years.group())
        yield Fraction(int(digits)), text[years.end() :]
        return
    total, section = Fraction(0), Fraction(0)
    current: Fraction | None = None
    small, large = 10_000, 10**20  # the last places, which only fall
    zero, last = False, 0
    position = 0
    while match := _TOKEN.match(text, position):
        kind, token = match.lastgroup, match.group().strip()
        if kind in ("number", "digit"):
            value = Fraction(token.replace(",", "")) if kind == "number" else Fraction(_DIGITS[token])
            if current is not None or (kind == "number" and last and not value < last):
                return
            if kind == "digit" and value == 0 and (section or total):
                zero = True  # 两千零五
                position = match.end()
                continue
            current = value
            if kind == "number" and last > 10 and value < 10 and not zero and not _place(text, match.end()):
                return  # 3万5 may be 30005 and, as 三万五 is, 35000
            # 一百二 is 120, unless a zero or nothing but ones can follow.
            scale = (
                last // 10
                if last > 10 and not zero and kind == "digit" and not _TOKEN.match(text, match.end())
                else 1
            )
            yield total + section + current * scale, text[match.end() :]
        elif kind == "small":
            if _SMALL[token] >= small or (current is not None and not 0 < current < 10):
                return
            small = last = _SMALL[token]
            section += (Fraction(1) if current is None else current) * small
            current, zero = None, False
            yield total + section, text[match.end() :]
        else:
            section += current or 0
            if _LARGE[token] >= large or (not section and not total):
                return
            large = last = _LARGE[token]
            total += section * large
            section, current, small, zero = Fraction(0), None, 10_000, False
            yield total, text[match.end() :]
        position = match.end()
