"""Which tokens does a sentence make a credential, though no sign or verb ties them to its word?

"The admin password was reset during the incident and is now …", "sudo on the build host needs …",
"用 … 当密码就能登进去". The rules above read the word and look behind it; these read every token that
looks made up and ask what the sentence around it is about. What only chance or a person with a password
in mind writes needs a word about credentials in the same sentence; what could be a name or a version
needs a word that leads straight to it.
"""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints
from memweir.store.secret_nouns import CHINESE_KEYS, CHINESE_PASSWORDS, KEY, PASSWORD, PASSWORD_HINTS
from memweir.store.secret_tokens import AT_TOKENS, TOKEN_RUN, Kind, bare_token, token_kind
from memweir.store.secret_values import words

__all__ = [
    "SENTENCE_RULES",
    "is_prose_line",
    "is_something_else",
    "names_password",
    "sentence_around",
    "tells_entry",
]

_LEFT: Final = 180  # characters of the sentence looked at
_RIGHT: Final = 90


def _judge(match: re.Match[str], text: Folded) -> bool:
    token = bare_token(match["value"])
    kind = token_kind(token)
    if kind is None or (kind == "key" and _in_public_block(match, text)):
        return False
    left, right = sentence_around(match, text)
    if is_something_else(match, text, left, right, kind):
        return False
    if _is_password(kind, left, right) or _is_key(kind, left, right, len(token)):
        return True
    if kind in ("key", "strong") and _PRONOUN.search(left):
        start = match.start("value")
        before = text.lower[max(0, start - len(left) - _LEFT) : start]
        if _PASSWORD_NOUN.search(before) or _NAMED_KEY.search(before):
            return True
    if kind == "weak" and not (left.endswith(('"', "'", "`")) or _TYPED.search(left)):
        return False
    if kind == "strong" and _is_told(token, left, right, match, text):
        return True
    return kind != "hex" and _is_login(kind, left, right)


def _in_public_block(match: re.Match[str], text: Folded) -> bool:
    """Within `-----BEGIN CERTIFICATE-----` and the like, of which nothing is secret."""
    if text.lower.find("-----begin ", 0, match.start()) < 0:
        return False
    before = text.lower[max(0, match.start() - _BLOCK) : match.start()]
    begin = before.rfind("-----begin ")
    return (
        begin >= 0 and "private" not in before[begin : begin + 48] and "-----end" not in before[begin:]
    )


def is_something_else(match: re.Match[str], text: Folded, left: str, right: str, kind: Kind) -> bool:
    """A name or number of another thing, a part of an address, a call of a function.

    Args:
        match: with the run of the token as `value`.
        left, right: what `sentence_around` gives for it.
    """
    lead = len(match["value"]) - len(bare_token(match["value"]))
    if (lead and _NAMED.search(left[:-lead])) or left.endswith("base64,"):
        return True
    if _NAMED.search(left) and not _IN_PASSING.search(left) and not _STATED.search(left):
        return True
    if _OWNER.match(right) or _URL_BEFORE.search(left) or _CALLS.match(text.exact, match.end("value")):
        return True
    return _CALL.search(left) is not None and not (
        kind in ("key", "hex", "strong") and _CALLED_NOUN.search(left)
    )


def _is_password(kind: Kind, left: str, right: str) -> bool:
    noun = _last(_PASSWORD_NOUN, left)
    if noun is not None:
        gap = left[noun:]
        if _OTHER.search(gap) or gap.count("\n") > _MOST_LINES:
            return False
        if kind in ("key", "hex") and _PART_OF.search(left[:noun]):
            return False
        if kind == "weak":
            said = _SAYS.search(gap) or (len(gap) <= 16 and _COMMA.search(gap))
            return len(gap) <= 40 and said is not None and _ENDS.match(right) is not None
        return kind in ("strong", "key") or _leads_to_it(gap, right)
    if kind == "weak" and _THIS_PASSWORD.match(right):
        return True
    if kind in ("hex", "weak") or _OTHER.search(left[-40:]):
        return False
    return _CALLED_SO.match(right) is not None and _PASSWORD_NOUN.search(right[:60]) is not None


def _is_key(kind: Kind, left: str, right: str, length: int) -> bool:
    if kind in ("strong", "medium"):
        if (
            kind == "strong"
            and length >= 12
            and _KEY_SIGN.search(left)
            and not _PUBLIC_KEY.search(left[:-4])
        ):
            return True
        return kind == "strong" and _SECRET_BESIDE.search(left) is not None
    if kind == "weak":
        return False
    noun = _last(_KEY_NOUN, left, unless=_PUBLIC)
    if noun is None and kind == "key" and length >= _LONG_KEY:
        noun = _last(_KEY_NOUN, left, unless=_PUBLIC_KEY)  # "primary key" of an account, not of a table
    if noun is not None and kind == "hex" and not left[noun:].strip() and _NO_HEX.search(left[:noun]):
        noun = None
    if noun is not None:
        gap = left[noun:]
        bare = (
            kind == "hex"
            and _BARE_KEY.search(left[:noun])
            and not _SERVICE.search(left)
            and not _SIGNED.search(gap)
        )
        part = _PART_OF.search(left[:noun])
        if not _OTHER.search(gap) and not bare and not part and (kind == "key" or _CLAIMS.search(gap)):
            return True
    if _OTHER.search(left[-40:]):
        return False
    if kind == "hex" and _TIED.search(left) and _SERVICE.search(left) and not _OTHER.search(left):
        return True
    return _KEY_BEHIND.match(right) is not None


