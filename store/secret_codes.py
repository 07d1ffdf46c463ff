"""Which figures open a door, a lock, a phone or a card? PINs, keypads, combinations.

Four to eight figures are a year, a price or a part of a number far more often than a code. So a word
for the code or for the thing it opens must stand in the same sentence, and no unit behind the
figures.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints

__all__ = ["CODE_RULES"]

_FIGURES: Final = r"(?P<value>\d{3,8}(?!\d)|\d{1,4}[#*]\d{2,6}(?!\d))"
_ENDS: Final = (
    r"(?=[\"'`)\]*#]{0,3}[ \t]{0,3}(?:[#*.,;:!?。、()\n<|/]|$|-{1,2}[ \t]|(?:and|then|plus|as|or|but|"
    r"so|is|which|for|since|to|this|"
    r"again|always|each|every|goes|only|here|at the|on the|by the|valid|works|till|until|expires|"
    r"within|before|after|followed|star|hash|yesterday|today|now|until|加|再|然后|就|即可|和|,)))"
    r"(?![.,:]\d|:|/\d)"
)
_GAP: Final = r"[^\d.!?。;\n]{0,40}?"

# What opens, and what a code is called: the code of an error or a country is not among them.
_THING: Final = (
    r"(?:alarm|doors?|entry|garage|gate|locker|locks?|padlock|safe|vault|keypad|lockbox|key ?safe|"
    r"key ?box|suitcase|luggage|"
    r"briefcase|mailbox|letterbox|parking|elevator|lift|house|building|lobby|office|shed|cabin|flat|"
    r"apartment|bike|sim|card|"
    r"debit|credit|bank|atm|phone|iphone|tablet|ipad|laptop|screen|voicemail|tv|parental|child|"
    r"disarm|panic|intercom|buzzer|"
    r"barrier|turnstile|front|back|side|cleaner|cleaning lady|neighbou?r|kids?|guest|staff|server "
    r"room|bathroom|gym|pool|storage)"
)
_CODE: Final = (
    r"(?:pins?|puk\d?|passcode|pass code|access code|entry code|codes?|combination|combo|number|digits)"
)
_OPENED: Final = (
    r"(?:alarm|(?:front |back |side |cellar |garage |flat |house |office |shed |airbnb |room |main "
    r")?door|gate|garage|safe|keypad|locker|lockbox|"
    r"key ?(?:box|safe)|vault|luggage|suitcase|briefcase|padlock|(?:bike|combination|gym|screen|"
    r"smart|door) lock|entrance|buzzer|combination|"
    r"atm|cash machine|(?:debit|credit|bank|atm|sim) card|intercom|(?:phone|laptop|tablet|ipad|"
    r"iphone|watch|screen) lock|barrier|letterbox|mailbox)"
)
_STRONG_CODE: Final = (
    r"(?:pin[ -]?(?:code|number|pad)?s?|puk\d?(?:[ -]?code)?|passcode|pass code|keypad(?: code)?|"
    rf"{_THING}(?:['’]s)?(?: \w{{2,10}})?[ -](?:pin|code|combination|combo))"
)


def _judge(match: re.Match[str], text: Folded) -> bool:
    value = match["value"]
    if _YEAR.fullmatch(value) and not _DIRECT.search(match.group()):
        return False
    before = text.lower[max(0, match.start() - 40) : match.start()]
    if len(value) == 6 and _POSTAL.match(match.group()) and not _OWN.search(before):
        return False  # India's "PIN code"
    around = before + text.lower[match.start() : match.end() + 24]
    return _ABOUT.search(around) is None


def _judge_either(match: re.Match[str], text: Folded) -> bool:
    value = match["value"] or match["second"] or match["third"]
    if _YEAR.fullmatch(value):
        return False
    around = text.lower[max(0, match.start() - 40) : match.end() + 24]
    return _ABOUT.search(around) is None


def _judge_opened(match: re.Match[str], text: Folded) -> bool:
    """Figures beside a thing that a code opens: no year, no time of day, no number of the thing."""
    value = match["value"]
    before = text.lower[max(0, match.start("value") - 24) : match.start("value")]
    if _YEAR.fullmatch(value) or (_TIME.fullmatch(value) and _WHEN.search(before)):
        return False
    if _NUMBERED.search(before):
        return False
    around = text.lower[max(0, match.start() - 30) : match.end() + 20]
    return _ABOUT.search(around) is None and _HAPPENS.search(around) is None


def _judge_opens(match: re.Match[str], text: Folded) -> bool:
    value = match["value"] or match["second"]
    around = text.lower[max(0, match.start() - 30) : match.end() + 20]
    return _YEAR.fullmatch(value) is None and _ABOUT.search(around) is None


def _judge_near(match: re.Match[str], text: Folded) -> bool:
    """Figures in a sentence about something that figures open, and nothing else that explains them."""
    value = match["value"]
    start, end = match.span("value")
    left = text.lower[max(0, start - _SENTENCE) : start]
    left = left[max((found.end() for found in _STOP.finditer(left)), default=0) :]
    right = text.lower[end : end + _SENTENCE]
    stop = _STOP.search(right)
    right = right if stop is None else right[: stop.start()]
    if not (_OPENABLE.search(left) or _OPENABLE.search(right)):
        return False
    if _YEAR.fullmatch(value) or _DATE.fullmatch(value) or _COUNTED.match(right):
        return False
    if _TIME.fullmatch(value) and _WHEN.search(left):
        return False
    if len(value) == 5 and _TOWN.match(text.exact, end):
        return False
    if _NUMBERED.search(left) or _NUMBER_OF.search(left):
        return False
    if len(value) == 6 and _POSTAL.search(left) and not _OWN.search(left):
        return False  # India's "PIN code"
    if _PROGRAM.search(left[-60:]):
        return False
    around = left[-60:] + value + right[:30]
    return not (_ABOUT.search(around) or _HAPPENS.search(around) or _TOLD_OF.search(left + right))


def _judge_dial(match: re.Match[str], text: Folded) -> bool:
    around = text.lower[max(0, match.start() - 60) : match.end() + 60]
    turns = len(_TURN.pattern.findall(around))
    return turns >= 2 and _LOCK.search(around) is not None and _STREET.search(around) is None


def _judge_groups(match: re.Match[str], text: Folded) -> bool:
    """`12-34-08`, `4 1 9 2`: no date, no score, and nothing that counts behind it."""
    value = match["value"]
    if match.group().startswith("pin") and "." in value:
        return False  # "pin numpy at 2.2.3"
    return _DATE.fullmatch(value) is None and _ABOUT.search(match.group()) is None


_SENTENCE: Final = 110  # characters of the sentence looked at, either way
_STOP = LazyPattern(r"[.!?。！？]\s|[。]|\n")
_OPENABLE = LazyPattern(
    r"(?<![a-z])(?:alarms?|keypad|doors?|gate|garage|lockers?|lock ?box|key ?(?:safe|box)|safe|"
    r"padlock|locks?|luggage|suitcase|briefcase|voicemail|sim|pins?|puk|"
    r"passcode|intercom|entrance|buzzer|unlock(?:s|ed)?|combination|atm|(?:debit|credit|bank) card|"
    r"(?:the|new|my|our) code|password|letterbox|storage unit|barrier|"
    r"turnstile|lockscreen|screen lock|disarms?|bell)(?![a-z])"
    r"|密码|口令|锁|门禁|单元门|大门|院门|房门|后门|保险[柜箱]|行李箱|银行卡|解锁|开门|取件|门口|"
    r"开机|车库|储物柜|快递柜|报警器|U盾|u盾"
)
_PROGRAM = LazyPattern(r"[{}\\<>]|\w\(|[a-z_]=[\"']?\Z|final|_[a-z]+ = \Z|::")
_TOWN = LazyPattern(r"[ ][A-Z][a-z]+")
_COUNTED = LazyPattern(
    r"[ \t-]?(?:金币|积分|块钱|年|月|日|号|元|块|米|公里|人|次|万|个|位|楼|层|户|件|套|分|秒|点|km|m|"
    r"cm|mm|kg|g|kb|mb|gb|ms|px|euros?|eur|usd|dollars?|pounds?|people|days?|hours?|minutes?|miles?|"
    r"feet|tons?|"
    r"members|seats|times|of|and \d|pieces|units|locks|doors|lockers|keys|characters|digits|bits?|ml|"
    r"w|v|mah|rpm|points|steps|words|lines|pages|users|requests|tokens)(?![a-z])|[%°$€£¥]|[.,:/-]\d"
)
_NUMBER_OF = LazyPattern(
    r"(?:编号|单号|型号|电话|手机号|热线|工号|房间|门牌|车牌|第|共|约|花了|用了|卖|价|订单|邮编|分机|"
    r"流水|序列号?|证书|发票|合同|尾号|卡号|[$€£¥+#])[ \t]?[:是为]?[ \t]?\Z"
    r"|(?<![a-z])(?:room card|with card|ending|ends in|ending in|call|dial \+?|since|year|anno|"
    r"summer|winter|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|"
    r"version|v|build|rfc|iso|din|en|cve|article|paragraph|section|step|no|channel|freq|hz|rev|isbn|"
    r"vin|mac|port|pid|uid|gid|top|size)[ \t.:-]{0,2}\Z"
)
_TOLD_OF = LazyPattern(
    r"(?<![a-z])(?:wrong|blocked after|attempts|expires?|rate limited|serial|warranty|invoice|kwh|"
    r"litres?|sq|postcode|zip code|post office|built in|established|census|population|"
    r"error|http|tcp|port|exit code|status code|area code|country code|dress code|source code|code "
    r"of|lines of code|course code|colou?r)(?![a-z])"
    r"|输错|几位|多少|价格|电池|工单|报修|物业|客服|热线|邮编|型号|版本|端口|错误码|状态码|编号|出生|"
    r"成立|始建|建于|人口"
)
_TIME = LazyPattern(r"(?:[01]\d|2[0-3])[0-5]\d")
_WHEN = LazyPattern(
    r"(?<![a-z])(?:at|since|until|till|from|by|around|before|after|between|opens at|closes at)[ "
    r"\t]+#?\Z"
)
_NUMBERED = LazyPattern(
    r"(?<![a-z])(?:due to|see|of issue|issue|bug|no|nr|number|room|flat|unit|model|serial|ext|"
    r"extension|tel|phone|order|invoice|ticket|locker|gate|apartment|bus|"
    r"page|euros?|usd|about|nearly|over|under|of|than|the)\.?[ \t]+#?\Z"
)
_HAPPENS = LazyPattern(
    r"(?<![a-z])(?:went off|goes off|rang|rings|weighs|costs?|built|sold|sale|broke|km|metres?|"
    r"meters?|people|since 1)(?![a-z])"
)
_POSTAL = LazyPattern(r"pin[ -]?code")
_OWN = LazyPattern(
    r"(?<![a-z])(?:my|our|your|her|his|sim|card|phone|door|gate|alarm|bank|the|new)(?![a-z])"
)
_YEAR = LazyPattern(r"(?:19|20)\d\d")
_DIRECT = LazyPattern(
    r"(?:pin|puk|passcode|code|密码|口令|码)(?:[ \t]*(?:#|is|=|:|,|是|为|改成|设成|改为))?[ \t]*\d{4}\Z"
)
_ABOUT = LazyPattern(
    r"(?<![a-z])(?:error|zip|postal|area|country|status|exit|promo|discount|coupon|voucher|order|"
    r"product|source|colou?r|dress|"
    r"qr|bar|currency|airport|tax|iso|language|return|response|reason|swift|sort|stock|item|course|"
    r"http|byte|machine|morse|"
    r"phone number|wrong|failed|attempts?|retries|days|digits long|characters|gpio|led|board|"
    r"version|numpy|port|line|page|figure|chapter|delhi|mumbai|india|lines of)(?![a-z])"
    r"|错误|邮编|区号|[\d几两一二三四五六七八九十]次|分钟|秒|长度|端口|版本|\d[ ]?号?楼|"
    r"号线|行号|第\d|至少|以上|以内|有效期|页"
)
_TURN = LazyPattern(
    r"(?:(?<![a-z])(?:left|right|clockwise|anti-?clockwise|counter-?clockwise|cw|ccw)(?![a-z])|[左右]"
    r"(?=[ \t]?\d)|[左右正反](?:转|旋|拧|圈|[一二两三四五]圈|再|到)|[顺逆]时针)"
)
_LOCK = LazyPattern(
    r"(?<![a-z_])(?:safes?|locks?|lockers?|padlock|combination|dial|vault|combo)(?![a-z_])|"
    r"保险[柜箱]|密码锁|转盘|锁|[柜箱]|圈"
)
_STREET = LazyPattern(
    r"(?<![a-z])(?:street|road|km|miles?|meters?|metres?|exit)(?![a-z])|米|公里|路口|号楼|街"
)
_DATE = LazyPattern(
    r"(?:19|20)\d\d[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d|(?:0[ -]){2,}0"
)

CODE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "pin-code",
        ("pin", "puk", "passcode", "keypad", "code", "comb"),
        rf"(?<![a-z]){_STRONG_CODE}(?![a-z]){_GAP}(?<![\w$€£.-]){_FIGURES}{_ENDS}",
        _judge,
    ),
    Rule(
        "code-told",
        ("code",),
        # "the new code since Tuesday: 60417", "wants a code before it opens, 4417".
        r"(?<![a-z])(?:(?:use|enter|type|with|press|give|punch|wants?|needs?|takes?|asks for|"
        r"expects?)[ \t](?:the )?(?:\w{2,12} )?code[ \t](?=\d)|(?:the|my|our|your|a|new|its|current|"
        r"old)[ \t](?:new |current |old )?code(?![a-z])"
        rf"[^\d.!?。;\n]{{0,50}}?(?:[:=,]|(?<![a-z])(?:is|was|to|now|remains|stays))[ "
        rf"\t]*){_FIGURES}{_ENDS}",
        _judge,
    ),
    Rule(
        "opens-with-figures",
        hints("unlock opens openwith disarm takes wants accepts needs enter press type punch"),
        rf"(?<![a-z])(?:{_THING}[^\d.!?\n]{{0,24}}?)?(?:unlocks?|unlocked|opens?|opened|disarms?|"
        rf"disarmed)(?: it| them)?[ \t]+"
        rf"(?:with|by|at|using|on)[ \t]+(?:the (?:code|pin|digits|figures|number)s?[ "
        rf"\t]+)?{_FIGURES}{_ENDS}"
        rf"|(?<![a-z]){_THING}[^\d.!?\n]{{0,32}}?(?<![a-z])(?:punch in|key in|type|enter|press|"
        rf"dial)[ \t]+(?P<third>\d{{4,8}}){_ENDS}"
        rf"|(?<![a-z]){_THING}[^\d.!?\n]{{0,24}}?[ \t](?:takes|wants|accepts|needs|is|asks for)[ \t]+"
        rf"(?P<second>\d{{4,8}}){_ENDS}",
        _judge_either,
    ),
    Rule(
        "thing-figures",
        hints(
            "card alarm door gate garage safe keypad lock luggage suitcase keybox entrance buzzer "
            "combination"
        ),
        rf"(?<![a-z]){_OPENED}(?![a-z])[^\d.!?\n]{{0,40}}?(?:(?<=[:=,])|(?<![a-z])(?:is|wants|takes|"
        rf"needs|to|at|uses|use|enter|press|code|pin|on)|(?<=[a-z])|→|->|-)[ \t]+[#*]?"
        rf"(?P<value>\d{{4,8}}(?!\d)){_ENDS}",
        _judge_opened,
    ),
    Rule(
        "figures-for-thing",
        hints("door gate garage alarm safe lock atm"),
        rf"(?<![a-z])(?:code|pin|use|enter|press|type|dial)[ \t]?:?[ \t]?(?:pin |code )?#?"
        rf"(?P<value>\d{{4,8}}(?!\d))[#*]?[ \t](?:\(|for |on |at |opens |to open )(?:the )?(?:\w+ "
        rf")?{_OPENED}(?![a-z])",
        _judge_opened,
    ),
    Rule(
        "device-figures",
        hints("iphone: ipad: tablet: laptop: kindle: watch: phone: mobile: screen: ipad= tablet="),
        r"(?<![a-z])(?:iphone|ipad|tablet|laptop|kindle|(?:smart)?watch|(?:[a-z]+['’]s|my|the|work|"
        r"old|new)[ \t](?:phone|mobile|screen))[ \t]?[:=][ \t]?"
        rf"(?P<value>\d{{4,8}}(?!\d)){_ENDS}",
        _judge_opened,
    ),
    Rule(
        "figures-open",
        hints(
            "opens unlocks disarms silences getsyou letsyou toopen toget tounlock toenter tocollect "
            "topick"
        ),
        r"(?<![\w.#:-])(?P<value>\d{4,8})[#*]?[ \t](?:opens|unlocks|disarms|silences|(?:gets|lets)[ "
        r"\t](?:you|me|us|them)[ \t]in(?:to)?)(?![a-z])"
        r"|(?<![a-z])(?:use|enter|press|type|dial|key in|punch in)[ \t]#?(?P<second>\d{4,8})[#*]?[ "
        r"\t]to[ \t](?:open|get|unlock|enter|collect|pick|disarm)(?![a-z])"
        r"[^.\n]{0,40}?(?:locker|door|gate|garage|safe|parcel|box|building|lobby|alarm|room|in|"
        r"inside)(?![a-z])",
        _judge_opens,
    ),
    Rule(
        "chinese-door-figures",
        hints("开门 进门 能进 可以进 保险 行李箱 车锁 儿童锁 更衣柜 门锁 柜"),
        r"(?:(?:按|输入?|敲|摁|键入)[ \t]{0,2}(?P<value>\d{4,8})[#*]?[ \t]{0,2}(?:就能|就可以|可以|"
        r"即可|也能|能)?(?:进(?:门|去)?(?![行口])|开门|进门|开锁|解锁)"
        r"|(?:开门|进门|开锁|出门)[^\d.。!?\n]{0,6}?(?:按|输入?|敲|是|:|用)[ \t]{0,2}"
        r"(?P<second>\d{4,8})(?![\d年月号点:.-])"
        r"|(?:保险[柜箱]|行李箱|车锁|儿童锁|更衣柜|门锁|地锁|挂锁)[ \t]{0,2}[:=]?[ \t]{0,2}"
        r"(?P<third>\d{3,8})(?=[#*]|[ \t]{0,2}(?:[,.。;!\n]|$)))",
        _judge_either,
    ),
    Rule(
        "lock-combination",
        hints(
            "取快递 取件 pin comb lock safe padlock suitcase luggage keybox alarm gate door 锁 保险 "
            "行李箱 密码 取件码"
        ),
        rf"(?:(?:combination|combo|lock(?:er)?s?|safe|padlock|suitcase|briefcase|keypad|luggage|key"
        rf" ?box|alarm|gate|door)(?![a-z])|密码锁?|锁|保险[柜箱]|行李箱|取件码?|取快递|p"
        rf"(?<![a-z]p)in)"
        rf"{_GAP}(?<![\d.-])(?P<value>\d\d(?: \d\d){{1,3}}|(?:[rl]\d{{1,2}}[ "
        rf"-]{{1,3}}){{2,4}}[rl]?\d{{1,2}}|\d{{1,2}}(?:[ ]?[-–/.][ ]?\d{{1,4}}){{2,5}}|\d(?: "
        rf"\d){{2,7}}|\d\d(?:, \d\d){{2,3}}){_ENDS}",
        _judge_groups,
    ),
    Rule(
        "combination-on",
        hints("padlock lock safe locker suitcase combination"),
        r"(?<![a-z])(?:dial|turn to|set (?:it )?to|code|enter|use|try)[ \t](?P<value>\d{1,2}(?:[ "
        r"]?[-–/][ ]?\d{1,2}){2,5})(?!\d)[^.\n]{0,24}?(?:padlock|lock|safe|locker|suitcase)(?![a-z])",
        _judge_groups,
    ),
    Rule(
        "figures-near-lock",
        hints(
            "alarm keypad door gate garage locker lockbox keysafe keybox safe padlock lock luggage "
            "suitcase briefcase voicemail sim pin puk "
            "passcode intercom entrance buzzer combination atm debitcard creditcard bankcard code "
            "password letterbox storageunit barrier turnstile disarm "
            "密码 口令 锁 门禁 单元门 大门 院门 房门 后门 保险柜 保险箱 行李箱 银行卡 开门 取件 门口 "
            "开机 车库 储物柜 快递柜 报警器"
        ),
        r"(?<![\w$€£¥.,:/%=-])[#*]?(?P<value>\d{4,8}(?!\d)|\d(?:[- ]\d){3,5}(?![- ]?\d)|\d\d(?:[- "
        r"]\d\d){1,3}(?![- ]?\d))[#*]?(?![\w%])(?![.,:/-]\d)",
        _judge_near,
    ),
    Rule(
        "chinese-repeated",
        hints("密码 口令 锁屏 pin"),
        r"(?:密码|口令|锁屏|p(?<![a-z]p)in)[^.。!?\n\d]{0,8}?[三四五六七八]个[ \t]?\d(?![\d位个])",
    ),
    Rule(
        "dial-combination",
        hints("left right clockwise 左 右 顺时针 逆时针"),
        r"(?:(?<![a-z])(?:left|right|clockwise|ccw|cw)(?!-?[a-z])|[左右]|"
        r"[顺逆]时针)[^\d.!?。;\n]{0,16}\d{1,2}(?!\d)"
        r"|(?<!\d)\d{1,2}[ \t](?:to the )?(?:left|right|clockwise)(?![a-z])",
        _judge_dial,
    ),
    Rule(
        "chinese-pin",
        hints(
            "密码 口令 pin puk 锁屏 解锁 开机 开锁 屏保 键盘 门口 门禁 大门 单元门 门锁 指纹锁 车库 "
            "保险 开箱 取件 锁 卡密 查询码"
        ),
        r"(?:密码锁?|口令|p(?<![a-z]p)(?:in|uk)(?![a-z])[ \t]?码?|锁屏|解锁|开机|开锁|屏保|门禁|大门|"
        r"单元门|门锁|车库|保险[柜箱]|开箱码?|取件码?|挂锁|钥匙盒|家长锁|门口|键盘|儿童锁|查询码|"
        r"卡密|电子锁|(?:[三四五六八]位)?锁)"
        r"(?!错|输错|学)(?:[^\d.!?。;\n@/]{0,6}\d[ ]?位)?[^\d.!?。;\n@/]{0,20}?"
        r"(?:[:=,，按输填是为成到回叫了再-]|六个数|四个数|[三四五六八]位数|生日|号码|"
        r"(?<=[码锁令屏门禁库盒位日箱密件柜]))[ \t#*]*"
        r"(?P<value>\d{3,8}(?!\d)|\d{3}[ -]\d{3}(?![\d-]))(?=[\"'`)」]{0,2}[ \t]{0,2}"
        r"(?:[#*.,;!?。、()\n]|$|加|再|然后|就|即可|没|别|不|未|还|开|进|井号|星号|吧|啊|哦|了))"
        r"(?![.,:]\d)",
        _judge,
    ),
)
