"""Which credentials are known by the word before them? "password", "api key", "密码" and their kin.

A word alone proves nothing: people talk about passwords all day. What counts is a value behind the
word, by a sign ("password: …", "DB_PASS=…"), by a verb ("密码改成了…", "the token is …") or right
beside it ("WiFi 密码 hunter2"). The weaker the tie, the more the value itself must look like one.
"""

from __future__ import annotations

from typing import Final

from memweir.store.gate_rules import Rule, hints
from memweir.store.secret_judges import (
    judge_account,
    judge_alone,
    judge_bare_pass,
    judge_beside,
    judge_chinese_key,
    judge_chinese_password,
    judge_code,
    judge_figures,
    judge_key,
    judge_key_said,
    judge_listed,
    judge_named,
    judge_named_key,
    judge_pair,
    judge_password,
    judge_password_quoted,
    judge_password_said,
    judge_phrase,
    judge_quoted,
    judge_slashed,
    judge_token,
    judge_token_beside,
    judge_told_phrase,
    judge_usual_name,
    judge_value_before,
    judge_word_named,
)
from memweir.store.secret_nouns import (
    AT_CHINESE_CODE,
    AT_CHINESE_KEY,
    AT_CHINESE_PASSWORD,
    AT_CODE,
    AT_KEY,
    AT_PASSWORD,
    AT_TOKEN,
    CHINESE_CODES,
    CHINESE_KEYS,
    CHINESE_PASSWORDS,
    CODE,
    CODE_HINTS,
    DOOR_CODE,
    KEY,
    KEY_HINTS,
    PASSWORD,
    PASSWORD_HINTS,
    SENT_CODE,
    TOKEN,
    TOKEN_HINTS,
)

__all__ = ["WORD_RULES"]

# ---- what ties a word to a value ----------------------------------------------------------------

# Between a word and its sign: closing quotes and brackets, a remark ("password (staging):").
_CLOSE: Final = r"""["'`*_)\]}\\]{0,4}[ \t]{0,4}(?:\([^()\n]{0,40}\)[ \t]{0,4})?["'`*]{0,3}[ \t]{0,4}"""
_FOR: Final = (
    r"(?:[ \t]{1,4}(?:for|of|to|on|in|at|we|you|they|i|he|she|that|del?|de la|du|des|fur|vom|zum|der|"
    r"da|do|voor|van|for|от|для)[ \t]{1,4}(?:[^\n:=.;!?]|\.(?=[a-z])){1,50}?)?"
)
_SIGN: Final = r"(?P<sign>~(?=\s)|[:?+]=|=>|={1,3}|->|→|:|\||>|\.{3,40}|//|(?<=\s)--?(?=\s))"
_IS: Final = (
    r"(?:(?:(?:has been |have been |was |is |were )(?:re)?(?:set|changed|updated)(?: to)?|(?:re)?"
    r"(?:set|changed|updated) to|"
    r"(?:is |was |are )?now(?: is)?|is|was|are|equals|reads|remains|stays|"
    r"(?:will|would|should|must|might|may|could|can|has to|used to) be|to be|to|es|est|ist|lautet|e|"
    r"being|goes|spells|spelled|turned into|becomes|became|has become|aka|i\.e\.|(?:would|will|must|"
    r"might)['’]ve been)"
    r"(?:[ \t]{1,4}(?:now|currently|still|just|probably|simply|actually|always))?)"
)
_ZH_IS: Final = (
    r"(?:(?:已经?|现在|目前|还|仍然?|一直|应该?|就|都|均|皆|即|暂|现|一律|统一|全部|通常|暂时|默认|是)?"
    r"(?:(?:被)?(?:设置?|设定|改|换|变|更新|更改|修改|重置|定)(?:为|成|到|是|回|作)了?|[设用改]的是?|"
    r"为|是|叫)|"
    r"即|等于|暂定|貌似是?|好像是?|给你|发你|记一下|请?(?:填写?|输入?)|请用|统一用|默认|是这个|如下)"
)
_SUFFIX: Final = (
    r"(?:[_-](?:prod|production|dev|staging|test|local|old|new|main|base|value|root|admin|user|"
    r"[0-9ab]))?"
)
_VALUE: Final = r"(?=(?P<value>[^\n]{0,160}))"
_NEAR: Final = r"(?:[ \t]{1,4}|[ \t]{0,4}\n{1,2}[ \t]{0,8})"  # beside, or alone on the next line