def _is_login(kind: Kind, left: str, right: str) -> bool:
    if _OTHER.search(left[-40:]):
        return False
    if _OPENS.match(right):
        return True
    if _EMAIL_PAIR.search(left) and kind in ("strong", "medium"):
        return True
    if _PAIR.search(left):
        return kind != "medium" or _ENDS.match(right) is not None
    if _GIVES.search(left) is None:
        return False
    if _OPENER.search(left) is not None:
        return True
    if _WANTS.search(left):
        return _PLACE.search(left) is not None
    return kind != "medium" and (_PLACE.search(left) or _PLACE.search(right)) is not None


def _is_told(token: str, left: str, right: str, match: re.Match[str], text: Folded) -> bool:
    """A made-up token in prose about getting in somewhere: no code, and no name of a class."""
    if not (_ABOUT_ENTRY.search(left) or _ABOUT_ENTRY.search(right)) or _OTHER.search(left[-60:]):
        return False
    if token[0] in "~#&^@%$" or _IDENTIFIER.search(token) or _REGEX.search(token):
        return False
    return is_prose_line(match, text)


def names_password(text: str) -> bool:
    """Whether a lower-cased stretch has a word for a password."""
    return _PASSWORD_NOUN.search(text) is not None


def tells_entry(text: str) -> bool:
    """Whether a lower-cased stretch speaks of getting in somewhere."""
    return _ABOUT_ENTRY.search(text) is not None


def is_prose_line(match: re.Match[str], text: Folded) -> bool:
    """Plain words around the token on its line, and no mark of program text."""
    start, end = match.span("value")
    first = text.lower.rfind("\n", max(0, start - _LEFT), start) + 1 or max(0, start - _LEFT)
    last = text.lower.find("\n", end, end + _RIGHT)
    last = end + _RIGHT if last < 0 else last
    line = text.lower[first:start] + " " + text.lower[end:last]
    return _CODE.search(line) is None and len(_PLAIN_WORDS.pattern.findall(line)) >= 3


def _judge_pair(match: re.Match[str], text: Folded) -> bool:
    """`demo/Yanshi_2468`: a name and what nobody would call a second one."""
    kind = token_kind(bare_token(match["value"]))
    left = text.lower[max(0, match.start() - 60) : match.start()]
    if _HOST_NAME.match(match.group()):
        return False  # "the login is example.com/Login2024"
    if _OTHER.search(left) or not (
        _LOGIN.search(left) or _LOGIN.search(text.lower[match.end() : match.end() + 40])
    ):
        return False
    return kind == "strong" or (kind == "medium" and _WITH_PAIR.search(left) is not None)


def _judge_header(match: re.Match[str], text: Folded) -> bool:
    """`x-app-key, value 8b33…`: what a header of this name carries, but no digest of it."""
    return _OTHER.search(match.group()) is None


def _judge_spelt(match: re.Match[str], text: Folded) -> bool:
    """`口令设成了 chun jiang hua yue ye`: syllables, and none of the small words of English."""
    return all(each not in _ENGLISH for each in match["value"].split())


def _judge_slashed(match: re.Match[str], text: Folded) -> bool:
    """`PW/Taipei!101`: made up, and neither a file nor a page."""
    value = text.exact[match.start("value") : match.end("value")]
    return token_kind(bare_token(value)) in ("strong", "key")


def _judge_compound(match: re.Match[str], text: Folded) -> bool:
    """`juniper-Wharf`, `opal.Lagoon`: words joined as no name is, where a password is due."""
    if _NO_COMPOUND.match(match["value"].lower()):
        return False
    left, right = sentence_around(match, text)
    if _OTHER.search(left[-60:]) or _NAMED.search(left) or _ENDS.match(right) is None:
        return False
    noun = _last(_PASSWORD_NOUN, left)
    if noun is not None:
        return _leads_to_it(left[noun:], right)
    if _GIVES.search(left) is None or _CODE.search(left):
        return False
    return any(each.search(left) for each in (_OPENER, _PLACE, _ABOUT_ENTRY))


def _judge_unlocks(match: re.Match[str], text: Folded) -> bool:
    """`"Moonlit harbour 9" unlocks the old laptop`."""
    value = match["value"]
    return " " in value.strip() or token_kind(value) in ("strong", "medium")


def _judge_asked(match: re.Match[str], text: Folded) -> bool:
    """`type pelican/under/glass when it asks`: any value but a word of menus."""
    value = text.exact[match.start("value") : match.end("value")].strip("\"'`.,")
    left = text.lower[max(0, match.start() - 60) : match.start()]
    if len(value) < 5 or value.startswith(("-", "http", "/", "~")) or value.isdigit():
        return False
    marks = sum(not each.isalnum() for each in value)
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    return (mixed or marks >= 2) and not _OTHER.search(left) and "." not in value[-5:]


