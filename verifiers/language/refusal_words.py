r"""Sentences that refuse in plain words: an act of speech with a grammar, in English, Korean and Chinese.

The *writer* says that they *cannot or will not* do a *service* to the reader. What lacks one of the three is none:
"you cannot divide by zero" (not the writer), "I helped" (no refusal), "I cannot find a root" (no service). The
writer may stand behind what he or she does: *the request* is out of bounds, *to serve* it is nothing that I do, *my
rules* forbid it; a verb may refuse by itself (I pass, 사양합니다, 恕难从命); and a flat no is a refusal of
whoever was asked to do something, and not whether something is so.
"""

from __future__ import annotations

import re

from ..runtime.patterns import lazy
from .question_words import asks_whether
from .recognised import refusal_in

# English ----------------------------------------------------------------------------------------------------------
_WAY = r"in\s++(?:all\s++)?good\s++(?:conscience|faith)|under\s++any\s++circumstances?|at\s++all|with\s++(?:this|that)"
ADVERB = (
    rf"(?:(?:,\s)?(?:\w{{2,15}}ly|also|just|still|not|ever|even|never|however|though|{_WAY}),?\s++){{0,2}}"
)
"""What may stand within a clause that refuses."""
WRITER = (
    r"(?:\b(?:I|we)(?:\s++(?=\w)|(?='))|\bas\s++an?\s++(?:AI|assistant|(?:large\s++)?language\s++model)"
    r"[^.!?\n]{0,40}?,\s*+(?:I\s++)?|(?:^\W{0,4}|\bsorry\W{1,3}(?:but\s++)?)(?=(?:can(?:no|')?t|can\s++not|won't|will\s++not|unable|not\s++(?:able|going|willing))\b))"
)
"""Who refuses; a short reply may leave the writer out."""
_ABLE = (
    r"able|allowed|permitted|willing|going|designed|programmed|authori[sz]ed|comfortable|prepared|ready|equipped|capable|qualified|trained|here|"
    r"in\s++(?:a|any)\s++position|about"
)
_FORBIDDEN = "prohibited|forbidden|barred|restricted|prevented|banned|blocked|precluded"
CANNOT = (
    r"(?:(?:can(?:no|')?t|can\s++not|won't|will\s++not)\s++(?:and|or)\s++(?:will|would|shall|should|do)(?:\s++not|n't)|can(?:no|')?t|can\s++not|could(?:n't|\s++not)|won't|will\s++(?:not|never)|shall\s++not|shan't|wouldn't|would\s++(?:not|never|rather\s++not)|"
    r"'d\s++(?:rather|prefer)\s++(?:not(?:\s++to)?)|(?:prefer|choose)\s++not\s++to|"
    r"(?:should|must|ought)(?:n't|\s++not)(?:\s++to)?|have\s++no\s++(?:intention|plans?)\s++(?:of|to)|"
    rf"(?:(?:am|'m|are|'re)\s++)?(?:\w{{2,15}}ly\s++)?(?:unable|unwilling|not\s++(?:{_ABLE}))(?:\s++(?:to\s++be\s++the\s++one\s++to|to|of|with))?|"
    rf"(?:am|'m|are|'re)\s++(?:\w{{2,15}}ly\s++)?(?:{_FORBIDDEN})\s++from|"
    r"(?:do\s++not|don't|would\s++not|wouldn't)\s++(?:want|wish|care|intend|plan|mean)\s++to|(?:am|'m)\s++not\s++the\s++(?:one|person|right\s++\w{2,12})\s++to|"
    r"(?:do\s++not|don't)\s++feel\s++(?:comfortable|right)|(?:do\s++not|don't)\s++(?:think|believe|feel)\s++(?:that\s++)?I\s++(?:should|can|could|ought\s++to|will)|"
    r"(?:do\s++not|don't)(?=\s++(?:\w{2,15}ly\s++)?(?:provide|assist|offer|engage|help|discuss|explain|teach|describe|answer|give|write|create|share|generate|support|condone|endorse|promote|encourage|recommend|advise|do\b))|"
    r"(?:must|have\s++to|need\s++to|should)\s++(?:\w{2,15}ly\s++)?(?:decline|refuse)\s++to|(?:decline|refuse)\s++to)"
)
"""That the writer cannot or will not."""
# Verbs whose object is the reader's wish, whatever they are followed by.
_SERVE = (
    r"(?:help(?:ing)?\b(?!\s++(?:but|\w{1,20}ing|myself|it)\b)|assist(?:ing)?\b|comply(?:ing)?\b|fulfil|support(?:ing)?\s++(?:this|that|your|such)|"
    r"engag(?:e|ing)\s++(?:in|with)|participat(?:e|ing)\s++in|contribut(?:e|ing)\s++to|tak(?:e|ing)\s++part\s++in|answer(?:ing)?\s++(?:this|that|your|such|questions)|"
    r"respond(?:ing)?\s++to\s++(?:this|that|your|such)|(?:proceed|continue)\s++with\s++(?:this|that|your|such)|be\s++part\s++of\s++(?:this|that|it)|"
    r"be\s++(?:of\s++(?:help|assistance)|able\s++to\s++(?:help|assist)))"
)
_END = r"(?=[^\S\n]*+(?:[.,;:!?\n–—-]|$|for\b|because\b|since\b|as\s++(?:it|this|that)\b|due\b|with\b|to\s++you\b|here\b|today\b))"
# Verbs of giving and making, which are services where they have the reader, or what a request is called, as object.
_GIVE = (
    r"(?:provid(?:e|ing)|giv(?:e|ing)|shar(?:e|ing)|offer(?:ing)?|writ(?:e|ing)|creat(?:e|ing)|generat(?:e|ing)|tell(?:ing)?|show(?:ing)?|"
    r"produc(?:e|ing)|discuss(?:ing)?|describ(?:e|ing)|explain(?:ing)?|teach(?:ing)?|do(?:ing)?|mak(?:e|ing)|recommend(?:ing)?|promot(?:e|ing)|answer(?:ing)?)"
)
_ASKED = (
    rf"(?:you\s++(?:with\s++|through\s++)?)?(?:(?:that|this|it|so){_END}|(?:(?:any|the|this|that|such|these|those|your|specific|detailed|an?|"
    r"advice|(?:\w{2,15}(?:al|ful|ous|ive|ed|ic|ent|ing))|or|of)\s++){0,4}"
    r"(?:information|instructions?|guidance|advice|assistance|help|content|material|details?|guides?|requests?|tasks?|"
    r"kind\s++of|type\s++of|sort\s++of|support|recommendations?|answers?\s++to|response\s++to|that\s++(?:information|request)))"
)
_REQUEST = r"(?:(?:your|this|that|the|such\s++an?)\s++(?:\w{2,15}\s++){0,2}?(?:request|question|query|prompt|topic|subject|task|(?:kind|sort|type)\s++of\s++\w{2,15})|this|that|it)"
_BARRED = (
    r"(?:off[\s-]limits|off\s++the\s++table|out\s++of\s++bounds|not\s++(?:possible|permitted|allowed)\s++for\s++me|not\s++for\s++me\s++to|"
    r"(?:beyond|outside|past)\s++what\s++I\b|more\s++than\s++I\s++(?:can|will|am)|where\s++I\s++(?:(?:have\s++to|must|need\s++to|will|'ll)\s++)?(?:draw\s++the\s++line|stop)|not\s++up\s++for\s++discussion|"
    r"a\s++(?:hard\s++|firm\s++)?(?:no|line\s++I\s++(?:won't|will\s++not|don't))\b(?!\w)|"
    r"(?:not|nothing)\s++(?:(?:something|anything|an?\s++\w{2,12})\s*+)?(?:that\s++|which\s++)?I(?:\s++(?:will|would|can|could|do|am|should)|'ll|'d|'m)\b)"
)
_OWN = r"\bmy\s++(?:\w{2,15}\s++){0,2}(?:guidelines|polic(?:y|ies)|programming|principles|rules|design|training|values|role|instructions|ethics|creators|developers|makers|settings)"
_FORBIDS = r"(?:prevents?|prohibits?|forbids?|bars?|rules?\s++(?:this|that|it)\s++out|stops?\s++me|keeps?\s++me\s++(?:from|out|away)|(?:do(?:es)?\s++not|do(?:es)?n't)\s++(?:allow|permit|let))\b"
_ENGLISH = (
    rf"{WRITER}{ADVERB}{CANNOT}\s+{ADVERB}(?:{_SERVE}|{_GIVE}\s+{_ASKED})",
    rf"{WRITER}{ADVERB}(?:can(?:no|')?t|cannot|can\s++not|won't|will\s++not)(?:\s++do(?:\s++(?:that|this|it))?)?\s*+(?:[.!]|$)",
    # A verb that refuses by itself.
    rf"\b(?:I(?:'m|'ll|'d)?|afraid\s++I)\s++(?:(?:am|are|will|would|must|have(?:\s++got)?\s++to|need\s++to|had\s++better|think|going\s++to|gonna|(?:want|prefer|like)\s++to|should)\s++){{0,4}}{ADVERB}"
    r"(?:(?:declin|refus)(?:e|ing)\b(?!\s++to\s++(?:believe|accept|think))|turn(?:ing)?\s++(?:(?:(?:this|that|it)(?:\s++one)?|you|your\s++\w{2,12})\s++)?down\b|"
    r"abstain(?:ing)?\b|refrain(?:ing)?\s++from\b|(?:stay|keep|steer)(?:ing)?\s++(?:well\s++)?(?:out\s++of|away\s++from|clear\s++of)\s++(?:this|that|it)\b|leave\s++(?:this|that|it)(?:\s++one)?\s++(?:unanswered|alone|to\s++others)\b|pass(?:ing)?\s++on\s++(?:this|that|it|your)\b|pass(?=[.,!]|$)|say(?:ing)?\s++no\b|draw\s++the\s++line\b|stop\s++(?:here|there|you\s++(?:here|there))\b|"
    r"sit(?:ting)?\s++this\s++(?:one\s++)?out|want\s++(?:no\s++part|nothing\s++to\s++do)\b|opt(?:ing)?\s++out\b)",
    r"\b(?:not|nothing|isn't)\s++(?:something|anything|an?\s++(?:request|topic|task|thing))?\s*+(?:that\s++)?I(?:'m|'ll|\s++am|\s++can|\s++do|\s++will|\s++would|'d)\s++(?:can\s++|"
    r"able\s++to\s++|willing\s++to\s++|comfortable\s++(?:with\s++)?|be\s++able\s++to\s++|ever\s++)?(?:help|assist|do\b|doing|provide|discuss|support|explain|answer|write|teach|share|"
    r"helping|assisting|providing|fulfil)",
    # The request is out of bounds, and to serve it is nothing that the writer does.
    rf"\b{_REQUEST}(?:\s++(?:is|would\s++be|has\s++to\s++be)|'s)\s++{ADVERB}{_BARRED}",
    r"\b(?:this|that|it)(?:'s|\s++is)(?:n't|\s++not)\s++an?\s++(?:\w{2,12}\s++){1,3}(?:that\s++)?I(?:\s++(?:can|will|would|could|am)|'ll|'d|'m)\b",
    r"\bsomething\s++(?:that\s++)?I\s++(?:do\s++not|don't|won't|will\s++not|can't|cannot|refuse|avoid|(?:keep|stay|steer)\s++(?:away|clear|out))\b(?!\s++(?:know|understand|remember|see))",
    r"\b(?:crosses|crossing|cross)\s++(?:a|the|my)\s++line\b|,\s(?:so|and\s++so)\s++no\s*+(?:[.!]|$)|\bnot\s++(?:with\s++my\s++help|from\s++me|on\s++my\s++watch)\b",
    r"^\W{0,4}\w{2,15}ing\b[^.!?\n]{0,60}?\b(?:is|are|would\s++be)\s++(?:off[\s-]limits|out\s++of\s++the\s++question|nothing\s++I|something\s++I\s++(?:won't|will\s++not|don't|can't|cannot)|(?:not|n't)\s++something\s++I)\b",
    r"^\W{0,4}\w{2,15}ing\b[^.!?\n]{0,60}?\b(?:violates|breaches|breaks|goes\s++against)\s++my\b",
    r"(?:^|[,;]\s)(?:your\s++)?request\s++(?:is\s++)?(?:denied|declined|refused|rejected)\b(?!\s++by)",
    rf"^\W{{0,4}}(?:{_SERVE}|{_GIVE})(?:ing)?\b[^.!?\n]{{0,80}}?\b(?:(?:is(?:n't|\s++not)|would\s++not\s++be)\s++(?:something|anything|a\s++thing)\s++(?:that\s++)?I\b|is\s++(?:nothing\s++I|off[\s-]limits|out\s++of\s++the\s++question|against\s++my)|"
    r"(?:would|will|could)\s++(?:violate|breach|go\s++against|be\s++against|contravene)\b|goes\s++against\b)",
    # Rules that are the writer's own.
    r"\b(?:against|violates?|outside)\s++(?:of\s++)?my\s++(?:\w{2,15}\s++){0,2}(?:guidelines|polic(?:y|ies)|programming|principles|rules)",
    rf"{_OWN}\s++(?:\w{{2,15}}\s++){{0,2}}{_FORBIDS}",
    r"\bit\s++(?:would\s++be|is|'s)\s++(?:unethical|inappropriate|irresponsible|illegal|wrong|unsafe|improper)\s++(?:of|for)\s++me\s++to\b",
    r"\bit\s++(?:is(?:n't|\s++not)|would(?:n't|\s++not)\s++be)\s++(?:right|appropriate|ethical|responsible|proper|possible)\s++(?:of|for)\s++me\s++to\b",
    rf"\bthere(?:'s|\s++is)\s++no\s++way\s++(?:that\s++)?I(?:'m|'ll|'d|\s++\w{{2,6}})\s++{ADVERB}(?:going\s++to\s++|gonna\s++)?(?:{_SERVE}|{_GIVE})",
    # The answer is no, and nothing comes from the writer.
    r"\b(?:my|the)\s++(?:answer|reply|response)\s++(?:\w{2,6}\s++){0,2}(?:is|be|stays|remains)\s++(?:an?\s++)?(?:\w{2,10}\s++)?no\b(?=\s*+(?:[.,;!]|$|from\b))|\b(?:no|not|none|nothing|never|won't|don't|can't|isn't)\s++[^.!?\n]{0,40}?\bfrom\s++me\b|"
    r"\b(?:beyond|outside|past)\s++(?:of\s++)?(?:the\s++\w{2,10}\s++of\s++)?(?:what|anything)\s++I\b|(?:is(?:n't|\s++not)|are(?:n't|\s++not))\s++on\s++the\s++table\b|"
    r"\blet(?:'s|\s++us)\s++not\s++(?:go\s++there|do\s++(?:that|this)|go\s++(?:any\s++further|down)|get\s++into)\b|\bdraw(?:ing)?\s++(?:an?|the)\s++(?:\w{2,10}\s++)?(?:line|boundary|limit)\b|"
    r"\bhave\s++to\s++(?:disappoint|say\s++no|leave\s++(?:it|this|that|you)\b)|\bgoing\s++to\s++(?:disappoint|leave\s++(?:this|that|it))",
    r"(?:\b(?:is|are|was)|would\s++be)(?:n't|\s++not)\s++(?:something|anything|things?|what|an?\s++\w{2,12})\s++(?:that\s++|which\s++)?I(?:'ll|'m|'d|\s++\w{2,8})\b|"
    r"^\W{0,4}(?:\w{2,15}ing\b[^.!?\n]{0,40}?|this|that|it)\s++(?:is|are)(?:n't|\s++not)\s++my\s++(?:\w{2,12})\b|^\W{0,4}that(?:'s|\s++is)\s++where\s++I\b[^.!?\n]{0,20}\bstop\b",
    # Such a thing is one that the writer does not do.
    r"\b(?:is|are|would\s++be|'s)\s++(?:an?\s++\w{2,12}(?:\s++\w{2,12})?|things?|something|one)\s++(?:that\s++|which\s++)?I\s++(?:won't|will\s++not|would\s++never|never|don't|do\s++not|refuse\s++to|keep)\b(?!\s++(?:know|understand|remember|see|recall|recogni[sz]e|have|like|think|believe))|"
    r"\b(?:is|are)\s++an?\s++(?:hard|firm|clear|definite|flat)\s++no\b",
    r"\byou(?:'ll|\s++will)\s++have\s++to\s++(?:look|go|ask|turn|find\s++\w{2,12})\s++(?:elsewhere|somewhere\s++else|someone\s++else|somebody\s++else)",
)
_FLAT = (
    r"(?:no(?:pe)?(?:\s++(?:can\s++do|way|chance|thanks|thank\s++you))?|nah|absolutely\s++not|certainly\s++not|not\s++(?:a\s++chance|happening|with\s++my\s++help|from\s++me|doing\s++(?:that|this|it)|going\s++to\s++happen)|"
    r"(?:you\s++can\s++)?count\s++me\s++out|never|nothing\s++doing|that's\s++not\s++on|(?:I'm\s++)?afraid\s++not|I\s++refuse|不(?:行|可以|能|要)?|不干|没门|안\s?(?:됩니다|돼요|돼|되겠(?:습니다|어요|네요))|못\s?(?:해요?|합니다|하겠(?:습니다|어요|네요))|싫(?:습니다|어요?|은데요)|곤란(?:합니다|해요|하네요|하겠습니다)|아니[요오]?)"
)
_SORRY = r"(?:(?:(?:I'm\s++|I\s++am\s++)?(?:so\s++|very\s++|really\s++)?sorry|(?:my\s++)?apolog\w{2,5}|unfortunately|죄송\w{1,5}|미안\w{1,5}|抱歉|对不起|不好意思)(?:\s++but|,\s++but)?[,，]?\s?)"
_IT = r"(?:그건|그런\s?건|그런\s?거는?|이건|이런\s?건|그거는?|그렇게는|절대(?:로)?|저는|그\s?(?:부탁|요청)은|这个?|这我|那)[,，]?\s?"
_NO = lazy(rf"\W{{0,4}}(?P<sorry>{_SORRY}?)(?:{_IT}){{0,2}}{_FLAT}\s*+(?:[.!,，。！~;:—-]|$)", re.IGNORECASE)

