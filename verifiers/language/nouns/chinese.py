"""Chinese measure words (量词), and what may be counted with them.

After a number Chinese has a measure word before any noun; they are closed (《现代汉语八百词》, 吕叔湘, 1980, appendix).
"""

from __future__ import annotations

from ...runtime.patterns import lazy

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
    """Whether what follows a numeral in words is counted, so that the numeral is no part of a word.

    >>> is_counted("个苹果"), is_counted("次"), is_counted("次函数"), is_counted("样的")
    (True, True, False, False)
    """
    found = counted(text)
    return found is not None and found[0] not in _NEVER and not (found[1] and found[0] in _ALONE)