def sentence_around(match: re.Match[str], text: Folded) -> tuple[str, str]:
    """What of the sentence stands before and behind the token, lower-cased."""
    start, end = match.span("value")
    token = match["value"]
    name = len(token) - len(token.lstrip("*:"))
    left = text.lower[max(0, start - _LEFT) : start + name]
    cut = 0
    for found in _END.finditer(left):
        cut = found.end()
    line = left.rfind("\n", cut)
    if line >= 0 and line + 1 < len(left) and len(left) - line > 1:
        head = left[left.rfind("\n", 0, line) + 1 : line].rstrip()
        if len(head) < _SHORT_LINE and not head.endswith((":", ",", "=")):
            cut = line + 1
    named = _NAME.match(token)
    lead = "" if named is None else named.group().lower()
    tail = token[len(token.rstrip(".,:;?!")) :]
    right = tail + text.lower[end : end + _RIGHT]
    stop = _END.search(right)
    return left[cut:] + lead, right if stop is None else right[: stop.end()]


def _last(pattern: LazyPattern, text: str, *, unless: LazyPattern | None = None) -> int | None:
    """Where the last match ends; None too where `unless` stands right before it."""
    place = None
    for found in pattern.finditer(text):
        public = unless is not None and unless.search(text[max(0, found.start() - 16) : found.start()])
        place = None if public else found.end()
    return place


def _leads_to_it(gap: str, right: str) -> bool:
    """A word or mark right before the token, and not far from the word for the credential."""
    if _OF_WHAT.fullmatch(gap):
        return False  # "stores the password of db-prod-01"
    if (len(gap) <= 60 and _TIE.search(gap)) or _THUS.search(gap):
        return True
    return len(gap) <= 40 and _COMMA.search(gap) is not None and _ENDS.match(right) is not None