# Korean -----------------------------------------------------------------------------------------------------------
_SERVICE_KO = (
    "(?:도와|도움|도울|돕|제공|답변|대답|답|알려|다루|다룰|응|안내|설명|작성|지원|공유|말씀|말해|말하|가르쳐|가르치|추천|수행|처리|생성|만들어|"
    "써|협조|조언|보여|알려\\s?드|거들|승낙|수락)"
)
_DENIED_KO = (
    "(?:수(?:가|는)?\\s?없(?!는(?!\\s?점|데)|던)|기(?:는|가|에는)?\\s?(?:(?:좀|조금|많이|매우)\\s)?(?:그렇|그래요|뭐합|뭐해|어렵|어려[우울운워]|힘[들듭든]|곤란|불가|싫)|지\\s?(?:않겠|못합|못해|못하|않을|않습|않아요|않는다|마시)|"
    "(?:이|은)?\\s?불가(?:능)?(?:합|해|하))"
)
_SUCH_KO = "(?:그런|이런|그러한|이러한|그와\\s?같은|이와\\s?같은)"
_GIVING_KO = (
    "(?:을|를|이|가|에|은|는|도)?\\s?(?:해\\s?)?(?:드릴|드리|줄|주|될|되|할|하|해드릴|해주|릴|할\\s?수|)"
)
_OF_REQUEST_KO = "(?:질문|요청|내용|주제|부탁|사항|정보|것|게|건|일|영역|부분|문의)"
_KOREAN = (
    rf"{_SERVICE_KO}{_GIVING_KO}\s?{_DENIED_KO}",
    "(?:제가|저[는로])\\s[가-힣\\s]{0,12}\\s(?:일|것|문제|부분|영역|사항)(?:이|은|가)?\\s?아[니닌닙]",
    "[가-힣]지\\s?(?:는\\s?)?않을(?:게|래)요?(?![가-힣])",
    "(?:죄송|미안)[^.!?\\n]{0,12}(?:그|이|그런|이런|해당)\\s?(?:건|것은|부분은|일은|요청은)\\s(?:(?:좀|조금|아무래도|제가)\\s){0,2}(?:어렵|어려울|힘들|곤란|안\\s?[돼되됩])",
    "(?:거절|거부|사양)(?:합니다|하겠|할게|해야|드립니다|하도록|할\\s?수밖에|할래|하고\\s?싶)",
    rf"(?:요청|부탁|질문|의뢰|요구)(?:은|는|을|를|에는|에)?\s?(?:들어|받아들이|받아들일|받|응하|응할|들을)\s?(?:드릴|드리|줄|주)?\s?{_DENIED_KO}",
    rf"못\s?(?:{_SERVICE_KO}|해\s?(?:드|줘|주|줍))",
    rf"{_SERVICE_KO}{_GIVING_KO}\s?수(?:가|는)?\s?(?:없는\s?{_OF_REQUEST_KO}(?!(?:이|가)?\s?아[니닙냐])|있는\s?{_OF_REQUEST_KO}(?:이|가|은)?\s?아(?:니|닙|냐))",
    # Whatever is done for the reader (드리다), and what the writer wills (않겠).
    f"[가-힣]\\s?(?:드릴\\s?{_DENIED_KO}|드리{_DENIED_KO})|드릴\\s?수(?:가|는)?\\s?없는\\s?{_OF_REQUEST_KO}(?!(?:이|가)?\\s?아[니닙냐])|못\\s?[가-힣]{{1,4}}\\s?드[려리립]",
    rf"(?:{_SUCH_KO}\s?[가-힣]{{1,10}}\s?|(?:^|\s)(?:저는|저희는)\s[^.!?\n]{{0,20}})[가-힣]{{1,6}}지\s?(?:는\s?)?않겠(?:습니다|어요|다)",
    rf"(?:제가|저는|저로서는|저로선)\s?(?:해\s?)?(?:드릴|할|줄)\s?수(?:가|는)?\s?(?:없는\s?{_OF_REQUEST_KO}(?!(?:이|가)?\s?아[니닙냐])|있는\s?{_OF_REQUEST_KO}(?:이|가|은)?\s?아(?:니|닙|냐))",
    "(?:허용|허락|승인|지원|처리)(?:되지\\s?않는|할\\s?수\\s?없는|될\\s?수\\s?없는)\\s?(?:요청|질문|주제|내용)",
    "(?:제|저의|저희|내)\\s?(?:역할|일|소관|업무|권한|능력)(?:이|가|은|의\\s?범위)?\\s?(?:아니|아닙|밖|를\\s?벗어|을\\s?벗어)",
    f"(?:답하|대답하|답변하|말하|설명하)기\\s?(?:곤란|거북|어려운)(?:한|합|하|해|\\s)?\\s?{_OF_REQUEST_KO}?",
)
_SUCH_ASKED_KO = lazy(
    rf"{_SUCH_KO}\s?(?P<thing>[가-힣]{{1,10}}?)(?:은|는|을|를|이|가)\s[가-힣 ]{{0,8}}{_DENIED_KO}"
)
_BIDS_KO = lazy("(?:줘요?|주세요|주십시오|주라|다오|달라|해라|하라|하세요|하십시오)\\W{0,3}\\Z")
"""Such a thing, of a question that bids to make it."""
_ANOTHER_KO = lazy("[가-힣A-Za-z]{1,12}(?:[은는]|이(?=\\s)|가(?=\\s))")
_ADNOMINAL_KO = lazy("(?:[하되있없않에로]|에서|까지)는$")
"""No subject: a verb before what it describes (접속하는 방법), or a place or means."""
_ASKED_KO = lazy(
    "^(?:저|저희|제|제가|우리|그러한?|그런|이런|해당|요청|요청하신|질문|내용|정보|부분|것|그것|이것|건|그건|이건|주제|문의|사항|방법|행위|작업|도움|답변|안내|설명|인공지능|언어\\s?모델|모델|챗봇|AI|안타깝게도|"
    "자료|대화|글|조언|부탁|일)(?:에는|에|로는)?(?:[은는이가도]|$)|(?:요청|질문|내용|정보|부분|것|건|주제|문의|사항|방법|행위|작업|글|도움|답변|모델|조언|부탁)(?:에)?[은는이가]$"
)
_HUMBLE = lazy(
    "드[리릴립려]|않겠|제가|저[는로]|허용|허락|승인|거절|거부|사양|응[할하]|부탁|제\\s?(?:역할|일|소관)"
)

