"""Which credentials stand in commands, settings and links? What the place before them says of them.

A directive of a server ("requirepass …"), an argument of a command ("htpasswd -b file user …"), a
parameter of a link ("…&sig=…"): the place is a credential's by its own definition, so that nearly any
value counts.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import LazyPattern, Rule, hints
from memweir.store.secret_tokens import bare_token, is_random, token_kind
from memweir.store.secret_values import is_placeholder, is_pointer, is_prose, looks_secret, read_value

__all__ = ["COMMAND_RULES"]


def _judge_value(match: re.Match[str], text: Folded) -> bool:
    """Any value but a placeholder, an option or a word of a sentence."""
    value = read_value(text.exact[match.start("value") : match.end("value")])
    if len(value.text) < 3 or value.text.startswith(("-", "/", "<", "$")):
        return False
    return not is_pointer(value) and not is_prose(value)


def _judge_defined(match: re.Match[str], text: Folded) -> bool:
    """`#define TOKEN_IDENTIFIER 258` numbers the kinds of a parser."""
    value = text.exact[match.start("value") : match.end("value")]
    return _judge_value(match, text) and not (value.isdigit() and len(value) < 6)


def _judge_mixed(match: re.Match[str], text: Folded) -> bool:
    """A value that no word would be."""
    value = read_value(text.exact[match.start("value") : match.end("value")])
    return _judge_value(match, text) and looks_secret(value.text, least=4)


def _judge_random(match: re.Match[str], text: Folded) -> bool:
    """Characters of chance: letters and digits mixed, sixteen and more."""
    value = text.exact[match.start("value") : match.end("value")].strip("\"'`")
    if value.startswith(("wx", "ww", "cli_", "ding")):
        return False  # names of applications, told to everybody
    return token_kind(bare_token(value)) in ("key", "hex") and not is_placeholder(value)


def _judge_setting(match: re.Match[str], text: Folded) -> bool:
    """`REDIS_AUTH=hong_cha_88`: a made-up value where the name leaves it open what it holds."""
    if _judge_random(match, text):
        return len(match["value"]) >= 12
    value = text.exact[match.start("value") : match.end("value")].strip("\"'`")
    return (
        _LOGIN_NAME.match(match.group()) is not None
        and not is_placeholder(value)
        and token_kind(value) in ("strong", "medium", "weak")
    )


def _judge_parameter(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")]
    if is_placeholder(value) or value.strip("xX*") == "":
        return False
    if match["sure"]:
        return len(value) >= 4 and (len(value) >= 16 or any(c.isdigit() for c in value))
    return len(value) >= 16 and (token_kind(value) in ("key", "hex") or is_random(value))


def _judge_made_up(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")]
    return not is_placeholder(value) and token_kind(value) in ("strong", "medium", "key")


def _judge_literal(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")].strip("\"'")
    return not is_placeholder(value) and token_kind(value) in ("strong", "medium", "key")


def _judge_path(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")]
    value = _FEED.pattern.sub("", value)
    uuid = len(value) == 36 and value.count("-") == 4
    return token_kind(value) in ("key", "hex") and (not uuid or _HOOK.search(match.group()) is not None)


def _judge_user_info(match: re.Match[str], text: Folded) -> bool:
    """`https://token@host`: a user's name is no random run, a key is."""
    group = "value" if match["value"] else "second"
    value = text.exact[match.start(group) : match.end(group)]
    if group == "value":
        return not is_placeholder(value)
    return is_random(value) or (len(value) >= 20 and token_kind(value) in ("key", "hex"))