_HOST_NAME = LazyPattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/")
_LOGIN = LazyPattern(
    r"(?<![a-z])(?:log(?:s|ged)? ?(?:in|on)|sign ?in|login|account|user|credentials?|admin|password|"
    r"get in|gets you in|access)(?![a-z])|登|账号|帐号|账户|用户|就?能进|可以进|进后台|进系统|管理员|"
    r"后台"
)
_EMAIL_PAIR = LazyPattern(
    r"[\w.+-]{1,40}@[\w-]+(?:\.[\w-]+)+[ \t]*(?:(?<![a-z])(?:with|and|password|pw)(?![a-z])|[/,|]|"
    r"[和加用配])[ \t]*[\"'`]?\Z"
)
_WITH_PAIR = LazyPattern(
    r"(?:(?<![a-z])(?:with|use|using|is|are|as|account|login|user)|[用是为:]|账号|帐号|账户|用户)[ "
    r"\t]*\Z"
)
_NO_COMPOUND = LazyPattern(
    r"(?:pre|post|non|anti|mid|trans|ex|pro|neo|pan|intra|inter|sub|super|ultra|un|all|inner|sino|"
    r"afro|anglo|euro|franco|self|semi|quasi|"
    r"north|south|east|west|early|late|multi|cross|vice|co|re|de|e|x)-|(?:up-to|state-of|end-to|"
    r"out-of|day-to|step-by|face-to|peer-to|one-to|case-by|"
    r"well-|read-|write-|real-|long-|short-|full-|open-|client-|server-|built-|user-|work-|so-called)"
)
_ENGLISH: Final = words(
    """
    a an and are as at by do for from has if in is it key no not of on or per so the to up use was with
    """
)
_BLOCK: Final = 4000  # characters of an encoded key or certificate
_LONG_KEY: Final = 60
# Whose keys have no shape of their own: beside the name a random run is one.
_SERVICES: Final = (
    r"(?<![a-z])(?:abuseipdb|adafruit|adobe|aiven|algolia|amadeus|amplitude|anthropic|apify|asana|"
    r"assemblyai|auth0|azure|backblaze|bitly|"
    r"bitrise|braintree|browserstack|cloudflare|cloudinary|codecov|cohere|coinbase|contentful|"
    r"coveralls|datadog|deepgram|deepl|deepseek|"
    r"digitalocean|discord|disqus|dropbox|elevenlabs|etsy|fastly|finnhub|flickr|freshbooks|geoapify|"
    r"giphy|gitea|grafana|groq|harness|"
    r"here maps|heroku|hetzner|honeycomb|hubspot|hunter\.io|influx(?:db)?|intercom|ipinfo|jfrog|"
    r"jumpcloud|klaviyo|kraken|kucoin|lastpass|"
    r"launchdarkly|linkedin|linode|logz|looker|mailchimp|mailgun|mailjet|mapbox|maptiler|mattermost|"
    r"maxmind|meraki|messagebird|mistral|"
    r"mixpanel|netlify|new ?relic|newsapi|nexmo|ngrok|notion|nytimes|okta|opencage|openweather"
    r"(?:map)?|opsgenie|ovh|pagerduty|paypal|"
    r"pexels|pinecone|pipedrive|pushplus|pushdeer|bark|plaid|plivo|postmark|pusher|pushover|rapidapi|"
    r"razorpay|replicate|resend|rollbar|scaleway|segment|"
    r"sendbird|sendgrid|sentry|shodan|shopify|snyk|sonar(?:qube|cloud)?|spotify|square|stability|"
    r"stripe|sumologic|supabase|tavily|"
    r"telnyx|tiingo|tmdb|tomtom|travis(?: ci)?|trello|twilio|twitch|twitter|typeform|unsplash|"
    r"upstash|vaultwarden|vercel|virustotal|"
    r"vonage|vultr|wakatime|wandb|wasabi|gumroad|launchdarkly|weatherapi|webflow|wolfram|yandex|yelp|"
    r"zendesk|zoho)(?![a-z])"
    r"|智谱|百度|七牛|又拍|火山|讯飞|和风|彩云|高德|聚合|天行|极光|腾讯|阿里云|华为云|京东云|企微|"
    r"企业微信|钉钉|飞书|通义|千问|码云|通联|网易|声网|融云|心知|快递(?:100|鸟)"
)
# What a sentence speaks of where somebody tells how to get in somewhere. Not enough for a word or a
# number, but nobody writes mixed characters about such things for another reason.
_ABOUT_ENTRY = LazyPattern(
    r"(?<![a-z])(?:asks?|wants?|answers?|says?|type|types|typed|enter|entered|field|login|logs?|"
    r"account|inbox|mailbox|portal|reset it|changed it|"
    r"set it|new one|old one|the usual|same as|factory|default|boots?|screen|lock|locked|unlocks?|"
    r"opens?|gets? (?:you|me|us|him|her)|lets? (?:you|me|us)|"
    r"does the rest|works|whiteboard|try|tried|phrase|word|archive|zip|nas|wi-?fi|vpn|backups?|"
    r"encrypted|sudo|kiosk|console|admin|root|guest|visitor|"
    r"remember|forget|credentials?|sign|signed|prompt|prompts|nags|sticker|keychain|laptop|router|"
    r"server|mail)(?![a-z])"
    r"|输|填|敲|念|解|登|锁|试|重置|改成|换成|设成|改回|账号|帐号|邮箱|网盘|后台|路由|压缩包|出厂|"
    r"默认|那串|白板|弹[窗框]|第二格|门户|备份|加密|管理员|记着|"
    r"别忘|那句|暗语|进去|能进|打开"
)
_IDENTIFIER = LazyPattern(
    r"[A-Z]+[a-z]*\d+[A-Z]?[a-z]{3,}[A-Z]?|[A-Za-z]\d+_[A-Za-z]{3,}|[a-z]{2,}[A-Z][a-z]{2,}|"
    r"[A-Z][a-z]{2,}[A-Z][a-z]{2,}|\w_\w+_\w"
)
_REGEX = LazyPattern(r"[\\^+*?]$|[a-z]-z|\\|[$^]\W|[?+*]\W")
_CODE = LazyPattern(
    r"[{}=\\<>|~]|;(?!\s+[a-z])|\w\(|\)\.|\"\"\"|\'\'\'|::|``|\.\w+\(|^\s*(?:#|//|\*|\.\.)|\[['\"\w]|"
    r"(?<![a-z])(?:import|def|class|return|self|elif|raise|lambda|async|await|returns?)(?![a-z])"
)
_PLAIN_WORDS = LazyPattern(r"[a-z]{2,}(?=[\s,.:!?]|$)|[\u3400-\u9fff]{2}")
_MOST_LINES: Final = 3  # between the word and the token: a list of words is longer
_SHORT_LINE: Final = 48  # shorter lines are entries of a list, longer ones wrapped prose
_END = LazyPattern(r"[.!?](?=\s|$)|[。]|;(?=[\u3400-\u9fff])|[!?](?=[\u3400-\u9fff])|\n\s*\n")
_ENDS = LazyPattern(r"[\s\"'`)\]*]{0,4}(?:[.,;:!?。、\n(]|$|--?\s|—|[\u3040-\u30ff\u3400-\u9fff])")
_NAME = LazyPattern(r"(?:[A-Za-z_$][\w.$-]{0,40}[=:](?![=/]|$)){1,3}")
_PASSWORD_NOUN = LazyPattern(
    rf"(?:(?:{PASSWORD}|(?<![a-z0-9_])(?:credential|cred))s?(?![a-z_])|(?:[,;/(]|(?<![a-z])(?:and|"
    rf"user [\w.@-]{{1,40}}))[ ]?(?:pass|key)(?= )|(?<![a-z])(?:and|with) the (?:key|pass)(?= )|"
    rf"(?<![a-z])(?:luks|veracrypt)(?![a-z])|共享密钥|明文(?=是|为|:)|{'|'.join(CHINESE_PASSWORDS)}|"
    rf"账密)"
)
_KEY_NOUN = LazyPattern(
    rf"(?:{KEY}|session[ _-]?ids?|token|secret|{_SERVICES}|(?<![a-z])(?:seed|recovery|sswa?s)"
    rf"(?![a-z])|(?<![a-z])(?:api|jwt|jsessionid|phpsessid|sid|key\d|key|access|trial|pat|ak|sk|"
    rf"appid|cookie|session|credential|licen[cs]e|auth|bearer|sas)s?"
    rf"(?![a-z])|[a-z]_?key(?![a-z])|{'|'.join((*CHINESE_KEYS, *CHINESE_PASSWORDS))}|登录态|会话|"
    rf"证书|签名串|种子)"
)
# What stands right before is a name, not a credential: of a user, a host, a thing with a number.
_NAMED = LazyPattern(
    r"(?:(?<![a-z])(?:user(?:s|name| name)?|login name|accounts?|host(?:name)?s?|server|machine|node|"
    r"box|ids?|commits?|"
    r"revision|sha|hash|digest|checksum|fingerprint|etag|branch|tag|release|version|build|image|"
    r"ticket|issue|case|run|job|event|incident|article|report|pr|mr|"
    r"order|invoice|ref(?:erence)?|number|no\.|serial|model|part|files?|folder|path|module|class|"
    r"function|package|"
    r"bucket|table|column|field|variable|region|zone|cluster|pod|namespace|tenant|subscription|trace|"
    r"span|request|"
    r"address|wallet|public key|peer|doc(?:ument)?|chapter|section|room|seat|gate|flight|channel|"
    r"group|role|policy|"
    r"topic|queue|database|schema|project|repo(?:sitory)?|org|team|country|algorithm|cipher|ssid|"
    r"network|property|"
    r"container|[a-z]{2,10}id|device|printer|camera|router|switch|laptop|phone|tablet|format|"
    r"standard|library|client id|app id|handle)"
    r"(?:['’]s)?(?:[ \t]+(?:is|was|called|named|of))?|用户名?|账号|帐号|账户|登录名|主机|服务器|机器|"
    r"节点|编号|单号|工号|学号|版本|分支|标签|镜像|"
    r"摘要|散列|哈希|校验和|指纹|地址|公钥|订单号?|流水号|型号|文件|目录|变量|字段|房间|会议号|网络|"
    r"名称|名字|网名|设备|仓库|项目)"
    r"[ \t]*(?:是|为|叫|名为)?[ \t]*[:=#]?[ \t]*[\"'`(@*]*\Z"
)
_STATED = LazyPattern(  # "the password is our street plus the number: …"
    r"(?:(?:password|passphrase|passcode|pw)(?:[ \t](?:is|was)[ \t]|: ?)|(?:密码|口令)(?:就?是|为|"
    r":))[^.。;\n]{2,50}\Z"
)
_IN_PASSING = LazyPattern(
    r"(?<![a-z])(?:on|for|of|at|in|to|into)(?: the| my| our| this)?(?: \w+){1,2} (?:is|was)[ \t]+\Z"
)
_OWNER = LazyPattern(r"['’]s(?![a-z])|的(?:密码|口令|账号)")
# Between the word and the token another thing is named that tokens belong to.
_OTHER = LazyPattern(
    r"(?<![a-z.@-])(?:commits?|hash(?:es|ed)?|sha\d*|md5|digest|checksum|fingerprints?|public|"
    r"publishable|uuid|trace|span|request[ _-]id|"
    r"etag|ids?|addresses|address|branch|tag|version|ticket|issue|revision|serial number|"
    r"algorithm|cipher|encrypted with|hashed with|derived|model|example|e\.g|for instance|such as|"
    r"placeholder|format|like this)(?![a-z])|[)}\]]{2}"
    r"|[\"'`]\)?,[ \t\n]*[\"'`(]|指纹|公钥|哈希|摘要|散列|提交|编号|地址|别名|版本|工单|单号|序列号|"
    r"流水|例如|比如|形如|格式|算法|错误码|事件"
)
_TIE = LazyPattern(
    r"(?:(?<![a-z])(?:is|was|reads|be|to|of|as|from|with|using|use|try|type|enter|called|namely|now|"
    r"still|needs?|wants?|takes?|says?|"
    r"becomes?|became|contains?|again|thing|one|by)[ \t]*:?|[:=→>\])]|//|[「『\[]|[はが는은]|-{1,2}"
    r"(?=[ \t])|\((?:it is)?|"
    r"是|为|成|填|输入?|打|敲|写|用|叫|到|即|回|成了|了|改|换|设|：|就|默认|统一|仍|还|试|"
    r"那[个串条句组]|这[个串条句组]|拼音|年份|生日|[前后][三四六八]位)[ \t\n]*[\"'`(*「《<\[]*\Z"
    r"|^[ \t]*[,-]?[ \t]*[\"'`(*《<「\[]*\Z|^(?:是|为|叫|用|:)[^,。;]{0,14}[ \t]*\Z"
)
_OF_WHAT = LazyPattern(r"s?[ \t]+(?:of|by|from|to)[ \t]+(?:the[ \t]+)?")
_THUS = LazyPattern(
    r"(?:(?<![a-z])(?:so|hence|thus|therefore|i\.?e\.|that is|which is|namely|in full|altogether|i "
    r"mean|meaning)|[=→]|也?就是|即|所以是?|合起来是?|拼起来是?|连起来是?)"
    r"[ \t]*:?[ \t]*[\"'`(*]*\Z"
)
_SAYS = LazyPattern(
    r"(?:[:=→\])]|(?<![a-z])(?:is|was|be|now|to|from)|是|为|成|到|了|回|填|输入?|打|敲|用|叫|は|는|"
    r"은|^s?[ ]?[,(]|^['’]s(?= ))[ \t\n]*[\"'`(*「]*\Z"
)
_COMMA = LazyPattern(r"[,|/(—][ \t]*[\"'`(*]*\Z")
_BARE_KEY = LazyPattern(r"(?:^|[ \t]the[ \t]|[,;.][ \t]|[ \t])key\Z")
_SIGNED = LazyPattern(r"[:=→]|(?<![a-z])(?:is|was|as)(?![a-z])|是|为|填|用")
_PART_OF = LazyPattern(
    r"(?<![a-z])(?:fingerprint|hash|checksum|digest|sha\d*|md5|ids?|version|serial|thumbprint)(?: "
    r"(?:of|for)| in)? (?:the |our |a |this )?[\w.-]* ?[\w.-]{0,16}\Z"
)
_SERVICE = LazyPattern(_SERVICES)
_PRONOUN = LazyPattern(
    r"(?:(?<![a-z])(?:it|that|this|one|which)(?:['’]s| is| was| should be)(?: now| still| just)?:?|"
    r"回答是|回答:|答案是|说是|就是|用的是|应该是)[ \t]*[\"'`(]*\Z"
)
_NAMED_KEY = LazyPattern(
    rf"(?:{KEY}|token|{'|'.join(CHINESE_KEYS)}|(?:which|what|the|api|哪[个把]) ?key)"
)
_TIED = LazyPattern(
    r"(?:[:=→]|(?<![a-z])(?:is|was|with|as|uses?|using|carry|carries|needs?|via|to|by)|用|是|为|填)[ "
    r"\t]*[\"'`(]*\Z"
)
_NO_HEX = LazyPattern(r"(?:session|会话|access|trial)\Z")  # whose ids are hexadecimal too
_KEY_SIGN = LazyPattern(
    rf"(?:(?<![a-z])(?:key|token|secret)|{'|'.join(CHINESE_KEYS)})[ \t]?[:=][ \t]*[\"'`]?\Z"
)
_SECRET_BESIDE = LazyPattern(
    r"(?<![a-z])(?:with|using|the|is|our|my|client|this|shared|app|and|by|via|new|old) (?:secret|"
    r"credentials?)[ \t]{1,3}[\"'`(]*\Z"
)
_CLAIMS = LazyPattern(
    r"^s?[\"'`*)\]」]{0,3}[ \t]*(?:\([^()]{0,40}\)[ \t]*)?(?:(?:value|api|access|auth|login|pat|for[ "
    r"\t][^,:]{1,40}|of[ \t][^,:]{1,40}|(?![^ "
    r"]{0,8}[在从里被由轮刷校失过修加])[\u3400-\u9fff]{1,8}?)[ \t]*)?"
    r"(?:is|was|=|:|->|→|=>|为|是|填|用|写死为|存的是|设成|改成|换成|of|,|\.{3}|-{1,2}|\|)?[ "
    r"\t\n]*[\"'`(*\[<《「]*\Z"
)
_CALLED_SO = LazyPattern(
    r"[\"'`)\s]{0,4}(?:is|was|as|for|works as|serves as|=|,|\(|:|→|←|<-|-{1,2}|当|作|是|做|才是|就是|"
    r"这个)[^.]{0,40}"
)
_THIS_PASSWORD = LazyPattern(r"[ \t]?(?:这个|这一|这样的|做|当|作为?)(?:我的?|登录|开机)?(?:密码|口令)")
_KEY_BEHIND = LazyPattern(
    r"[\"'`)\s]{0,4}(?:(?:is|was|as|for)[ \t]|\(|—|-{1,2}[ \t]|=|是|当|作|这[把个条]|[ \t](?=api|"
    r"access|app|secret|deploy))[\s(]{0,3}(?!public|peer|host|primary)"
    r"(?:(?:the|my|our|a|an|their|his|her|its|this|that)\s)?(?:[\w-]{2,16}\s){0,2}?"
    r"(?:api|app|access|secret|service|client|auth|session|linkedin|login)?[ _-]?(?:key|token|secret|"
    r"cookie|credential|密钥|令牌|凭证)(?![a-z])"
)
_PUBLIC = LazyPattern(
    r"(?:publi|domai|(?<![a-z])(?:public|row|page|continuation|sync|next|cursor|device|lookup|"
    r"surrogate|natural|publishable|pub|pk|host|peer|primary|foreign|unique|cache|sort|partition|"
    r"idempotency|object|routing|"
    r"gpg|pgp|recv|dedup\w*|composite|index|hot|map|redis|s3|missing|unknown|measurement|site|主|外|"
    r"公|缓存)[ _-]{0,2})\Z"
)
_PUBLIC_KEY = LazyPattern(r"(?:publi[ck]?|publishable|pub|host|peer|dkim|site|domain)[ _-]{0,2}\Z")
_CALLED_NOUN = LazyPattern(
    r"(?:(?<![a-z_.])(?:password|passphrase|passcode|pw|secret|token|[a-z]{2,12} key)|"
    r"[\u3400-\u9fff])s?\([\"'`]?\Z"
)
_CALLS = LazyPattern(r"[(\[{](?![^()\[\]{}]{0,24}[\u3400-\u9fff])")
_CALL = LazyPattern(r"\w\([\"'`]?\Z|\.\Z")
_URL_BEFORE = LazyPattern(r"://\S*\Z")
_OPENS = LazyPattern(
    r"[\"'`)\s,]{0,4}(?:(?:to|will|and you|and it|then|that|which|also|still|can|should)[ \t]+)?"
    r"(?:gets?|lets?|opens?|unlocks?|decrypts?|"
    r"logs?|signs?)(?:[ \t]+(?:you|me|us|him|her|them|anyone|the[ \t]\w+))?[ \t]+(?:in(?:to)?"
    r"(?![a-z])|on(?:to)?(?![a-z])|the|it|my|our|up)"
    r"|[ \t]*(?:就?[能可](?:以)?|即可|便能|来|去)?(?:登[录陆进上]|解[锁开压密]|进得?去|进入|打开|"
    r"开机|连上)"
)
_OPENER = LazyPattern(
    r"(?<![a-z])(?:log(?:s|ged|ging)?[ -]?(?:in|on)(?:to)?|sign(?:s|ed|ing)?[ -]?(?:in|on)(?:to)?|"
    r"unlock(?:s|ed)?|decrypt(?:s|ed)?|"
    r"sudo|ssh|authenticates?|gets? (?:in|on)(?:to)?|gets? past|let(?:s)?|"
    r"open(?:s|ed)?|wi-?fi|wlan|basic auth|"
    r"mounts?|encrypted|protected|locked|prompts?|asks?(?! for (?:help|a ))|connects?|joins?|"
    r"keystore|archive|wallet|root|admin)(?![a-z])|登[录陆进上]|解[锁开压密]|打开|进得?去|进入|"
    r"进系统|开机|连[接上]|挂载|认证|鉴权|加密|加了密|有密码|进不去|进后台"
)
_PLACE = LazyPattern(
    r"(?<![a-z])(?:admin|root|sudo|vpn|wi-?fi|login|mailbox|account|router|panel|portal|bank|vault|"
    r"keychain|database|postgres|mysql|"
    r"grafana|jenkins|nas|default|prompt|asks?|encrypted|archive|keystore|hint|luks|bitlocker|safe)"
    r"(?![a-z])|管理员|后台|路由器|邮箱|网盘|堡垒机|账号|默认|登录"
)
_GIVES = LazyPattern(
    r"(?:(?<![a-z])(?:with|using|to|is|typing|entering|type|enter|answer|say|"
    r"give|gives? it|works with|answers to|"
    r"opens (?:with|by|to)|needs? the (?:word|phrase|code)|the (?:word|phrase)|needs?|wants?|takes?|"
    r"accepts?|try|use|still|now|default|was|using|uses|thing is)"
    r"(?:[ \t]+(?:just|simply|only|(?:root|admin)(?:[ \t]+(?:and|with))?))?[ \t]*[,:]?[ \t]+|"
    r"输入?|填|敲|打|用的?是?|试试?|加|"
    r"要|默认|密码|[换改设]成了?|重置[成为]了?|是|为)[ \t]*[\"'`(*]*\Z"
)
_WANTS = LazyPattern(
    r"(?:(?<![a-z])(?:wants?|takes?|needs?|accepts?|asks for|login|log in)|要?输入?|填)[ \t]*\Z"
)
_TYPED = LazyPattern(r"(?:(?<![a-z])(?:type|enter|answer|say|give it)|输入?|填|敲|打)[ \t]*\Z")
_PAIR = LazyPattern(
    r"(?:(?<![a-z])(?:accounts?|logins?|user(?:name)?|credentials?|creds|vpn|ssh|rdp|ftp|smtp|sign "
    r"in|log in)|账号|帐号|账户|用户名?|登录)"
    r"[^.\n]{0,40}?[:= \t](?:is|are|as|是|为)?[ \t]*(?:[\w.@+-]{2,40}[ \t]*(?:/|,|\||\+|和|加|配|、|"
    r"(?<![a-z])(?:and|with)(?![a-z]))|[\w.+-]{1,40}@[\w.-]{3,60})[ \t]*[\"'`]?\Z"
)