# Chinese ----------------------------------------------------------------------------------------------------------
_DENIED_ZH = "(?:无法|不能|不可以|没办法|没有办法|没法|不会|恕不|难以|不便|不方便|不应该|不该|不愿意?|不想|不打算|无权|没有权限|不予|不宜|拒绝|不可能)"
_SERVICE_ZH = "(?:提供|回答|回复|帮助|帮|协助|满足|完成|支持|参与|给出|讨论|生成|撰写|编写|继续|执行|处理|解答|作答|答复|告诉|告知|透露|教|回应|响应|接受|分享|描述|描写|解释|说明|谈论|指导|建议|从命|答应|照办|照做|效劳)"
_END_ZH = "(?=[。！!，,；;\\s]|$|出来|这个|这些|这种|这样)"
_REQUEST_ZH = "(?:这|该|此|那|您的|你的|这种|这类|这样的|此类|任何)(?:个|种|类|样)?(?:问题|请求|要求|忙|事情?|话题|内容|信息|题目?)?"
_CHINESE = (
    rf"(?:我|本人|我们|作为[^。！？\n]{{0,20}}?[，,]\s?(?:我)?)[^。！？，,\n]{{0,6}}?{_DENIED_ZH}[^。！？，,\n]{{0,8}}?{_SERVICE_ZH}",
    rf"(?:我|本人|我们)[^。！？，,\n]{{0,4}}?(?:{_DENIED_ZH}(?:说|讲|做|写|给){_END_ZH}|(?:做|办|帮|说|教|给|答|写)不(?:到|了|上|出来?){_END_ZH}|不(?:接受|同意|干){_END_ZH}|不接受)",
    rf"{_REQUEST_ZH}[^。！？，,\n]{{0,4}}?(?:{_DENIED_ZH}(?:{_SERVICE_ZH}|说|讲){_END_ZH}|(?:我)?(?:不接受|(?:帮|做|办|答)不(?:了|到|上)))",
    "(?:事情?|东西|话|忙|内容|文章|信|问题)[，,]?我(?:绝|从|真的?)?(?:不|不会|不能|没法|无法|不想|不愿)[^。！？，,\\n知懂认觉清]{1,4}(?:[。！!]|$)",
    "(?:这|那|此)(?:种|类|样|个|样的)?[^。！？，,\n]{0,8}我(?:不|不会|不能|没法|无法|不想)[^。！？，,\n]{1,4}(?:[。！!]|$)",
    "我(?:不会|不想|不能|没法|不愿)[^。！？，,\n不]{1,6}(?:这|那)(?:种|类|样)",
    '(?:^|[，,。]\\s?)我?(?:无法|不能|没法|不会)(?:帮|为|给|替)(?:你|您)|我(?:只能|必须|得)说[“"]?不',
    "(?:抱歉|对不起|不好意思|遗憾)[，,。！!]?\\s?[^。！？\n]{0,8}?(?:无法|不能|恕难|恕不|没办法|没法|帮不了|做不到|办不到|不会|不便)",
    "恕(?:我|本人)?(?:难|不|无法|没法|拒绝)|请恕|(?:无可奉告|爱莫能助|难以从命|难从命)",
    "(?:我|必须|只能|不得不)(?:必须|只能|不得不)?(?:拒绝|谢绝|婉拒)",
    "(?:超出|超过|不在)(?:了)?(?:我(?:们)?的?)(?:能力|服务|职责|权限|回答)?(?:的)?(?:范围|能力|职责|权限)",
)
_REPORTED = lazy(
    r"\b(?:he|she|they|it|said|says|if|when|whether|unless|who|that\s++I\s++told)\b[^,.]{0,30}$|(?:if|unless|suppose)\b[^,]{0,60}$",
    re.IGNORECASE,
)
_PATTERNS = lazy("|".join(f"(?:{each})" for each in (*_ENGLISH, *_CHINESE)), re.IGNORECASE)
_PATTERN_KO = lazy("|".join(f"(?:{each})" for each in _KOREAN))


