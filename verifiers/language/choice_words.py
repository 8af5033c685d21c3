"""How a text says which option it takes, where its words are about options and not about any answer."""

from __future__ import annotations

DIRECT = r"(?<![가-힣])(?:정답|답)\s+(?=[①-⑳❶-❿(\d])"
"""An answer's noun with its label right behind it."""
CHOOSING = (
    r"\b(?P<verb>choose|chose|choosing|pick|picking|select|selecting|opt for|go with|going with)(?: (?:only|just))?",
    r"\b(?:leaves|leaving)(?: us with)?(?: only)?(?=\s[(*]{0,3}(?:option |choice )?[A-Z][)*]{0,3}(?:[.,]|\s(?:as|alone)\b))",
    r"(?m:^)[*_\s>#]{0,6}(?:(?:my|final|best) )?(?:choice|selection|option|선택|선택지)\s?:",
    r"(?<![가-힣])선택(?:은|한 (?:것은|답은))",
    r"(?:(?<=[\s,。；;：:！])|(?<![^\n])|(?<=本题)|(?<=此题)|(?<=应)|(?<=故)|(?<=该)|(?<=可))选(?:择|项)?(?:的?是|为)?(?![项择举自取])",
    r"正确(?:的)?(?:答案|选项)(?:应该?|应当)?(?:是|为|即)?",
    DIRECT,
    r"\b(?:the|your|my) (?:final |correct )?answer\s?\?",
    r"(?m:^)[*_\s>#]{0,6}(?:answer|ans|정답|답)\s?\)",
)
"""What a label follows that is chosen: choose B, 选B."""
CHOOSER = (
    r"(?:(?:\A|[,:;(]|\b(?:so|then|therefore|thus|hence|and|but|finally|now|answer|please|conclude|to))"
    r"|\b(?:i|we|let'?s|let us|let me|i'd|i'll|we'll|we'd|i'm|we're)"
    r"|\b(?:should|must|ha(?:ve|s) to|needs? to|(?:best|right|correct|only)\b.{0,40} (?:is|would be) to))"
    r"(?:[\s*_,]+(?:would|will|can|shall|should|must|have to|need to|am|are|going to|do|so|then|thus|hence|therefore|also"
    r"|finally|now|only|just|confidently|definitely|clearly|safely|simply|go ahead and|here))*[\s*_>#-]*\Z"
)
"""Before such a verb: the speaker, nobody, or that it is to be done. What others choose says nothing."""
OTHERS_CHOOSE = r"\b(?:mistake|error|trap|wrong|tempt\w*|students|people|many|some|others?|most|was|were|might|may|could)\b.*\Z"
"""Before it: who speaks of others, or of what was or may be."""
NOT_CHOSEN = r"不|别|勿|\bnot\s|n't\s|\bnever\s"
"""Directly before such a word: it is not chosen."""
ADVERBS = (
    r"(?:clearly|obviously|definitely|certainly|indeed|simply|therefore|thus|hence|actually|really|just|then"
    r"|only|당연히|바로|역시|결국|따라서|그러므로|显然|当然|就|应该|应)"
)
"""Words between such a phrase and its label that change nothing."""
PRE_NOT = r"(?:definitely |certainly |clearly )?not|n't|不是|并非|不选"
BUT = r"[\s,，]*(?:but(?: rather| instead)?|rather|而是|而选|而应选|应选|应是)\s*(?:rather|option)?\s*"
"""Between "not B" and the label that is right."""
EITHER = r"(?:either|one of|among|not sure|maybe|perhaps|probably|possibly|likely|아마도?|어쩌면|혹시|可能|也许|大概)"
"""Before labels of which none is chosen."""
BOTH = r"(?:both|모두|둘 다)"
ONE_OF = (
    r"[^\S\n]*(?:번)?\s*(?:가운데|중(?:에서?)?|중의|둘 중)\s*(?:의\s*)?(?:하나|한|어느|아무|1)"
    r"|[^\S\n]*(?:中的?(?:一个|任意|之一|某)|之一|其中)"
)
"""Behind labels of which none is chosen: ③번과 ④번 중 하나."""
ANSWER_DENIED = (
    r"(?:정답|답)(?:이|은|일|으로는?)?\s?[^.!?\n]{0,12}(?:아니|아닌|아닙|없|않|못)"
    r"|(?:not|n't|cannot be|never)\s(?:be\s)?(?:the\s)?(?:right|correct|best)?\s?(?:answer|choice|option)"
    r"|不(?:是|能|可|应)[^。\n]{0,8}(?:答案|选)"
)
"""In the sentence of an option that is put first: that it is not the answer."""
SENTENCE_DENIED = (
    r"(?:이|가|은|는)?\s?(?:아닙니다|아니다|아니에요|아니예요|아님|아니야|아니죠|아니지요)[\s.!]*\Z"
)
"""At the end of a sentence that says "the answer is": that it is not."""
SECOND_THOUGHTS = r"아니|다시|수정|정정|no\b|wait|actually|sorry|correct|instead|rather|but|不|更正|应"
"""Between two answers: the first is taken back."""
VERDICTS = (
    r"[\s:：.)=(（\[-]*(?:x(?![a-z])|×|✗|✘|❌|wrong|incorrect|false|not\s(?![(]?[A-Z\d])|isn't|no(?![a-z])|오답|틀|아님|아니|거짓|错|不对|不正确"
    r"|is (?:not|wrong|incorrect|false|never)|or\s|혹은|또는|或)"
)
"""At an option's text: that it is not the one."""
OTHERWISE = r"(?:\b(?:or|then|alternatively|otherwise|maybe|perhaps)(?: maybe| perhaps)?|또는|혹은|아니면|그게 아니면|或者?|还是)\s+"
"""Before a second label that is offered beside the first."""
REASONS = r"(?:because|since|as|for|which|where|due|given|so|that|with|and (?:not|none)|only|alone)\b"
"""English words that go on after a label that is chosen."""
TOPIC = (
    r"(?:(?<=[가-힣])(?:은|는|이|가)|\b(?:is|was|must be|would be|should be|has to be)|[是为])\s*[:：]?\s*"
)
"""Ends the words that a label is said to be: the culprit is B, 범인은 B입니다."""
TOPIC_CORRECTED = (
    r"(?:은|는|이|가)\s[^.!?。\n]{0,40}(?:아니라|아닌|아니고|말고|대신에?)[\s,]*"
    r"|\b(?:is|was|be)\snot\s[^.!?\n]{0,30}\bbut\s|[是为]?不是[^.!?。\n]{0,20}而是"
)
"""The same with what it is not in between: 범인은 A가 아닌 B입니다."""
CONNECTORS = (
    r"(?:따라서|그러므로|그래서|결론적으로|결론은|즉|결국|고로|이에 따라|종합하면|정리하면|최종적으로"
    r"|so|therefore|thus|hence|finally|in conclusion|overall|consequently"
    r"|因此|所以|综上|综上所述|故|由此可见|总之)"
)
"""What a conclusion begins with."""
ANSWER_NOUN = r"정답|해답|답(?![가-힣]*변)|answer|option|choice|答案|选项|고르|고른|고릅|골라|골랐|선택(?!지)|택한|택했|택합"
"""In what is said of a label: that it is the answer, or is chosen."""
JUDGED = r"뿐|맞|옳|적절|적합|타당|알맞|올바|바르|정확|해당|合题意|correct|right|true|best|正确|对"
"""In what is said of a label: that it is right."""
JUDGING = (
    r"\s*(?:번)?(?:이|가)?\s*(?:가장|제일|더)?\s*(?:맞|옳|적절|적합|타당|알맞|올바르|정확)[가-힣]{0,3}\s?(?:것|듯)\s?(?:같|하|이|으로)[가-힣]{0,5}"
    r"|\s*(?:이?라고|으로|로|을|를)\s*(?:보|판단하|생각하|고르|선택하|택하|사용하|쓰|해석하|이해하|말하|답하)는\s?(?:것이|게|편이)\s*(?:가장|제일|더)?\s*"
    r"(?:타당|적절|옳|맞|합리적|바람직|자연스럽|적합|좋)[가-힣]{1,6}"
    r"|(?:으로|로)(?=,)"
    r"|\s?뿐(?:이다|입니다|이에요|이야|이며|이고|이므로)(?![가-힣])"
    r"|\s*(?:으로|로)\s+(?:답|정답|판단|결론)"
    r"|\s(?:is|are|was|were|would be|must be|seems to be)\s(?:(?:clearly|definitely|indeed|therefore|the|most|single|only|correct|right|best"
    r"|likely|appropriate|accurate|true)\s){0,4}(?:answer|choice|option|one|correct|right|best)\b"
    r"|\s(?:fits|works|matches)\s(?:the\s\w{1,12}\s)?best\b"
    r"|\s?(?:项|选项)?(?:才|就)?(?:是|为)?最?(?:正确|符合题意|合题意)(?:的|答案|选项){0,2}"
)
"""Behind a label in the exam's own style: ②로 보는 것이 타당하다; ③번으로, ..."""
FINAL_COPULA = r"(?:입니다|이다|임|이었다|이었습니다|이에요|예요|이고|이며|이므로|이기\s?때문)"
"""The endings of a noun that something is said to be."""
NOMINAL = rf"(?:번)?(?:이|가)\s+(?P<noun>[^.,，。!?\n:'\"“”‘’]{{1,40}}?){FINAL_COPULA}(?=[\s.!,~。]|\Z)"
"""Behind a label: a particle that singles it out, and what it is said to be."""
NOT_NOMINAL = (
    r"(?:은|는|다면|라면|면|고|며|라고|다고|라는|다는|지만|수|있|없|않|아니|거짓|진실|참|말)(?:\s|$)"
)
"""A noun phrase in which another clause ends."""
CASES = (
    r"만약|만일|가령|(?:[다으이]|(?<![저나])라)면(?=[\s,])|(?<!비교)(?<!종합)(?<!정리)(?<!고려)(?<!분석)(?<!요약)(?<!계산)(?<!적용)하면(?=[\s,])|가정|[는은한인된]\s경우|(?:답변|말|진술|주장|의견|설명)에\s따르면|말대로"
    r"|\bif\b|\bsuppose|\bassum|\baccording to [A-Z]\b|\bunless\b|\bwhether\b|如果|若(?!干)|假设|假如|假定|要是"
)
"""In a sentence before a label: what follows holds only under a condition, or in what another says."""
HYPOTHETICAL = r"만약|만일|가령|(?:다|(?<![저나])라)면(?=[\s,])|가정하면|\bif\b|\bsuppose|\bunless\b|\bwhether\b|如果|假设|假如|假定|要是"
"""The same before a mark of the answer itself."""
NEGATED = r"\s?(?:(?:보|하|말하)기[는도엔]?\s?(?:에는)?\s?(?:어렵|힘들|무리)|(?:할\s)?[수리][는가]?\s?없)"
"""Behind a word that states: it does not after all."""
DESCRIBED = r"(?:번|항목?)?(?:은|는|도|에|의|과|와|을|를)(?:\s|$)"
"""Behind a label that is spoken of, and not singled out: ①은 옳다."""
VERBLESS = (
    r"[.):\]]?\s+(?!(?:is|are|was|were|be|seems|looks|remains|can|cannot|could|may|might|will|would|should|must|does|do|did"
    r"|has|have|had|fails?|contradicts?|violates?|which|that|it)(?![a-z]))[a-z]"
)
"""Behind a label, a word that is no verb of a sentence about it."""
ONLY = r"(?:\s(?:only|alone)|만)?"
"""Behind labels that are all of the answer."""
HANGUL = "가-힣"
HAN = "一-鿿㐀-䶿"
"""Characters of the scripts that write no blank between a label and what is said of it."""
SPEAKER = r"[\s\-•*\d.]*(?:[A-Z]|[가-힣]{2,4})\s?:"
"""What a line of somebody's words begins with."""
TEXT_STATED = rf"[.:)\s][^.!?。\n]{{1,80}}?{FINAL_COPULA}(?=[\s.!,~。]|\Z)"
"""An option's text behind its label, and the ending of a sentence: 2. 그러나입니다."""
REPORTED = r"라고\Z"
"""Ends what is said of a label when somebody says it; the verb that follows must be known to hold."""
BECAUSE = r"(?:므로|니까|기\s?때문에|라서)\Z"
"""Ends what is said of a label in a clause that gives the reason for another."""
TAKEN_BACK = (
    r"\s*[(（]\s*(?:\d{1,2}|[A-Z①-⑳])\s*번?\s*(?:도|역시|일\s?수도)"
    r"|\s*[,，.]?\s*(?:하지만|그러나|아니면|혹은|but|or maybe|但|或者)\s{0,2}(?:maybe |perhaps |it may be )?(?:\d|[A-HJ-Z](?![a-z])|[①-⑳])"
    r"|\s*(?:문장|문단|문제|단계|줄|페이지|쪽)(?=[에을를이가은는의])"
)
"""Behind a label: another one that may be right as well, or what it only counts (the third sentence)."""