_LOGIN_HINTS: Final = hints(
    "hotspot forum @ signsin logsin signson logson openwith loginto logon login logged signin signon "
    "signed unlock decrypt sudo ssh authenticat getin getsin geton getsinto opens toopen "
    "mount encrypted prompt asks connect keystore archive wallet root admin vpn wi-fi wifi mailbox "
    "account panel portal vault "
    "protected locked 加了密 有密码 证书 default luks bitlocker letsyouin letyouin 登录 登陆 登进 "
    "登上 解锁 解开 解压 解密 打开 进去 进入 进系统 开机 连接 连上 加密 进不去 进后台 "
    "管理员 后台 路由器 邮箱 网盘 堡垒机 账号 默认 用户名 输 填 敲 念 解 试 重置 改成 换成 设成 改回 "
    "压缩包 出厂 那串 白板 弹窗 弹框 第二格 门户 备份 记着 别忘 那句 能进 "
    "answer type enter field inbox mailbox resetit changedit setit newone oldone theusual sameas "
    "factory boot screen lock getsyou letsyou "
    "doestherest works whiteboard try tried phrase zip nas backup encrypted kiosk console guest "
    "visitor remember forget sticker keychain laptop server"
)

_SERVICE_HINTS: Final = tuple(
    sorted(
        {
            re.sub(r"\(\?:[^()]*\)\??|\\|[ ?]", "", each)
            for each in re.sub(r"^\(\?<!\[a-z\]\)\(\?:|\)\(\?!\[a-z\]\)", "", _SERVICES).split("|")
        }
    )
)