def _assigned(family: str, plural: str = "s?") -> str:
    """`word: value`, `WORD=value`, `"word": "value"`, `<word>value`, `| word | value`."""
    return (
        rf"(?:{family}){plural}{_SUFFIX}(?![a-z]){_FOR}{_CLOSE}{_SIGN}\s{{0,8}}(?:[|>][+-]?[ "
        rf"\t]{{0,4}}\n[ \t]{{0,16}})?{_VALUE}"
    )


def _said(family: str) -> str:
    """`word is value`, `word for the router was changed to value`, `word是value`."""
    verb = rf"(?P<verb>[ \t]{{1,4}}{_IS}[ \t]{{0,4}}:?\s{{1,8}}|\s{{0,4}}{_ZH_IS}\s{{0,8}}:?\s{{0,8}})"
    return rf"(?:{family})(?![a-z]){_FOR}[\"'`)]?{verb}{_VALUE}"


def _chinese(family: tuple[str, ...]) -> str:
    """`密码：value`, `密码（路由器）是 value`, `密码改成了value`."""
    remark = (
        r"[\"'`*)\]]{0,3}\s{0,4}(?:在此|在这里?|见后|附上)?(?:\([^()\n]{0,20}\))?[\"'`*]{0,3}\s{0,4}"
    )
    sign = r"(?P<sign>:|;|/|={1,3}(?:[ \t]={1,2})?|->|=>|→|\||--?)"
    return rf"(?:{'|'.join(family)}){remark}(?:{sign}|(?P<verb>{_ZH_IS}))\s{{0,8}}:?\s{{0,8}}{_VALUE}"


def _named(family: str) -> str:
    """`name: WORD` beside `value: …`, as lists of settings in YAML and XML have it."""
    return (
        rf"(?:name|key|id)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?[\w.-]{{0,40}}?"
        rf"(?:{family})[\w.-]{{0,16}}[\"']?"
        rf"\s{{0,20}},?\s{{0,20}}[\"']?value[\"']?\s{{0,4}}(?P<sign>[:=])\s{{0,4}}{_VALUE}"
    )


# ---- the table ----------------------------------------------------------------------------------

