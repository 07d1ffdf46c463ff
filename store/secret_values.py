"""Is this value a credential, or prose, a placeholder, a pointer to where the credential is kept?

After "password", "密码" and their kin comes a value or a sentence. Everything here looks at a bounded
stretch of folded text and answers one small question about it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memweir.store.gate_rules import LazyPattern

__all__ = [
    "FUNCTION_WORDS",
    "PROSE_WORDS",
    "Value",
    "is_adjective",
    "is_code",
    "is_code_name",
    "is_key_body",
    "is_ordinary",
    "is_placeholder",
    "is_pointer",
    "is_prose",
    "is_sentence",
    "is_word_list",
    "looks_secret",
    "read_value",
    "words",
]


def words(text: str) -> frozenset[str]:
    """The words of a text as a set: how lists of words are written here."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """What stands where a credential would stand.

    Attributes:
        text: the value without quotes, marks of emphasis and closing punctuation; letter case kept.
        quoted: it stood in quotes or back-ticks.
        tail: what follows it on the line.
    """

    text: str
    quoted: bool
    tail: str

    @property
    def closes(self) -> bool:
        """Nothing of the same sentence follows: the value is not the first word of a phrase."""
        rest = self.tail.lstrip(" \t")
        return (
            self.quoted
            or not rest
            or rest[0] in "\n.,;:!?)]}|\"'<。、-("
            or _CJK.match(rest) is not None
        )


def read_value(stretch: str) -> Value:
    """The first value of what follows a key, cut after 64 characters: enough to judge it by."""
    if '\\"' in stretch:  # JSON within a string
        stretch = stretch.replace('\\"', '"')
    rest = _ITEM.pattern.sub("", stretch.lstrip(" \t\r\n"), count=1)
    rest = _EMPHASIS.pattern.sub("", rest, count=1)
    if rest[:1] in ('"', "'", "`"):
        end = rest.find(rest[0], 1)
        if end > 0:
            return Value(rest[1:end].strip()[:_WINDOW], True, rest[end + 1 :])
        rest = rest[1:]
    match = _RUN.match(rest)
    if match is None:
        return Value("", False, rest)
    text = match.group().rstrip(_CLOSING)
    return Value(text[:_WINDOW], False, rest[len(text) :])


def is_placeholder(text: str) -> bool:
    """A mask, a "<your-key>", or an expression that fetches the credential."""
    return (
        not text.strip(".*•●_-#xX?/\\|")
        or _PLACEHOLDER.search(text.lower()) is not None
        or _REFERENCE.match(text) is not None
        or _NO_ONES.fullmatch(text) is not None
    )


def is_pointer(value: Value) -> bool:
    """A placeholder, a type name, a call, or a path: no credential stands here."""
    text = value.text
    bare = text.lstrip("([{")
    if is_placeholder(text) or bare.lower() in _NOT_VALUES or (bare != text and is_placeholder(bare)):
        return True
    if text[0] in ")]},;:" or _CHAINED.match(value.tail):
        return True
    if not value.quoted and _CALLED.match(value.tail):  # a call, an index, a link
        return re.fullmatch(r"[A-Za-z_][\w.]*", text) is not None
    return _PATH.match(text) is not None and not (len(text) >= 32 and _dense(text))


def is_code_name(text: str) -> bool:
    """An identifier as program text has it: `user_password`, `config.token`, `HiddenText`, `_KEY`.

    Words with a capital each and underscores between are none: `Gold_Finch`.

    A digit at the end makes it none: passwords end in digits more often than names do.
    """
    if not text.isascii() or not text.replace("_", "").replace(".", "").isalnum() or text[-1].isdigit():
        return False
    if _TITLE_WORDS.fullmatch(text):
        return False
    return "_" in text or "." in text or _CAMEL_NAME.search(text) is not None


def is_prose(value: Value) -> bool:
    """The first word of a sentence about the credential rather than the credential."""
    text = value.text.lstrip("([{")
    if _CJK.match(text):
        return (
            _CJK_PROSE.match(text) is not None
            or _CJK_TALK.search(text) is not None
            or text[-1] in _CJK_ENDINGS
            or _CJK_ASIDE.search(text) is not None
        )
    if _QUANTITY.match(text + value.tail):
        return True
    run = text.lower().split()
    if value.quoted:
        bare = [word.strip(_CLOSING) for word in run]
        return len(run) > 1 and (
            any(word in FUNCTION_WORDS for word in bare) or all(word in PROSE_WORDS for word in bare)
        )
    return bool(run) and run[0].strip(_CLOSING) in PROSE_WORDS and not is_word_list(value)


def is_sentence(value: Value) -> bool:
    """A plain word with more words behind it, some of which only sentences need."""
    if value.quoted or value.closes or not value.text.isalpha():
        return False
    if is_adjective(value.text) and not is_word_list(value):
        return True
    return any(word.strip(_CLOSING) in FUNCTION_WORDS for word in value.tail[:_WINDOW].lower().split())


def is_word_list(value: Value, *, least: int = 4) -> bool:
    """Several words in a row and none that a sentence would need: a passphrase."""
    run = _WORD_RUN.match(value.text + value.tail)
    if run is None:
        return False
    several = run.group().split()
    if several[-1].isdigit():
        least -= 1
    if len(several) < least:
        return False
    return not any(word in FUNCTION_WORDS for word in several) and sum(map(is_adjective, several)) <= 1


def is_adjective(word: str) -> bool:
    """A word that says how a credential is ("expired", "wrong") rather than what it is."""
    word = word.lower()
    if word in PROSE_WORDS:
        return True
    return _ADJECTIVE.search(word) is not None and _PINYIN.fullmatch(word) is None


def looks_secret(text: str, *, least: int = 5) -> bool:
    """Letters mixed with digits or symbols, as no word, name, version, date or measure mixes them."""
    text = text.lstrip("([{")
    if len(text) < least or _ORDINARY.fullmatch(text.lower()):
        return False
    if _LETTER.search(text) is None:
        return False
    return _DIGIT.search(text) is not None or (len(text) >= 6 and _SYMBOL.search(text) is not None)


def is_ordinary(text: str) -> bool:
    """A measure, version, date, address or name that mixes letters and digits by nature."""
    return _ORDINARY.fullmatch(text.lower()) is not None


def is_code(text: str) -> bool:
    """A one-time code or PIN: four to ten digits, or short letters with digits."""
    return re.fullmatch(r"\d{4,8}|(?=[A-Za-z]*\d)[A-Za-z0-9]{4,10}|\d{3}[ -]\d{3}", text) is not None


def is_key_body(body: str, *, least: int, sure: bool) -> bool:
    """Whether what follows a provider's prefix is a key, whole or broken by white space.

    Args:
        body: characters of the provider's alphabet and white space, bounded.
        least: characters that the body of a key has at least.
        sure: the prefix occurs in keys only, so that any body but a placeholder counts.
    """
    chunks = body.split()
    if not chunks:
        return False
    head = chunks[0][:_WINDOW]
    if len(head) >= least:
        return (sure or _dense(head)) and not _is_mask(head)
    if _DIGIT.search(body) is None:
        return False
    joined, plain, due = "", 0, least
    for count, chunk in enumerate(chunks, 1):
        plain += _WORD.fullmatch(chunk) is not None
        joined += chunk
        if plain > 4 or (plain * 4 > count > 2):
            return False
        if plain * 4 <= count and (
            len(joined) >= due or (count == len(chunks) and len(joined) >= least)
        ):
            if _DIGIT.search(joined) is not None and _dense(joined):
                return not _is_mask(joined)
            due = len(joined) + 16  # a longer part of it may be dense enough
    return False


def _is_mask(text: str) -> bool:
    if text.endswith(("EXAMPLE", "EXAMPLEKEY")):
        return True
    return not text.strip("xX*.•_-#0") or _PLACEHOLDER.search(text.lower()) is not None


def _dense(text: str) -> bool:
    """No kebab-case phrase: a long run of letters and digits, or digits beside both letter cases."""
    if _LONG_RUN.search(text) is not None:
        return True
    if _DIGIT.search(text) is None:
        return False
    if _UPPER.search(text) is not None and _LOWER.search(text) is not None:
        return True
    return any(_MIXED.search(run.group()) is not None for run in _RUNS.finditer(text))


_LONG_RUN = LazyPattern(r"[A-Za-z0-9]{20}")
_RUNS = LazyPattern(r"[A-Za-z0-9]{12,}")
_WORD = LazyPattern(r"[A-Za-z][a-z]+")
_DIGIT = LazyPattern(r"\d")
_LETTER = LazyPattern(r"[^\W\d_]")
_UPPER = LazyPattern(r"[A-Z]")
_LOWER = LazyPattern(r"[a-z]")
_MIXED = LazyPattern(r"[A-Za-z]\d|\d[A-Za-z]")
_CJK = LazyPattern(r"[\u3400-\u9fff]")
_RUN = LazyPattern(r"[^\s\"'`,;。、|<]+(?:'[a-z]+)?|[,;|<]\S*")
_ITEM = LazyPattern(r"^(?:[-*•]|\d{1,2}[.)、])[ \t]{1,3}(?=\S)")
_WINDOW: Final = 64
_EMPHASIS = LazyPattern(r"^(?:\*\*|__|\*(?!\*))\s?(?=[^\s*_])")  # not a mask of asterisks
_CLOSING: Final = ".,;:!?)]}>\"'`*。、…"
_SYMBOL = LazyPattern(r"[A-Za-z0-9][!@#$%^&*+=~]+[A-Za-z0-9]|^[!@#$%^&*+=~]+[A-Za-z0-9]")
_CALLED = LazyPattern(r"[(\[](?![^()\[\]]{0,24}[\u3400-\u9fff])")
_CHAINED = LazyPattern(r"\s*(?:=[^=]|\|\s*None\b)")  # `a = b = …`, `value: Type = …`, `Type | None`

_TITLE_WORDS = LazyPattern(r"[A-Z][a-z]{2,}(?:_[A-Za-z][a-z]+)+")
_CAMEL_NAME = LazyPattern(  # camel case that ends in what is held or in what types are called
    r"[a-z](?:Password|Passwd|Pwd|Passphrase|Secret|Token|Key|Text|Str|String|Type|Callable|Error|"
    r"Bytes)$"
)

# Numbers with a unit or an ordinal, dates, times, versions, issue numbers, addresses, names of
# algorithms and products that mix letters and digits.
_ORDINARY = LazyPattern(
    r"\d[\d.,]*-?(?:st|nd|rd|th|[kmgt]i?b?|ms|s|h|hz|khz|mhz|ghz|px|am|pm|%|x|d|w|y|v|bits?|bytes?|"
    r"chars?|characters?|digits?|letters?|words?|days?|hours?|hrs?|mins?|minutes?|months?|years?|"
    r"times?)"
    r"|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:t[\d:.z+-]+)?|\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?"
    r"|0x[0-9a-f]{1,8}|v?\d+(?:\.\d+)+(?:[-+.]?(?:alpha|beta|rc|dev|post|final)[.\d]*)?|#\d+|"
    r"[a-z]{1,8}-\d{1,6}|[a-z]{1,3}#\d{1,6}|(?:issue|bug|ticket|pull|item|page|line|step)#\d+"
    r"|[a-z]{2}-[a-z]{4,9}-\d|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^@]*"
    r"|(?:[a-z]+-)*(?:sha|md|aes|des|3des|rsa|dsa|utf|base|oauth|http|ipv|gpt|llama|bcrypt|argon|"
    r"scrypt|"
    r"pbkdf|keepass|rfc|cve|chacha|blake|secp|iso|covid|fido|sqlite)-?\d*[a-z]{0,2}(?:[-._/](?:\d\w*|"
    r"[a-z]{1,8}))*"
    r"|(?:x|h|q|ec|fy|es|rs|hs|ps|mp|py|web|win|mac|office|python)\d{1,3}[a-z]{0,2}|es20\d\d|(?:x|ed|"
    r"curve)25519"
    r"|\d?(?:1password|2fa|2captcha|7zip|4chan|3d|2d|5g|4g)\w*|k\ds|s3|u\df|log\dj|neo4j|i18n|l10n|a11y"
    r"|c\+\+|c#|f#|at&t|r&d|q&a"
)

_NOT_VALUES: Final = words(
    """
    any api-key key keys value bearer api_key apikey blank bool boolean bytes change_me changeme char
    default dummy empty env environ example false float getpass hidden input int integer keychain
    keyring masked n/a na nan nil none null number object omitted optional os passwd password
    placeholder process prompt pwd redacted removed required sample secret secrets secretstr stdin str
    string tbd text todo token true undefined unknown unset user_password username varchar vault 保密
    可选 同上 如下 密码 口令 密钥 令牌 用户名 账号 你的密码 你的密钥 数据库密码 登录密码 unchanged
    same provided 字符串 已脱敏 已隐藏 待定 必填 无 暂无 未知 没有 略 空 空值 脱敏 隐藏
    """
)

_PLACEHOLDER = LazyPattern(
    r"^<|^\[|^\{|^\(|^#\{|^@[a-z_]+$|^[a-z]{2,6}://|^(?:fixme|todo|tbd)\b|^your|^(?:pass|cat|op|bw|"
    r"vault|aws|gcloud|kubectl|security) |^%[\w(]|\byour[-_ ]|\bmy[-_](?:api|secret|token|key|"
    r"password)|[-_]here$|redacted|"
    r"placeholder|^#[0-9a-f]{3,8}$|^example|^change[-_ ]?(?:me|it|this)(?:[-_ ]|\W?$)|\*{3}|x{6}|"
    r"•{3}|\.{3}|…|"
    r"examplekey$|"
    r"^(?:insert|replace|enter|put|fill)[-_ ]|^你的|^您的"
)

_NO_ONES = LazyPattern(
    r"(?:MY|my|My)(?:TOKEN|KEY|SECRET|PASSWORD|token|key|secret|password|Token|Key|Secret|"
    r"Password)\d?|[Ss]uper_?[Ss]ecret_?[TtKk](?:oken|ey)|(?:blah){2,}"
)

_REFERENCE = LazyPattern(
    r"[$%]\{|\$\(|\$[A-Za-z_]|\$\d\b|%[A-Za-z_]\w*%|\{\{|!\w|@[A-Z]\w*@|(?:op|vault|ssm|arn|env|file|"
    r"keyring|secret|"
    r"secretsmanager|awssm|gcpsm|https?|fileb|ref\+\w+):\S|(?:os|sys|env|environ|process|config|conf|"
    r"cfg|settings|secrets?|"
    r"request|req|res|self|this|args|opts|options|ctx|context|credentials?|creds|keyring|getpass|"
    r"vault|user|account|"
    r"form|body|data|params?|props|state|import|system|environment|deno|bun|std|var|local|module|"
    r"[a-z_]+_(?:config|settings|env))(?:\.|\[|::|->|\(|\?\.)"
    r"|[A-Za-z_][\w.]*[(\[]|[a-z_]\w*(?:\.\w+)*\.(?:password|passwd|token|secret|(?:api_?)?key)\b",
    re.IGNORECASE,
)

_PATH = LazyPattern(
    r"[\w.-]{1,64}(?:/[\w.-]{1,64})+\.[a-z]{1,5}$|(?:[~.]{0,2}/[\w.@-]|[A-Za-z]:\\[\w.-]|"
    r"\.{1,2}\\)[\w./\\@ -]*$"
)

_QUANTITY = LazyPattern(
    r"\d{1,5}\s{0,8}(?:\+|-|~|or more|or less|to|up|char|digit|letter|symbol|bit|byte|word|day|hour|"
    r"minute|second|week|month|year|time|attempt|step|percent|%|of\b|out\b|个|位|到|至|字|天|日|号|"
    r"年|月|周|分|秒|小时|次|条|"
    r"人|元|块|万|千|百|种|段|套|组|行|页|章|步|级|以上|以下|以内|左右)",
    re.IGNORECASE,
)

_ADJECTIVE = LazyPattern(
    r"(?:ed|ing|able|ible|ful|less|ly|ive|ous|ant|ent|ary|ic|ical|aneous|word|words)$|^(?:un|in|non)"
)

_PINYIN = LazyPattern(  # two and more Chinese syllables in letters, which end in "ing" as often as not
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhrzcsyw])(?:a|e|ai|ei|ao|ou|an|en|ang|eng|ong|u|uo|ui|un|uan|ua|uai|"
    r"uang|i)"
    r"|[bpmdtnljqxy](?:i|ie|iao|iu|ian|in|iang|ing|ia|iong|u|ue|uan|un)|[bpmfw]o|[ln]v|ai|ao|ou|an|"
    r"en|ang|er|e|a){2,8}"
)

PROSE_WORDS: Final = words(
    """
    pending meaning binding lending landing missing a about above hash hashes hint length expiry input
    list box form fields protection strength database random temporary permanent mandatory default
    trivial alphanumeric sensitive unicode utf-8 base64 hex ascii guessable generated autogenerated
    rotated expired revoked rejected accepted hashed salted encrypted changed locked json nullable
    deprecated theirs complicated digits letters ridiculous column table steht siehe liegt vergessen
    falsch erforderlich incorrecta olvidada requise oublie auth strings objects values authentication
    managers prompts policies resets above access across add after again against all allow already
    also always am an and another any anyone anything are as ask asks at avoid away back bad based be
    because been before being below best better between both broken but by can can't cannot change
    changes check choose chosen clear click come common compliance confirm contact contains copy
    correct could create current data delete did different do does doesn't don't done down due each
    easy either else email empty enable encryption enforce enter entropy entry ever every everyone
    everything expire expires expiry fails few field file fill find fine first for forgot forgotten
    found free from full generate get gets give given go goes gone good got great had handed handled
    hard has have having he held help her here hers his how i if in incorrect information input inside
    instead into invalid is isn't it it's its just keep kept known last later leave length less let
    like likely lives long longer lost love made make management manager many match matches maximum
    may maybe me mentioned merely might mine minimum missing more most much must my name need needed
    needs never new next no nobody none nonsense nor not note nothing now null number obvious of off
    ok okay old on once one only onto open optional or other our ours out outdated over own page part
    per perhaps personal phrase please policies policy private probably prompt provide public purely
    put rather read ready really received recovery refresh remember required requirement requirements
    requires reset reuse right rotate rotates rotation rules safe same saved say says screen secure
    see send sent set share shared she short should show shown sign simple simply since so some
    somehow someone something somewhere soon still stolen stored strength string strong such sure take
    taken tell than that that's the their them then there therefore these they this those though
    through thus to today together too try two type unknown unless until up upon us use used useful
    user uses using valid very via vs wait want was way we weak well were what what's when where
    whether which while who whoever whom whose why will with within without won't work works would
    write written wrong yes yet you your yours
    """
)

FUNCTION_WORDS: Final = words(
    """
    a all an and any are as at be been being but by can cannot characters confirm contain digits do
    enter field for from has have if in incorrect invalid is it its letters long min minimum more
    must need needs new no not of on only or our password please repeat required reset same should
    string than that the their they this to user was when where which will with without wrong you
    your
    """
)

_WORD_RUN = LazyPattern(r"[a-z]+(?: [a-z]+){1,11}(?: \d{1,4})?(?=$|[.,;!\n\"'`])")

_CJK_PROSE = LazyPattern(
    r"请|询|此|填写|在此|立正|稍息|向[左右前]|齐步|必须|必需|必填|须|需|应|至少|最|不|无|未|没|由|"
    r"用于|用来|用作|指|一种|一个|一串|一组|一门|一项|一样|一致|一直|什么|啥|多少|"
    r"多个|哪|谁|怎|如何|如果|如下|为何|为什|何|否|可(?:以|能|选|在|用|被)|要(?:求|用|是|包|有|定|改|"
    r"注|保)|详见|参见|参考|"
    r"见(?:上|下|文|附|邮)|存(?:在|放|储|于)|保存|放(?:在|到)|已|被|加密|明文|密文|错误|错的|错了|"
    r"正确|对的|空(?:$|的|白|时|值|则|会|就|串)|选填|长度|"
    r"字符|随机|自动|系统|你|您|他|她|它|忘|以|包含|包括|同(?:上|样|一|步)|和|与|跟|按|找|问|联系|发"
    r"(?:送|给|到|在)|通过|"
    r"安全|个人|重要|保护|第一|数字|字母|大小写|大写|小写|稍后|待(?:定|补|填)|暂|仅|只|别|勿|每|当"
    r"(?:然|前|你|用)|"
    r"在(?:于|线|这|那|哪|.{0,8}(?:里|上|中|处|下|内))|从|对于|把|将|让|使用|给|会|能|有|而|但|或|及|"
    r"这|那|其|我们|咱|"
    r"我(?:的|会|用|在|们|妈|爸|记|忘|自)|隐私|[两二三四五六七八九十几](?:个|位|种|次|年|月|天|周)|"
    r"统一|由于|因为|所以|来自|属于|"
    r"关于|团队|公司|管理员|网站|登录|修改|更[新换改]|重置|设置|过期|失效|有效|唯一|固定|动态|永久|"
    r"临时|[旧新老原]的?密码|"
    r"默认|初始|强度|弱|太[短长弱简复容难多]|很|比较|非常|都[是要会有在不]|全(?:部|都|是)|所有|任何|"
    r"少于|多于|大于|小于|"
    r"定期|经常|总是|绝对|到底|究竟|看(?:不|一|看|到)|写在|记(?:得|不|住|在|录)|说|传输|输入|提示|"
    r"生成|泄露|破解|丢失|丢了|用户|"
    r"人类|企业|现代|数据|信息|技术|算法|协议|认证|授权|身份|存|见$"
)
# Words of talk about a credential: who has it, where it is kept, what it must be like.
_CJK_TALK = LazyPattern(
    r"[号位里处内]$|知道|保管|[行运]政?维?管|自[己行定]|随便|任意|各|当面|线下|私[信聊]|短信|通知|"
    r"另行|后补|补[发上]|走|免[密登]|空[着]?|留空|"
    r"[太很]|[简复]单?杂?|强|弱|加盐|哈希|散列|脱敏|隐藏|星号|[绝机保私]密|敏感|信息|重点|难点|关键|"
    r"相同|不同|一样|同上|一人|每人|一次|以[上下内]|"
    r"数字|字母|拼音|中文|英文|大小写|大写|小写|输错|连续|基础|核心|问题|谜|秘密|众所周知|大家|前台|"
    r"财务|行政|运维|同事|领导|老板|客服|抽屉|贴在|机身|"
    r"背面|邮件|邮箱里|工单|信封|云盘|钥匙串|浏览器|便签|文档|公告|说明书|想不|记不|成功|失败|通过|"
    r"文本|字段|参数|变量|字符|规矩|样子|保持|不变|没变|"
    r"生日|工号|学号|编号|名字|姓名|手机|身份证|入口|方式|链接|规则|策略|长度|复杂度|有效|失效|过期|"
    r"找回|重置|修改|更换|轮换|设置|登录|输入|填写|必填|选填|为空|"
    r"非空|不详|待定|稍后|明天|下周|周[一二三四五六日]|暂时|临时的|永久|默认|初始|统一分|系统|管理员|"
    r"生成|分配|发放|领取|申请|审批|联系|见|看|查|问|找"
)
_CJK_ENDINGS: Final = "的了吗呢吧么啊嘛呀着过"
_CJK_ASIDE = LazyPattern(
    r"的(?:基础|关键|方式|方法|一部分|规则|要求|问题|时候|话|人)|怎么|为什么|是什么|是不是|有没有|"
    r"能不能"
)