SENTENCE_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "credential-in-sentence",
        (
            *(*PASSWORD_HINTS, *CHINESE_PASSWORDS, *CHINESE_KEYS, *_LOGIN_HINTS),
            *("pass", "creds", "credential", "账密", "key", "token", "secret", "api", "cookie"),
            *("明文", "sess", "jwt", "auth", "licen", "seed", "recovery", "登录态", "会话", "种子"),
            *_SERVICE_HINTS,
        ),
        TOKEN_RUN,
        _judge,
        view="exact",
        at=AT_TOKENS,
    ),
    Rule(
        "header-value",
        ("x-",),
        r"(?<![\w-])x-[\w-]{0,24}(?:key|token|secret|auth)(?![\w])[^.。;\n]{1,40}?(?<![\w/.-])"
        r"(?P<value>[0-9a-f]{24,64})(?![\w-])"
        r"|(?<![a-z])(?:key|token|secret)[,:=( ]{1,3}(?:is )?(?P<second>[0-9a-f]{24,64})(?![\w-])"
        r"[^.。;\n]{1,40}?(?<![\w-])x-[\w-]{0,24}(?:key|token|secret|auth)(?![\w])",
        _judge_header,
    ),
    Rule(
        "spelt-phrase",
        ("密码", "口令", "暗号"),
        r"(?:密码|口令|暗号)(?:[^。;\n]{0,24}?(?:设成了?|改成了?|换成了?|设为|改为)|是|就是|:)[ \t]?"
        r"(?P<value>[a-z]{2,6}(?: [a-z]{1,6}){2,9})(?![\w-])",
        _judge_spelt,
    ),
    Rule(
        "slash-password",
        ("pw/", "pwd/", "passwd/", "password/", "密码/", "口令/"),
        r"(?:(?<![\w/.-])(?:pw|pwd|passwd|password)|密码|口令)[ \t]?/[ \t]?"
        r"(?P<value>[^\s()/]{6,64})(?![\w/])",
        _judge_slashed,
    ),
    Rule(
        "slashed-pair",
        ("/",),
        r"(?<![\w/.:@-])[a-z][a-z0-9._-]{1,20}/(?P<value>[^\s/@,;\"'`()<>|\u3400-\u9fff]{4,40}"
        r"(?:@\d{2,6})?)(?![/\w@])",
        _judge_pair,
        view="exact",
    ),
    Rule(
        "compound-in-sentence",
        (*PASSWORD_HINTS, *CHINESE_PASSWORDS, *_LOGIN_HINTS),
        r"(?<![\w./@:#$~-])(?P<value>[a-z]{3,16}(?:-[a-z]{2,16}){0,2}[-.][A-Z][a-z]{2,16}(?:-[A-Za-z]{2,16}){0,2}|"
        r"[A-Z][a-z]{2,16}(?:-[A-Z][a-z]{2,16}){2,3}|"
        r"[A-Z][a-z]{2,16}\.[A-Z][a-z]{2,16}"
        r"|[A-Z]?[a-z]{2,12}(?:-[a-z]{2,12}){2,4})(?![\w/(@-]|\.\w)",
        _judge_compound,
        view="exact",
    ),
    Rule(
        "quoted-unlocks",
        hints("opens unlocks decrypts disarms getsyou letsyou"),
        r"[\"'](?P<value>[^\"'\n]{4,60})[\"'][ \t](?:opens|unlocks|decrypts|disarms|gets (?:you|me|"
        r"us) into|lets (?:you|me|us) into)[ \t](?:the|my|our|his|her|their|that)?[ \t]?"
        r"(?:[\w'-]{1,16}[ \t]){0,2}?(?:laptop|phone|tablet|archive|zip|disk|drive|stick|vault|safe|"
        r"door|gate|alarm|wallet|account|keychain|notebook|ledger|backup|"
        r"box|pdf|computer|pc|mac|nas|router|locker|diary|journal|server|spreadsheet|document|"
        r"cottage|garage)(?![a-z])",
        _judge_unlocks,
    ),
    Rule(
        "asked-for",
        ("type", "enter", "answer", "give", "punchin", "keyin"),
        r"(?<![a-z])(?:type(?: in)?|enter|answer|give(?: it)?|punch in|key in)[ \t]+"
        r"(?P<value>[\"'`]?[!-~]{5,64}?)[\"'`]?[ \t]+"
        r"(?:(?:when|if|once|as soon as|where) (?:it|the|you|he|she|asked|prompted|they)|at (?:the|"
        r"its) prompt)(?![a-z])",
        _judge_asked,
    ),
)
