"""Which credentials are known by their own shape? Providers' keys, key blocks, tokens, hashes."""

from __future__ import annotations

import re
from typing import Final

from memweir.store.folding import Folded
from memweir.store.gate_rules import Rule
from memweir.store.secret_values import is_key_body

__all__ = ["PROVIDER_PREFIXES", "SHAPE_RULES"]

_WIDE: Final = "A-Za-z0-9_-"
_ALNUM: Final = "A-Za-z0-9"
_LOWER_HEX: Final = "a-f0-9"

# Name, prefix, alphabet of the body, least length of the body, whether the prefix is in keys only.
PROVIDER_PREFIXES: Final[tuple[tuple[str, str, str, int, bool], ...]] = (
    ("anthropic-key", "sk-ant-", _WIDE, 10, True),
    ("openai-project-key", "sk-proj-", _WIDE, 10, True),
    ("openai-service-key", "sk-svcacct-", _WIDE, 10, True),
    ("openrouter-key", "sk-or-v1-", _WIDE, 10, True),
    ("openai-key", "sk-", _WIDE, 16, False),
    ("github-token", "ghp_", _ALNUM, 16, True),
    ("github-oauth-token", "gho_", _ALNUM, 16, True),
    ("github-user-token", "ghu_", _ALNUM, 16, True),
    ("github-server-token", "ghs_", _ALNUM, 16, True),
    ("github-refresh-token", "ghr_", _ALNUM, 16, True),
    ("github-fine-grained-token", "github_pat_", "A-Za-z0-9_", 16, True),
    ("gitlab-token", "glpat-", _WIDE, 14, True),
    ("gitlab-deploy-token", "gldt-", _WIDE, 14, True),
    ("gitlab-runner-token", "glrt-", _WIDE, 14, True),
    ("aws-access-key", "AKIA", "A-Z0-9", 16, True),
    ("aws-session-key", "ASIA", "A-Z0-9", 16, False),
    ("google-api-key", "AIza", _WIDE, 20, True),
    ("google-oauth-token", "ya29.", _WIDE, 20, True),
    ("google-client-secret", "GOCSPX-", _WIDE, 16, True),
    ("slack-bot-token", "xoxb-", _WIDE, 10, True),
    ("slack-user-token", "xoxp-", _WIDE, 10, True),
    ("slack-app-token", "xapp-", _WIDE, 10, True),
    ("slack-workspace-token", "xoxa-", _WIDE, 10, True),
    ("slack-refresh-token", "xoxr-", _WIDE, 10, True),
    ("slack-session-token", "xoxs-", _WIDE, 10, True),
    ("slack-client-token", "xoxc-", _WIDE, 10, True),
    ("slack-cookie", "xoxd-", _WIDE, 10, True),
    ("stripe-secret-key", "sk_live_", _ALNUM, 10, True),
    ("stripe-test-key", "sk_test_", _ALNUM, 10, True),
    ("stripe-restricted-key", "rk_live_", _ALNUM, 10, True),
    ("stripe-restricted-test-key", "rk_test_", _ALNUM, 10, True),
    ("stripe-webhook-secret", "whsec_", "A-Za-z0-9+/=", 16, True),
    ("huggingface-token", "hf_", _ALNUM, 20, False),
    ("npm-token", "npm_", _ALNUM, 20, False),
    ("pypi-token", "pypi-Ag", _WIDE, 16, True),
    ("rubygems-key", "rubygems_", _ALNUM, 20, False),
    ("docker-token", "dckr_pat_", _WIDE, 16, True),
    ("digitalocean-token", "dop_v1_", _LOWER_HEX, 16, True),
    ("sendgrid-key", "SG.", "A-Za-z0-9_.-", 30, False),
    ("shopify-token", "shpat_", "a-fA-F0-9", 16, True),
    ("shopify-secret", "shpss_", "a-fA-F0-9", 16, True),
    ("square-token", "sq0atp-", _WIDE, 16, True),
    ("square-secret", "sq0csp-", _WIDE, 16, True),
    ("notion-token", "ntn_", _ALNUM, 20, True),
    ("linear-key", "lin_api_", _ALNUM, 16, True),
    ("figma-token", "figd_", _WIDE, 16, True),
    ("databricks-token", "dapi", _LOWER_HEX, 32, True),
    ("supabase-token", "sbp_", _LOWER_HEX, 20, True),
    ("groq-key", "gsk_", _ALNUM, 20, True),
    ("xai-key", "xai-", _ALNUM, 20, False),
    ("perplexity-key", "pplx-", _ALNUM, 20, True),
    ("replicate-token", "r8_", _ALNUM, 20, False),
    ("nvidia-key", "nvapi-", _WIDE, 20, True),
    ("vault-token", "hvs.", _WIDE, 20, True),
    ("vault-batch-token", "hvb.", _WIDE, 20, True),
    ("age-key", "AGE-SECRET-KEY-1", "A-Z0-9", 20, True),
    ("atlassian-token", "ATATT3", "A-Za-z0-9_=-", 20, True),
    ("postman-key", "PMAK-", "a-f0-9-", 20, True),
    ("grafana-token", "glsa_", "A-Za-z0-9_", 20, True),
    ("new-relic-key", "NRAK-", "A-Z0-9", 20, True),
    ("doppler-token", "dp.pt.", _ALNUM, 20, True),
    ("mailgun-key", "key-", _LOWER_HEX, 32, True),
    ("aliyun-key", "LTAI", _ALNUM, 12, False),
    ("tencent-key", "AKID", _ALNUM, 16, False),
)