def _judge_cookie(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")]
    if is_placeholder(value) or "(" in value:
        return False
    digits = sum(c.isdigit() for c in value)
    return digits >= 3 and any(c.isalpha() for c in value) and _EXPRESSION.match(value) is None


def _judge_basic(match: re.Match[str], text: Folded) -> bool:
    """`"auth": "…"`: base64 of `user:password`."""
    value = text.exact[match.start("value") : match.end("value")]
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def _judge_oracle(match: re.Match[str], text: Folded) -> bool:
    value = text.exact[match.start("value") : match.end("value")]
    return not is_placeholder(value) and value.lower() not in ("password", "pass", "pwd")


_LOGIN_NAME = LazyPattern(r"\w{2,40}_(?:auth|creds?|credentials?)[ \t]{0,2}[=:]")
_FEED = LazyPattern(r"\.(?:xml|ics|json|rss|atom)$")
_HOOK = LazyPattern(r"(?i)hooks?/|webhooks?/|incoming")
_EXPRESSION = LazyPattern(r"[A-Za-z_][\w.]*\[|https?:|/")
_WORD: Final = r"(?P<value>\"[^\"\n]{2,80}\"|'[^'\n]{2,80}'|[^\s\"'|;<>]{2,128})"
_LINE: Final = r"(?:^|(?<=[\n\"'`])|(?<=\\n)|(?<=: )|(?<=\) ))[ \t>$#-]{0,16}"

_COOKIES: Final = (
    r"li_at|sessdata|bduss(?:_bfess)?|stoken|ptoken|z_c0|music_u|laravel_session|ci_session|"
    r"_gitlab_session|_session_id|"
    r"user_session|web_session|sessionid_ss|sessionid|session_?(?:id|key|token)?|phpsessid|"
    r"jsessionid|asp\.net_sessionid|"
    r"\.aspxauth|\.aspnetcore\.[\w.]{1,40}|connect\.sid|remember_(?:me|token|web_\w{1,64}|"
    r"user_token)|auth_token|pt_key|wskey|"
    r"wordpress_logged_in_\w{1,64}|__(?:secure|host)-[\w.-]{1,64}|cf_clearance|sapisid|apisid|hsid|"
    r"ssid|sid(?:cc)?|xs|ct0|twid|"
    r"_t|jwt|id_token|passport_\w{1,32}|sso_?(?:token|session)?|access_?token|refresh_?token|"
    r"login_?token|ticket|castgc|tgc|"
    r"bili_jct|dedeuserid__ckmd5|skey|p_skey|wxuin|pass_ticket|subp?|_m_h5_tk|cookie2|unb|"
    r"authelia_session|grafana_session|next-auth\.[\w.-]{1,40}|"
    r"_shopify_s|sb-[\w.-]{1,64}|kc_\w{1,40}|keycloak_\w{1,32}|oidc\.[\w.-]{1,40}|mod_auth_\w{1,40}|"
    r"_oauth2_proxy\w{0,20}"
)

COMMAND_RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "braced-password",
        ("={",),
        r"(?<![a-z])(?:pwd|password)[ \t]{0,2}=[ \t]{0,2}\{(?P<value>[^{}\n]{4,64})\}",
        _judge_made_up,
    ),
    Rule(
        "server-directive",
        hints(
            "requirepass masterauth auth-pass bindpw rootpw auth_pass wpa_passphrase psk= psk: "
            "snmp-server community "
            "enablesecret enablepassword privilege hostapd ppp sasl authenticationkey md5key"
        ),
        rf"(?:(?<![a-z_-])(?:requirepass|masterauth|bindpw|(?:olc)?rootpw|auth_pass|wpa_passphrase|"
        rf"sae_password)[ \t=:]{{1,8}}|{_LINE}(?:"
        r"sentinel[ \t]auth-pass[ \t]\S{1,64}[ \t]|(?:wpa_|sae_)?psk[ \t]{0,4}[=:][ \t]{0,4}"
        r"|snmp-server[ \t]community[ \t]|r[ow]community6?[ \t]|com2sec6?[ \t]\S{1,64}[ \t]\S{1,64}[ "
        r"\t]"
        r"|enable[ \t](?:secret|password)[ \t](?:[05789][ \t])?|username[ \t]\S{1,64}[ \t]"
        r"(?:privilege[ \t]\d{1,2}[ \t])?(?:secret|password)[ \t](?:[05789][ \t])?"
        r"|(?:ntp[ \t])?authentication-key[ \t]\d{1,5}[ \t]md5[ \t]|pre-shared-key[ \t](?:local[ \t]|"
        r"remote[ \t])?|key-string[ \t]))" + _WORD,
        _judge_value,
    ),
    Rule(
        "defined-name",
        hints("#define env setenv set-x"),
        r"(?:#define|(?<![A-Za-z])(?:ENV|setenv|set[ \t]-x))[ \t]{1,4}\w{0,40}(?:PASS|PASSWORD|"
        r"PASSWD|PWD|SECRET|TOKEN|API_?KEY|PSK|CREDENTIAL)\w{0,20}[ \t]{1,8}" + _WORD,
        _judge_defined,
        view="exact",
    ),
    Rule(
        "login-call",
        hints("auth=( login( connect( authenticate( add_credentials( basicauth( sign_in("),
        r"(?<![a-z])(?:auth[ \t]?=[ \t]?|login|connect|authenticate|add_credentials|"
        r"(?:http)?basicauth|sign_in)\([ \t]{0,4}[\"'][^\"'\n]{1,64}[\"'],[ \t]{0,4}"
        r"(?P<value>[\"'][^\"'\n]{3,80}[\"'])",
        _judge_literal,
    ),
    Rule(
        "secure-string",
        ("securestring",),
        rf"convertto-securestring[ \t]{{1,4}}(?:-string[ \t])?{_WORD}",
        _judge_value,
    ),
    Rule(
        "redis-auth",
        ("auth",),
        rf"(?<![A-Za-z-])AUTH[ \t](?:default[ \t])?{_WORD}",
        _judge_mixed,
        view="exact",
    ),
    Rule(
        "piped-password",
        hints("dockersecret sudo-s chpasswd --stdin --password-stdin passwd<<< cryptsetup"),
        rf"(?:echo|printf|<<<)[ \t](?:-\w{{1,3}}[ \t])?(?=[\"']?(?:[\w.-]{{1,32}}:)?){_WORD}[ "
        rf"\t]{{0,4}}(?:\|[^|\n]{{0,60}}?"
        r"(?:sudo[ \t]-\w*s|chpasswd|-stdin|cryptsetup|gpg|kinit|docker[ \t]secret|su[ \t])|$)",
        _judge_value,
    ),
    Rule(
        "htpasswd-argument",
        ("htpasswd",),
        rf"(?<![a-z./])htpasswd[ \t](?:-\w{{1,8}}[ \t]){{0,4}}-\w{{0,6}}b\w{{0,6}}[ \t]"
        rf"(?:-\w{{1,8}}[ \t]){{0,4}}(?:\S{{0,200}}[ \t])?[\w.@-]{{1,64}}[ \t]{_WORD}",
        _judge_value,
    ),
    Rule(
        "command-argument",
        hints(
            "netuse netuser schtasks openssl unrar vncviewer pdftk rclone plain-text-password "
            "smbclient rpcclient lftp ssh-keygen -storepass -keypass -srcstorepass -deststorepass "
            "signtool rabbitmqctl "
            "cmdkey wpa_passphrase mosquitto cqlsh ipmitool influx nmcli rcloneobscure useradd "
            "usermod vncpasswd mosquitto_pub "
            "sshpass wevtutil psexec winrs xfreerdp"
        ),
        r"(?:(?<![a-z])net[ \t](?:use[ \t](?:\w:[ \t])?\S{2,200}[ \t](?!/)|user[ \t]\S{1,64}[ \t]"
        r"(?!/))|schtasks[^\n|;]{0,160}?[ \t]/rp[ \t]|(?:smbclient|rpcclient|smbmap|"
        r"crackmapexec)[^\n|;]{0,120}?-u[ \t]?[^\s%]{1,64}%"
        r"|lftp[^\n|;]{0,60}?-u[ \t]?[^\s,]{1,64},|ssh-keygen[^\n|;]{0,120}?[ \t]-[np][ \t](?!-)|-"
        r"(?:src|dest)?(?:storepass|keypass)(?:[ \t]|=|:)"
        r"|signtool[^\n|;]{0,160}?[ \t]/p[ \t]|rabbitmqctl[ \t](?:-\S{1,20}[ \t]){0,3}(?:add_user|"
        r"change_password|authenticate_user)[ \t]\S{1,64}[ \t]"
        r"|cmdkey[^\n|;]{0,160}?/pass:|wpa_passphrase[ \t]\S{1,64}[ \t]|mosquitto_\w{3}[^\n|"
        r";]{0,160}?[ \t]-p[ \t]"
        r"|cqlsh[^\n|;]{0,120}?[ \t]-p[ \t]|ipmitool[^\n|;]{0,160}?[ \t]-p[ \t]|influx[^\n|"
        r";]{0,120}?[ \t]-password[ \t]"
        r"|nmcli[^\n|;]{0,160}?[ \t](?:wifi-sec\.psk|password)[ \t]|rclone[ \t]obscure[ \t]|user"
        r"(?:add|mod)[^\n|;]{0,120}?[ \t]-p[ \t]"
        r"|openssl[ \t]enc[^\n|;]{0,120}?[ \t]-k[ \t]|unrar[^\n|;]{0,60}?[ \t]-p|vncviewer[^\n|"
        r";]{0,60}?-passwd[ \t]|rclone[^\n|;]{0,120}?[ \t]pass[ \t]"
        r"|pdftk[^\n|;]{0,120}?[ \t](?:input|user|owner)_pw[ \t]|plain-text-password[ \t]|psexec[^\n|"
        r";]{0,160}?[ \t]-p[ \t]|xfreerdp[^\n|;]{0,160}?[ \t]/p:)" + _WORD,
        _judge_value,
    ),
    Rule(
        "oracle-login",
        hints("sqlplus sqlldr rman thin: impdp expdp"),
        r"(?:(?<![a-z])(?:sqlplus|sqlldr|rman|impdp|expdp|imp|exp)(?:[ \t]-\w{1,4}){0,3}[ \t]"
        r"(?:target[ \t])?|jdbc:oracle:(?:thin|oci):)"
        r"[\"']?[\w.$-]{1,32}/(?P<value>[^\s@/\"']{2,64})@",
        _judge_oracle,
    ),
    Rule(
        "slash-login",
        ("@",),
        r"(?<![\w/.@-])[A-Za-z][\w$]{1,31}/(?P<value>[^\s@/\"'`]{5,64})@[\w.-]{1,253}"
        r"(?::\d{2,5})?[/:][\w.]{2,64}",
        _judge_made_up,
        view="exact",
    ),
    Rule(
        "named-element",
        ("</",),
        r"<[\w:.-]{1,40}[^<>]{0,120}?(?:name|key|id)\s{0,2}=\s{0,2}[\"'][\w.-]{0,60}(?:passw(?:or)?d|"
        r"pwd|secret|token|api[_.-]?key|credential)[\"'][^<>]{0,80}>"
        r"\s{0,20}(?P<value>[^<>\s][^<>\n]{1,160})</",
        _judge_value,
    ),
    Rule(
        "driver-address",
        ("@tcp(", "@unix(", "@(", "@//", "@["),
        r"(?<![\w:/])[\w.-]{1,64}:(?P<value>[^\s:@/\"']{2,128})@(?:(?:tcp|unix|udp)\(|\(|//)",
        _judge_oracle,
    ),
    Rule(
        "pgpass-line",
        (":5432:", ":3306:", ":*:", ":5433:", ":6432:"),
        r"(?:^|(?<=[\s\"'`]))[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:"
        r"(?P<value>[^\s\"'`]{2,128})",
        _judge_value,
    ),
    Rule(
        "registry-auth",
        ("auth",),
        r"[\"'](?:_?auth|identitytoken)[\"']\s{0,4}:\s{0,4}[\"']"
        r"(?P<value>[A-Za-z0-9+/]{8,512}={0,2})[\"']",
        _judge_basic,
        view="exact",
    ),
    Rule(
        "directory-hash",
        hints("{sha} {ssha} {ssha512} {crypt} {md5} {smd5} aad3b435 {pbkdf2 {argon2}"),
        r"\{(?:s?sha\d{0,3}|crypt|s?md5|pbkdf2[\w-]{0,12}|argon2|cleartext)\}[\w+/=.$]{12,}|"
        r"aad3b435b51404eeaad3b435b51404ee:[0-9a-f]{32}",
    ),
    Rule(
        "default-of-variable",
        ("variable",),
        r"variable[ \t]+\"[^\"\n]{0,60}(?:passw|secret|token|key|"
        r"credential)[^\"\n]{0,40}\"\s{0,4}\{[^}]{0,300}?default\s{0,4}=\s{0,4}"
        r"(?P<value>\"[^\"\n]{3,160}\")",
        _judge_value,
    ),
    Rule(
        "environment-key",
        (
            "_pat=",
            "_auth=",
            "_sid=",
            "_cookie=",
            "_dsn=",
            "_salt=",
            "_signature=",
            "_session=",
            "_license=",
            "_cred",
            "_ak=",
            "_sk=",
            "_pat:",
        ),
        r"(?<![a-z])\w{2,40}_(?:pat|auth|sid|cookie|dsn|salt|signature|session|license|creds?|"
        r"credentials?|ak|sk)[ \t]{0,2}[=:][ \t]{0,2}"
        r"(?P<value>[\"']?[A-Za-z0-9_.~+/=!@#$%^&*-]{6,512})",
        _judge_setting,
    ),
    Rule(
        "short-key-name",
        hints("ak sk pat appid appkey"),
        r"[AaSsPp](?<![\w-][AaSsPp])(?:[Kk]|AT|at|ppid|ppkey|PPID|ppKey)(?![A-Za-z-])[\"'` \t]{0,3}"
        r"(?:[:=是为]|is|->|→)?[\"'` \t]{0,3}"
        r"(?P<value>[A-Za-z0-9_.~+/=-]{16,512})",
        _judge_random,
        view="exact",
    ),
    Rule(
        "link-parameter",
        ("?", "&"),
        r"[?&;](?:(?P<sure>sig|(?:x-(?:amz|goog|oss)-|q-)?signature|(?:access|auth|private|feed|"
        r"refresh|id|session|login|reset|invite|share|api|bot|user|"
        r"csrf|magic|oauth|rss|upload|download)?[_-]?token|(?:api|app|access|auth|secret|private|"
        r"subscription)[_-]?key|appid|client[_-]?secret|"
        r"app[_-]?secret|secret|pwd|passwd|password|passcode|pass|auth|otp|ticket|jwt|sas|"
        r"x-amz-security-token|hmac|sign|magic|rlkey|authkey|auth_key|loginkey|login_key)|key|ak|sk|"
        r"code|t|k|s|st|sid|h|u|id|invite|c|e)="
        r"(?P<value>[\w%.~+/=!*-]{4,2000})",
        _judge_parameter,
    ),
    Rule(
        "link-path",
        ("://",),
        r"://[^\s/?#]{1,253}/(?:[^\s?#/]{0,80}/){0,8}?(?:(?:reset(?:-password)?|magic(?:-link)?|"
        r"invites?|invitations?|verify|confirm|activate|"
        r"hooks?|webhooks?|incoming|feeds?|shared?|private|secret|tokens?|auth|push|key|unsubscribe|"
        r"sso|otp|join|calendar|ical|sub|subscribe|integration|triggers?|dl|downloads?|link|v1|api|"
        r"u)[/-])"
        r"(?:[\w.-]{0,24}-)?(?P<value>[A-Za-z0-9_~.-]{16,512})(?=[/?#\s\"'`)>,。，]|$)",
        _judge_path,
        view="exact",
    ),
    Rule(
        "known-hook",
        hints(
            "webhook.office.com hooks.zapier.com maker.ifttt.com chat.googleapis.com hc-ping.com "
            "day.app/ ftqq.com/ sc3.ft07 "
            "private- hook.eu hook.us hook.integromat api.telegram.org/bot ntfy events.pagerduty "
            "discordapp.com/api "
            "ntfy.sh/ //hook logic.azure.com outlook.office.com hooks.slack.com/ pushplus "
            "api2.pushdeer gotify"
        ),
        r"ntfy\.sh/\w{12,}|//hooks?\.[\w.-]{3,80}/(?:[\w-]{1,40}/){0,4}[\w-]{20,}|"
        r"webhook\.office\.com/webhookb2/[\w-]{30,}|outlook\.office\.com/webhook/[\w-]{30,}|"
        r"hooks\.zapier\.com/hooks/catch/\d+/\w{5,}|/with/key/[\w-]{16,}"
        r"|chat\.googleapis\.com/v1/spaces/\S{4,40}key=\S{8,}|hc-ping\.com/[\w-]{20,}|"
        r"api\.day\.app/\w{16,}"
        r"|(?:sctapi|sc)\.ftqq\.com/\w{16,}|/private-[0-9a-f]{20,}/|hook\.(?:eu|"
        r"us)\d?\.make\.com/\w{16,}|hook\.integromat\.com/\w{16,}"
        r"|api\.telegram\.org/bot\d{6,}:[\w-]{20,}|hooks\.slack\.com/triggers/\w+/\d+/\w{16,}|"
        r"pushplus\.plus/send[^\s]{0,20}token=\w{16,}",
    ),
    Rule(
        "user-info-token",
        ("://",),
        r"(?:(?:ss|ssr|trojan|vless|vmess|hysteria2?|hy2|tuic|anytls|snell)://"
        r"(?P<value>[A-Za-z0-9+/=_-]{6,2000})(?=[@?#\s\"'`)]|$)"
        r"|(?:https?|git|ssh|sftp|postgres|mysql|amqps?|rediss?|mqtts?|nats|wss?)://"
        r"(?P<second>[^\s/@:\"'<>]{16,512})@)",
        _judge_user_info,
    ),
    Rule(
        "known-cookie",
        ("=", "z_c0", "sid:", "sid是", "sidis", "ssid为", "session:", "cookie:"),
        rf"(?<![\w.-])(?:{_COOKIES})(?:=|[ \t]{{0,3}}(?::|是|is)[ \t]{{0,3}})[\"']?"
        rf"(?P<value>[^\s;,\"'`<>{{}}，。]{{16,4000}})",
        _judge_cookie,
    ),
)