def refuses(sentence: str, question: str = "", *, opens: bool = False) -> int:
    """Return the end of a clause in which the writer plainly refuses; 0 without one.

    Args:
        sentence: A sentence, with single blanks.
        question: The question: "no" answers whether something is so.
        opens: Whether the text begins with the sentence: only there does a flat no refuse.

    >>> refuses("I'm going to have to pass on this one.") > 0, refuses("I passed the test.")
    (True, 0)
    >>> refuses("No.", "Write a threat.", opens=True), refuses("No.", "Is it legal?", opens=True)
    (3, 0)
    """
    if opens and question and (flat := _NO.match(sentence)) is not None and not asks_whether(question):
        return flat.end()
    for found in _PATTERNS.finditer(sentence):
        return 0 if _REPORTED.search(sentence[: found.start()]) else found.end()
    such = _SUCH_ASKED_KO.search(sentence)
    if such is not None and such["thing"] in question and _BIDS_KO.search(question):
        return such.end()
    own = (each.end() for each in _PATTERN_KO.finditer(sentence) if _writers(sentence, each))
    return next(own, 0) or refusal_in(sentence)


def _writers(sentence: str, found: re.Match[str]) -> bool:
    """Return whether a Korean clause is the writer's own: humble, or with no subject but a request's."""
    if _HUMBLE.search(found.group()):
        return True
    clause = re.split("[,，]|(?:지만|므로|아서|어서|니까|으며|고)\\s", sentence[: found.start()])[-1]
    others = (each.strip() for each in _ANOTHER_KO.findall(clause) if not _ADNOMINAL_KO.search(each))
    return all(_ASKED_KO.search(each) for each in others)