WORD_RULES: Final[tuple[Rule, ...]] = (
    Rule("password-assignment", PASSWORD_HINTS, _assigned(PASSWORD), judge_password, at=AT_PASSWORD),
    Rule("password-statement", PASSWORD_HINTS, _said(PASSWORD), judge_password_said, at=AT_PASSWORD),
    Rule(
        "pass-assignment",
        ("pass=", "pass:", 'pass"', "pass'", "pass|", "pass>"),
        _assigned("pass", ""),
        judge_bare_pass,
    ),
    Rule("key-assignment", KEY_HINTS, _assigned(KEY), judge_key, at=AT_KEY),
    Rule("key-statement", KEY_HINTS, _said(KEY), judge_key_said, at=AT_KEY),
    Rule("token-assignment", TOKEN_HINTS, _assigned(TOKEN, ""), judge_token, at=AT_TOKEN),
    Rule("token-statement", TOKEN_HINTS, _said(TOKEN), judge_key_said, at=AT_TOKEN),
    Rule("named-setting", ("value",), _named(rf"{PASSWORD}|pass|{KEY}|{TOKEN}"), judge_named),
    Rule(
        "chinese-password",
        CHINESE_PASSWORDS,
        _chinese(CHINESE_PASSWORDS),
        judge_chinese_password,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule("chinese-key", CHINESE_KEYS, _chinese(CHINESE_KEYS), judge_chinese_key, at=AT_CHINESE_KEY),
    Rule("chinese-code", CHINESE_CODES, _chinese(CHINESE_CODES), judge_code, at=AT_CHINESE_CODE),
    Rule(
        "one-time-code",
        CODE_HINTS,
        rf"(?:{CODE})(?![a-z])(?:{_CLOSE}{_SIGN}|[ \t]{{1,4}}(?:is|was|are)[ \t]?:?)\s{{0,8}}{_VALUE}",
        judge_code,
        at=AT_CODE,
    ),
    Rule(
        "pin-of",
        ("pinof", "pinfor", "pinto"),
        r"(?<![a-z])pin[ \t]{1,4}(?:for|of|to)[ \t]{1,4}(?P<thing>[^\n:=.;!?]{1,50}?)"
        rf"(?:{_CLOSE}{_SIGN}|[ \t]{{1,4}}(?:is|was)[ \t]?:?)\s{{0,8}}{_VALUE}",
        judge_figures,
    ),
    Rule(
        "one-time-code-beside",
        ("code", "otp", *CHINESE_CODES),
        rf"(?:{SENT_CODE}|{DOOR_CODE}|{'|'.join(CHINESE_CODES)})\s{{0,4}}{_VALUE}",
        judge_code,
        at=AT_CODE,
    ),
    Rule(
        "account-and-password",
        ("pass", "pwd", "密码", "口令"),
        # A user name counts when a sign or verb brings it, or when it is one of the usual ones.
        r"(?:username|user|login|account|用户名|账号|账户|帐号|用户)"
        r"(?:\s{0,4}[:=]\s{0,4}|\s{1,4}is\s{1,4}|\s{0,4}[是为]\s{0,4}"
        r"|\s{0,4}(?=[\"'`]?(?:admin|administrator|root|guest|sa|postgres|ubuntu|pi)(?![a-z])))"
        r"[\"'`]?[\w.@+-]{1,64}[\"'`]?[\s,;/|和及、]{1,4}(?:and\s{1,4})?(?:登录)?"
        r"(?:password|passwd|pass|pwd|pw|密码|口令)(?![a-z])\s{0,4}(?:is|是|为|[:=])?\s{0,4}" + _VALUE,
        judge_account,
    ),
    Rule(
        "pass-statement",
        ("passis", "passwas"),
        r"(?:my|our|the|admin|db|root|user|wifi)[ \t]{1,4}pass[ \t]{1,4}(?P<verb>is|was)[ \t]{1,4}"
        + _VALUE,
        judge_key_said,
    ),
    Rule(
        "credential-pair",
        hints(
            "credential creds login: logins: loginis loginsare user/pass u/p user/pw id/pw basicauth "
            "账号密码 帐号密码 账户密码 用户名密码 账密 帐密"
        ),
        r"(?:credentials?|creds|logins?|basic auth|user/pass(?:word)?|u/p|user/pw|id/pw|(?:账户|账号|"
        r"帐号)密码|[账帐]密|(?:账号|帐号|用户名)(?:和|及|/|、)?密码|账密)"
        r"(?:\s{0,4}|[ \t](?:for|of|on|to|at)[ \t][^.:=\n]{1,40}?[ \t])(?:[:=]|is|are|是|为|(?<=密)[ "
        r"\t])\s{0,4}(?P<name>[\w.@+-]{1,64})"
        r"(?:\s{0,4}[:/|,]\s{0,4}(?!/)|[ \t]and[ \t]|[ \t]{1,4})" + _VALUE,
        judge_pair,
    ),
    Rule(
        "quoted-beside",
        ("password", "passwd", "passphrase", "psk", "identifiedby"),
        r"(?:password|passwd|passphrase|psk|identified by)[\"']?\s{0,4}[,(]?\s{0,4}"
        r"(?=(?P<value>[\"'][^\n]{0,160}))",
        judge_quoted,
    ),
    Rule(
        "password-beside",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z]){_NEAR}{_VALUE}",
        judge_beside,
        at=AT_PASSWORD,
    ),
    Rule("key-beside", KEY_HINTS, rf"(?:{KEY})(?![a-z]){_NEAR}{_VALUE}", judge_beside, at=AT_KEY),
    Rule(
        "token-beside",
        TOKEN_HINTS,
        rf"(?:{TOKEN})(?![a-z]){_NEAR}{_VALUE}",
        judge_token_beside,
        at=AT_TOKEN,
    ),
    Rule(
        "chinese-key-beside",
        CHINESE_KEYS,
        rf"(?:{'|'.join(CHINESE_KEYS)})\s{{0,4}}(?![=:|;/>,.@-])(?=[\"'`]?[!-~])(?=(?P<value>[!-~ "
        rf"]{{0,160}}[^\n]?))",
        judge_token_beside,
        at=AT_CHINESE_KEY,
    ),
    Rule(
        "chinese-password-beside",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})\s{{0,4}}(?![=:|;/>,.@-])(?=[\"'`]?[!-~])(?="
        rf"(?P<value>[!-~ ]{{0,160}}[^\n]?))",
        judge_beside,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "password-in-list",
        PASSWORD_HINTS,
        rf"(?<=[,;/&|:] )(?:{PASSWORD})(?![a-z])[ \t]{{1,4}}{_VALUE}|(?<=and )(?:{PASSWORD})"
        rf"(?![a-z])[ \t]{{1,4}}(?=(?P<second>[^\n]{{0,160}}))",
        judge_listed,
        at=AT_PASSWORD,
    ),
    Rule(
        "password-it-is",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z])[,;]? (?:it|that|which|and it|still|again)(?:['’]s|(?P<verb>[ \t]"
        rf"(?:is|was|reads)))[ \t]{{1,4}}{_VALUE}",
        judge_password_said,
        at=AT_PASSWORD,
    ),
    Rule(
        "password-answer",
        ("passphrase", "password", "passcode"),
        rf"(?:{PASSWORD})(?![a-z])[^.!?\n]{{0,40}}?(?<![a-z])(?:answer|reply|word|phrase|line|one|"
        rf"it)[ \t](?:is|was)[ \t](?=(?P<value>[\"'`][^\n]{{3,80}}))",
        judge_phrase,
        at=AT_PASSWORD,
    ),
    Rule(
        "opens-with-phrase",
        hints("withthephrase withthewords withthesentence withthepassphrase tothephrase tothewords"),
        r"(?<![a-z])(?:opens?|opened|unlocks?|unlocked|decrypts?|decrypted|disarms?|answers)[ \t]"
        r"(?:with|to)[ \t]the[ \t](?:pass)?(?:phrase|words?|sentence)[ \t]"
        r"(?=(?P<value>(?:[a-z]+[ \t]){1,7}[a-z]+(?:[.,;!\n]|$)))",
        judge_told_phrase,
    ),
    Rule(
        "password-word-named",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z])[^.!?\n]{{0,60}}?(?<![a-z])(?:is|was|just|simply)[ \t](?:just[ \t]|"
        rf"simply[ \t])?the (?:word|phrase|name|sentence)[ \t]{{1,4}}{_VALUE}",
        judge_word_named,
        at=AT_PASSWORD,
    ),
    Rule(
        "password-figures",
        PASSWORD_HINTS,
        rf"(?:{PASSWORD})(?![a-z_-])[^\d.!?;\n]{{0,40}}?(?:(?<![a-z])(?:is|was|to|be|now)|[=:,])[ "
        rf"\t]{{1,3}}(?=(?P<value>\d{{4,8}}(?![\w%])[^\n]{{0,60}}))",
        judge_figures,
        at=AT_PASSWORD,
    ),
    Rule(
        "usual-name-and-password",
        hints("admin root administrator postgres guest ubuntu sa"),
        r"(?<![\w/.:@$-])(?:admin|root|administrator|postgres|ubuntu|sa|sysadmin|superuser|manager|"
        r"guest|oracle|pi)"
        r"(?:[ \t]?(?P<sign>[:/])[ \t]?|(?<=root)(?P<verb> with )|(?<=admin)(?P<verb2> with ))(?="
        r"(?P<value>[^\s/][^\n]{0,160}))",
        judge_usual_name,
    ),
    Rule(
        "chinese-password-quoted",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})[ \t]{{0,2}}(?=(?P<value>[\"'\[(《][^\n]{{3,80}}))",
        judge_password_quoted,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "quoted-phrase",
        hints(
            "magicword codeword doorphrase keyphrase secretphrase encryptedwith securedwith "
            "protectedwith safeword 暗语 暗号 接头 那句话 密语"
        ),
        r"(?:(?<![a-z])(?:(?:magic|code|safe|secret|family) ?word|(?:door|key|secret) ?phrase|"
        r"(?:encrypted|secured|protected|locked) with)(?![a-z])|暗语|暗号|接头|密语|那句话)"
        r"[^.!?。\n\"'`]{0,40}?(?=(?P<value>[\"'`][^\n]{3,80}))",
        judge_phrase,
    ),
    Rule(
        "quoted-answer",
        hints("answersto openswith opensto unlockwith unlockswith disarmwith"),
        r"(?<![a-z])(?:answers to|opens (?:with|to|at)|unlocks? with|disarms? with)[ \t]{1,4}(?:the "
        r"(?:word|phrase)s?[ \t]{1,4})?"
        r"(?=(?P<value>[\"'`][^\n]{3,80}))",
        judge_phrase,
    ),
    Rule(
        "short-labels",
        hints("u: id: un: user: usr:"),
        r"(?<![a-z])(?:u|un|usr|user|id)[ \t]?[:=][ \t]?[\w.@-]{2,40}[\s,;/|]{1,4}(?:p|pw|pwd|pass)[ "
        r"\t]?[:=][ \t]?" + _VALUE,
        judge_named_key,
    ),
    Rule(
        "word-is-password",
        ("password", "passphrase", "passcode"),
        r"(?m)(?:^|[.!?:;][ \t])[\"'`]?(?P<value>[a-z]{5,24}|[a-z]{3,12}"
        r"(?:[-_.][a-z0-9]{2,12}){1,4})[\"'`]?[ \t](?:is|was|are)[ \t](?:my|the|our|his|her|their|"
        r"[a-z]+['’]s)[ \t]"
        r"(?:[\w-]{1,16}[ \t]){0,2}?(?:password|passphrase|passcode)(?=[.,;!\n]|$|[ \t](?:for|on|to|"
        r"of|at)[ \t])",
        judge_word_named,
    ),
    Rule(
        "name-and-password",
        ("/",),
        r"(?m)(?:^|[:\])]|(?<![a-z])(?:is|with|as|login|account|use)(?![a-z])|[是用给])[ \t]{0,4}"
        r"(?P<name>[A-Za-z][\w.@+-]{1,40}) / (?=(?P<value>[^\s/][^\n]{0,160}))",
        judge_slashed,
        view="exact",
    ),
    Rule(
        "network-key",
        hints("wi-fi wifi wlan ssid"),
        r"(?:wi-?fi|wlan|ssid)[^\n]{0,60}\n?[^\n]{0,12}?(?<![a-z])(?:key|pass|code)[ \t]{0,3}[:=][ "
        r"\t]{0,3}(?=(?P<value>[^\n]{0,160}))",
        judge_named_key,
    ),
    Rule(
        "network-pair",
        hints("wi-fi: wifi: wlan: ssid: 无线: 网络: 热点:"),
        r"(?:wi-?fi|wlan|ssid|无线(?:网络?)?|热点)[ \t]?:[ \t]?[^\n/|,;:]{2,32}?[ \t]?[/|,;][ \t]?(?="
        r"(?P<value>[!-~]{8,63}(?:[ \t。,]|$|\n)))",
        judge_named_key,
    ),
    Rule(
        "labelled-phrase",
        ("phrase",),
        r"pass ?phrase[ \t](?:for|of|to|on)[ \t][^:\n]{1,40}:[ \t](?=(?P<value>(?:[a-z]+[ "
        r"\t]){3,9}[a-z]+[.]?(?:\n|$)))",
        judge_told_phrase,
    ),
    Rule(
        "label-above",
        (*PASSWORD_HINTS, *CHINESE_PASSWORDS),
        rf"(?m)^[ \t#*>-]{{0,6}}(?:[\w'’-]{{1,16}} ){{0,3}}?(?:{PASSWORD}"
        rf"|{'|'.join(CHINESE_PASSWORDS)})[*]{{0,2}}[ \t]?:?[ \t]?[*]{{0,2}}\n[ \t]{{0,8}}"
        rf"(?P<value>[^\s:=]{{5,64}})[ \t]*$",
        judge_alone,
    ),
    Rule(
        "opening-phrase",
        hints("opens unlock decrypt starts open"),
        r"(?<![a-z])(?:phrase|words?|sentence|line|string)[ \t](?:that|which|to)[ \t](?:opens?|"
        r"unlocks?|decrypts?|starts?)(?![a-z])"
        r"[^.!?\n:=]{0,40}?(?:[:=]|(?<![a-z])(?:is|was|are))[ \t]{1,4}(?=(?P<value>[^\n]{0,160}))",
        judge_phrase,
    ),
    Rule(
        "chinese-password-spelt",
        CHINESE_PASSWORDS,
        rf"(?:{'|'.join(CHINESE_PASSWORDS)})[^.!?。;\n]{{0,24}}?[:是为][ \t]{{0,4}}(?="
        rf"(?P<value>[a-z]{{2,12}}(?: [a-z]{{1,12}}){{3,11}}))",
        judge_phrase,
        at=AT_CHINESE_PASSWORD,
    ),
    Rule(
        "password-after-value",
        ("password", "passphrase", "passcode", "apikey", "api-key", "token", "key", "code", "pin"),
        r"\s(?:is|was|as)\s{1,4}(?:my|the|our|his|her|their|your|a|an)\s{1,4}"
        r"(?:[\w'-]{1,24}\s{1,4}){0,3}?"
        r"(?P<noun>password|passphrase|passcode|api[ -]?key|token|key|code|pin)(?![a-z])",
        judge_value_before,
    ),
    Rule(
        "chinese-password-after-value",
        ("密码", "口令"),
        r"\s{0,2}(?:这?就?是|当作?|作为|做|为|[设改定]成|[设改定]为|用作)(?:我们?|你|他|她|咱们|公司|"
        r"家里|这个|那个)?的?[a-z0-9\u3400-\u9fff]{0,8}?(?:密码|口令)",
        judge_value_before,
    ),
)
