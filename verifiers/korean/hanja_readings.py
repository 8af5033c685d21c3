"""How a Chinese character is read in Korean.

KS X 1001 orders its 4,888 characters by their Korean reading, and Python's codec knows that order. So the
first character of each reading is the whole table.
"""

from __future__ import annotations

import bisect

# A reading and the first character that has it, in the order of the standard.
_FIRST = (
    "가伽각刻간侃갈乫감勘갑匣강剛개介객喀갱坑갹醵거倨건乾걸乞검儉겁劫게偈격擊견堅결抉겸兼경京계係고古곡哭곤困골汨공供과寡곽廓관冠괄刮광侊괘卦괴乖굉宏교交구丘국國군君굴堀궁宮권倦궐厥궤机귀晷규叫균勻"
    "귤橘극克근僅금今급伋긍亘기企긴緊길佶김金끽喫나儺낙諾난暖날捏남南납納낭囊내乃녀女년年념念녕寧노努농濃뇌惱뇨尿눈嫩눌訥뉴杻능能니尼닉匿다多단丹달撻담啖답沓당唐대代댁宅덕德도倒독毒돈墩돌乭동仝두兜"
    "둔屯득得등嶝라喇락洛란亂랄剌람嵐랍拉랑廊래來랭冷략掠량亮려侶력力련憐렬冽렴廉렵獵령令례例로勞록碌론論롱壟뢰儡료了룡龍루壘류劉륙六륜侖률律륭隆륵勒름凜릉凌리俚린吝림林립砬마摩막寞만万말唜망亡매埋"
    "맥脈맹孟멱冪면免멸滅명冥몌袂모侮목木몰歿몽夢묘卯무務묵墨문們물勿미味민岷밀密박剝반伴발勃방倣배倍백伯번幡벌伐범凡법法벽僻변卞별別병丙보保복伏본本볼乶봉俸부不북北분分불佛붕崩비丕빈嚬빙憑사乍삭削"
    "산傘살乷삼三삽揷상上새塞색嗇생牲서墅석夕선仙설卨섬剡섭攝성城세世소召속俗손孫솔率송宋쇄刷쇠衰수修숙叔순巡술戌숭崇슬瑟습濕승丞시侍식埴신伸실失심審십什쌍雙씨氏아亞악堊안安알斡암唵압壓앙仰애厓액厄"
    "앵櫻야也약弱양佯어圄억億언偃얼孼엄俺업嶪엔円여予역亦연嚥열悅염厭엽曄영塋예乂오五옥屋온溫올兀옹壅와渦완婉왈曰왕往왜倭외外요僥욕慾용俑우于욱勖운云울蔚웅熊원元월月위位유乳육堉윤允율聿융戎은垠을乙"
    "음吟읍揖응凝의依이二익瀷인人일一임任입入잉仍자仔작作잔孱잠岑잡雜장丈재再쟁爭저佇적勣전佃절切점占접接정丁제制조俎족族존存졸卒종倧좌佐죄罪주主죽竹준俊줄茁중中즉卽즐櫛즙楫증增지之직直진唇질侄짐斟"
    "집執징徵차且착捉찬撰찰刹참僭창倉채債책冊처凄척倜천仟철凸첨僉첩堞청廳체剃초初촉促촌寸총叢촬撮최催추墜축丑춘春출出충充췌悴취取측側층層치侈칙則친親칠七침侵칩蟄칭秤쾌快타他탁倬탄呑탈奪탐探탑塔탕宕"
    "태兌택擇탱撑터攄토兎통慟퇴堆투偸특慝틈闖파坡판判팔八패佩팽彭퍅愎편便폄貶평坪폐吠포佈폭幅표俵품品풍楓피彼필匹핍乏하下학壑한寒할割함函합合항亢해亥핵劾행倖향享허噓헌憲헐歇험險혁奕현俔혈孑혐嫌협俠"
    "형亨혜兮호乎혹惑혼婚홀忽홍哄화化확擴환丸활活황凰회匯획劃횡宖효哮후侯훈勛훙薨훤喧훼卉휘彙휴休휼恤흉兇흑黑흔昕흘吃흠欠흡吸흥興희僖힐詰"
)
_READINGS = _FIRST[::2]
_STARTS = [char.encode("euc_kr") for char in _FIRST[1::2]]
SEVERAL = frozenset("北易惡識殺切讀宿食度說不復樂率契龜畫塞射數若暴刺炙著泌")
"""Characters whose readings end in different sounds: 패배와 북쪽의 北, 교역과 용이의 易."""


def reading(char: str) -> str | None:
    """The Korean reading of a Chinese character as one syllable; None where KS X 1001 lacks it.

    Where there are several readings, it is one under which the standard lists the character.

    >>> reading("學"), reading("國"), reading("A")
    ('학', '국', None)
    """
    try:
        code = char.encode("euc_kr")
    except UnicodeEncodeError:
        return None
    return _READINGS[bisect.bisect_right(_STARTS, code) - 1] if code >= _STARTS[0] else None
