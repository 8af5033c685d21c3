"""Chinese words about options, simplified and traditional."""

from __future__ import annotations

from .choice_model import ChoiceWords

CHINESE_CHOICES = ChoiceWords(
    choosing=(
        r"(?:(?<=[\s,。；;：:！])|(?<![^\n])|(?<=本题)|(?<=此题)|(?<=应)|(?<=故)|(?<=该)|(?<=可))选(?:择|项)?"
        r"(?:的?是|为)?(?![项择举自取])"
        r"|正确(?:的)?(?:答案|选项)(?:应该?|应当)?(?:是|为|即)?"
    ),
    not_chosen="不|别|勿|误|错",
    adverbs="显然|当然|就|应该|应",
    denied_before="不是|并非|不选",
    but="而是|而选|而应选|应选|应是",
    either="可能|也许|大概",
    one_of="中的?(?:一个|任意|之一|某)|之一|其中",
    answer_denied=r"不(?:是|能|可|应)[^。\n]{0,8}(?:答案|选)",
    second_thoughts="不|更正|应",
    verdicts="错|不对|不正确|或",
    otherwise="或者?|还是",
    topic="[是为]",
    pitfall="干扰项|陷阱|误选|易错",
    topic_corrected=r"[是为]?不是[^.!?。\n]{0,20}而是",
    connectors="因此|所以|综上|综上所述|故|由此可见|总之",
    answer_noun="答案|选项",
    judged="合题意|正确|对",
    judging=r"\s?(?:项|选项)?(?:才|就)?(?:是|为)?最?(?:正确|符合题意|合题意|对(?=的?(?:[。.!！,，;；]|\s|\Z)))(?:的|答案|选项){0,2}",
    cases="如果|若(?!干)|假设|假如|假定|要是",
    contrast="[,，]?(?:而)?不是",
    hypothetical="如果|假设|假如|假定|要是",
    against="但",
    but_another="但|或者",
    noun_before="选项",
    noun_after="选项|项",
    option_noun="选项",
    ordinals=(("一", "1"), ("二", "2"), ("三", "3"), ("四", "4"), ("五", "5"), ("六", "6")),
    ordinal_before="第",
    ordinal_noun="[个個](?:选项|答案)?|项",
    places="题|段|行|页|步|次|年|月|个",
    and_="和|与|與|及|以及",
    or_="或者?|还是",
)
"""See `ChoiceWords` for what each field is."""