_WRAP: Final = r"(?:[ \t]{0,8}\r?\n[ \t]{0,8})"
_SPACE: Final = r"\s{0,20}"  # what a line break with its indentation may put inside a key


def _prefix_rule(name: str, prefix: str, alphabet: str, least: int, sure: bool) -> Rule:
    """A key by its prefix: in one piece, spaced, or broken over lines."""

    def judge(match: re.Match[str], _: Folded) -> bool:
        return is_key_body(match["value"], least=least, sure=sure)

    spaced = _SPACE.join(map(re.escape, prefix))
    body = rf"(?=(?P<value>(?:[{alphabet}]{_SPACE}){{{least},100}}))"
    return Rule(
        name, (prefix.lower(),), rf"(?<![A-Za-z0-9]){spaced}{_SPACE}{body}", judge, view="exact"
    )


SHAPE_RULES: Final[tuple[Rule, ...]] = (
    *(_prefix_rule(*row) for row in PROVIDER_PREFIXES),
    Rule(
        "private-key-block",
        ("privatekey",),
        r"-{2,5}\s{0,8}begin[\w ]{0,40}private\s{1,8}key(?:\s{1,8}block)?\s{0,8}-{2,5}",
    ),
    Rule("putty-private-key", ("putty-user-key-file",), r"putty-user-key-file-\d"),
    Rule("json-web-key", ('"kty"',), r"\"d\"\s{0,4}:\s{0,4}\"[a-z0-9_-]{20,}"),
    Rule(
        "json-web-token",
        ("eyj",),
        rf"(?<![\w-])e{_WRAP}?y{_WRAP}?J[\w-]{{4,}}+(?:{_WRAP}[\w-]++){{0,4}}{_WRAP}?\.{_WRAP}?"
        rf"[\w-]{{8,}}+(?:{_WRAP}[\w-]++){{0,40}}{_WRAP}?\.{_WRAP}?[\w-]{{4,}}+",
        view="exact",
    ),
    Rule("telegram-bot-token", (":aa",), r"(?<![\w:])\d{8,10}:AA[\w-]{30,}", view="exact"),
    Rule(
        "password-hash",
        ("$2", "$1$", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "pbkdf2_sha", "pbkdf2:sha", "scrypt:"),
        r"\$2[abxy]?\$\d\d\$[./a-z0-9]{50,}|\$(?:1|5|6|y|apr1)\$[./a-z0-9=,]{1,40}\$[./a-z0-9$]{20,}"
        r"|\$argon2(?:id|i|d)\$[\w=,$]{1,80}\$[+/a-z0-9]{10,}"
        r"|(?:pbkdf2[_:]sha\d{1,3}|scrypt)[:$][\d:]{1,40}\$[\w/+=]{1,40}\$[\w/+=]{20,}",
    ),
    Rule(
        "chat-webhook",
        ("hooks.slack.com/", "api/webhooks/", "robot/send?", "open-apis/bot/", "webhook/send?key="),
        r"hooks\.slack\.com/(?:services|workflows)/t\w+/\w+/\w{8,}"
        r"|discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}|robot/send\?access_token=\w{20,}"
        r"|open-apis/bot/(?:v2/)?hook/[\w-]{20,}|webhook/send\?key=[\w-]{20,}",
    ),
    Rule(
        "recovery-phrase",
        (
            *("seedphrase", "recoveryphrase", "backupphrase", "mnemonic", "seedwords", "recoverywords"),
            *("助记词", "恢复短语"),
        ),
        r"(?:(?:seed|recovery|mnemonic|backup)\s{1,4}(?:phrase|words)|mnemonic|助记词|恢复短语)"
        r"\s{0,4}(?:is|are|was|是|为)?\s{0,4}[:=]?\s{0,8}[\"'`]?"
        r"(?:(?:\d{1,2}[.)]\s{0,4})?(?:[a-z]{3,8}|[\u3400-\u9fff])[\s,]{1,8}){11,23}"
        r"(?:\d{1,2}[.)]\s{0,4})?(?:[a-z]{3,8}|[\u3400-\u9fff])(?![a-z])",
    ),
)
