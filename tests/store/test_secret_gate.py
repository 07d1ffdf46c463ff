"""Does the secret gate refuse every credential, in every disguise, and let ordinary text pass?

Keys are put together from pieces, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.errors import LimitError, SecretRefused
from memweir.store.folding import fold
from memweir.store.gates import Finding, check_fields, check_pair, fingerprint, scan_secrets
from memweir.store.secret_pairs import Tie, pair_finding
from memweir.store.secret_providers import PROVIDER_PREFIXES, PROVIDER_SHAPES, WHOLE_PREFIXES
from memweir.store.secret_rules import SECRET_RULES

KEY = b"a test key"
DATA = Path(
    os.environ.get("MEMWEIR_DATA") or Path(__file__).resolve().parents[2].parent / "shared" / "data"
)

B = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"  # 32 characters of base 62
HEX = "0123456789abcdef" * 2
UPPER = "IOSFODNN7EXAMPL2"  # 16 characters

POSITIVES = [
    # providers' keys
    "sk-" + B,
    "deepseek: sk-" + HEX,
    "sk-proj-" + B,
    "sk-proj-aB3-x9_Yz-12-Qw-34_er-TT",
    "sk-svcacct-" + B,
    "my key sk-ant-" + "api03-" + B,
    "sk-or-v1-" + HEX,
    "ghp_" + B + "abcd",
    "gho_" + B + "abcd",
    "ghs_" + B + "abcd",
    "github_pat_" + "11ABCDEFG0" + B,
    "glpat-" + B[:20],
    "AKIA" + UPPER,
    "ASIA" + UPPER,
    "aws_secret_access_key = " + B + "AbCd/+12",
    "AIza" + "Sy" + B + "x",
    "xoxb-" + "123456789012-" + B[:24],
    "xoxp-" + "123456789012-" + B[:24],
    "sk_live_" + B[:24],
    "sk_test_" + B[:24],
    "hf_" + B + "ab",
    "npm_" + B + "abcd",
    "pypi-" + "AgEIcHlwaS5vcmc" + B,
    "123456789:" + "AA" + B + "a",
    "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + B,
    "LTAI" + "5t" + B[:16],
    "AKID" + B[:32],
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey="
    + B
    + B
    + "==;EndpointSuffix=core.windows.net",
    "Endpoint=sb://bus/;SharedAccessKeyName=Root;SharedAccessKey=" + B + "=",
    "https://a.blob.core.windows.net/c?sv=2022&sig=" + B + "%3D",
    "hvs." + B,
    "SG." + B[:22] + "." + B,
    "gsk_" + B,
    "GOCSPX-" + B[:28],
    "https://hooks.slack.com/services/" + "T00000000/B00000000/" + B[:24],
    "https://oapi.dingtalk.com/robot/send?access_token=" + HEX,
    # key blocks and hashes
    "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow",
    "-----BEGIN PRIVATE " + "KEY-----",
    "-----BEGIN OPENSSH PRIVATE " + "KEY-----",
    "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----",
    '{"kty": "RSA", "d": "' + B + '"}',
    "root:$6$saltsalt$" + B + B + ":19000:0:99999:7:::",
    "$2b$12$" + B + B[:21],
    # headers, cookies, URLs, files, command lines
    "Authorization: Bearer " + B,
    "Authorization: Basic dXNlcjpodW50ZXIy",
    "curl -H 'authorization: token " + B + "' https://api.example.com",
    "Bearer " + B,
    "X-API-Key: " + B,
    "Cookie: session=" + HEX,
    "Set-Cookie: sid=s%3A" + B + "; Path=/; HttpOnly",
    "PHPSESSID=" + HEX,
    "https://ada:hunter2@example.com/repo.git",
    "postgres://user:pw@db.internal:5432/app",
    "postgresql+asyncpg://app:p4ss@localhost/app",
    "mongodb+srv://admin:hunter2@cluster0.abcde.mongodb.net/test",
    "redis://:pw@localhost:6379/0",
    "amqp://guest:guest@rabbit:5672/",
    "Server=db;Database=app;User Id=sa;Password=Hunter2!;",
    "server=db;uid=sa;pwd=hunter2",
    "machine api.example.com login ada password hunter2",
    "machine api.example.com\n  login ada\n  password hunter2",
    "mysql -u root -pSECRET app",
    "mysqldump --user=root -phunter2 app > dump.sql",
    "sshpass -p hunter2 ssh ada@host",
    "curl -u ada:hunter2 https://api.example.com",
    "redis-cli -h cache -a hunter2 ping",
    "7z x -phunter2 backup.7z",
    "unzip -P hunter2 backup.zip",
    "openssl rsa -in key.pem -passin pass:hunter2",
    "ldapsearch -D cn=admin -w hunter2 -b dc=example",
    "PuTTY-User-Key-" + "File-3: ssh-ed25519",
    "api key abcd1234efgh",
    "docker login -u ada -p hunter2",
    "mongosh db -u ada -p hunter2",
    "sqlcmd -S db -U sa -P hunter2",
    "deploy --password hunter2 --force",
    "deploy --password=hunter2",
    "gh auth login --token " + B,
    "tool --api-key abcd1234",
    "//registry.npmjs.org/:_authToken=" + B,
    "_auth=" + "YWRhOmh1bnRlcjI=",
    # assignments
    "DB_PASS=hunter2",
    "export MYSQL_PWD=hunter2",
    "PGPASSWORD=letmein psql",
    "DB_PASSWORD_PROD='letmein'",
    "dbPass: hunter2",
    "password=abc",
    "MYSQL_ROOT_PASSWORD=secret",
    "docker run -e POSTGRES_PASSWORD=password postgres",
    "DB password: secret",
    "密码：password",
    "password is web2024",
    "password = 'hunter2'",
    'password: "open sesame"',
    '"password": "hunter2"',
    '{"user": "ada", "passwd":"x1"}',
    "'secret': 'abcdef'",
    "password: hunter2",
    "Password:\n  hunter2",
    "**Password**: `hunter2`",
    "| password | hunter2 |",
    "<password>hunter2</password>",
    "password -> hunter2",
    "passphrase: correct horse battery staple",
    "passcode: 4711",
    "my password: letmein",
    "my password: пароль123",
    "my password: 海港之夜",
    "Password (staging): hunter2",
    "password for the router: hunter2",
    "pw: hunter2",
    "pwd=hunter2",
    "pass: hunter2",
    "user: ada, pass: hunter2",
    'api-key: "s3cretvalue123"',
    "api key: abcd-efgh-ijkl",
    "api_key=abcd1234",
    "apikey: abcd1234",
    "API Key：abcd1234",
    "OPENAI_API_KEY=foo-bar-baz",
    "client_secret: abcdefgh",
    "SECRET_KEY_BASE=" + HEX,
    "secret=topsecretvalue",
    "secret: banana42",
    "access token: " + HEX,
    "token=abc",
    "?access_token=" + HEX + "&x=1",
    "GITHUB_TOKEN=" + HEX,
    "access key: AB12CD34EF",
    "secret access key: " + B,
    "private_key: " + B,
    "Verification code: 482913",
    "Your verification code is 482913",
    "OTP: 482913",
    "my PIN is 4711",
    "CVV: 123" + "4",
    "seed phrase: " + "able acid also apex aqua arch atom aunt away axis baby back",
    "contraseña: hunter2",
    "пароль: hunter2",
    "パスワード：hunter2",
    "비밀번호: hunter2",
    "Passwort: hunter2",
    "pass word: hunter2",
    "p@ssw0rd: hunter2",
    "passwrod: hunter2",
    "password - hunter2",
    "credentials: admin / letmein",
    "login: ada/hunter2",
    "账号密码：admin/admin",
    "- name: DB_PASSWORD\n  value: letmein",
    '<add key="Password" value="letmein" />',
    "CREATE USER ada PASSWORD 'hunter2'",
    "ALTER USER ada IDENTIFIED BY 'letmein'",
    'setPassword("hunter2")',
    "ENV API_TOKEN abcdef123456",
    "alarm code: 4711",
    "the gate code is 4711",
    "the code to the safe is 4711",
    "Mac WiFi password\nhunter2",
    # sentences
    "password is hunter2",
    "password是hunter2",
    "api key 是 abcd1234",
    "la contraseña es hunter2",
    "my pass is hunter2",
    "my API key abcd1234efgh",
    "The password is hunter2.",
    "my password is dragon",
    "the wifi password is swordfish, tell no one else",
    "our password is now hunter2",
    "the admin password was changed to Winter2024!",
    "The password for the admin panel is hunter2",
    "set the password to hunter2",
    "my password is correct horse battery staple",
    "my wifi password is sunflower-garden",
    "PIN of the company card: 4821",
    "the PIN for the door is 4931",
    "the admin login is rosa / Sunflower2024!",
    'the passphrase is "open sesame"',
    "the API key is abcd1234efgh",
    "the token is " + HEX,
    "WiFi password hunter2",
    "hunter2 is my password",
    "use hunter2 as the password",
    "username: ada password: letmein",
    "login admin password letmein",
    # Chinese
    "密码：海港之夜2026",
    "密码:123456",
    "密码=hunter2",
    "密码是hunter2",
    "密码是 海港之夜",
    "我的密码是“芝麻开门”",
    "密码为 Abc12345",
    "登录密码改成了 Winter2024",
    "密码现在是 hunter2",
    "数据库密码设置为 root123",
    "WiFi 密码 hunter2",
    "WiFi密码hunter2，别外传",
    "银行卡密码是 123456",
    "默认初始化一个超级管理员用户：admin 密码：123456 。请登录后重新设置密码。",
    "腾讯会议：123-456-789\n密码：morning",
    "密码（路由器）：hunter2",
    "密碼：海港之夜",
    "密碼是 hunter2",
    "口令：芝麻开门",
    "口令是 open-sesame-1",
    "令牌：abcd1234",
    "密钥：" + B,
    "私钥是 " + HEX,
    "门禁密码 8842",
    "解压密码：www.example.com",
    "提取码：a1b2",
    "token是" + HEX,
    "身份令牌 abcd1234efgh5678",
    "金鑰：abcd1234",
    "通行码：9527",
    "验证码：482913",
    "验证码是 482913",
    "驗證碼 482913",
    "账号 admin 密码 letmein",
    "账号：ada，密码：letmein",
    "hunter2 是我的密码",
    "API 密钥：abcd1234efgh",
    # disguises
    "ｐａｓｓｗｏｒｄ：hunter2",
    "ＤＢ＿ＰＡＳＳ＝ｈｕｎｔｅｒ２",
    "pass\u200bword: hunter2",
    "pass\u00adword: hunter2",
    "p\u2060a\u2060s\u2060s\u2060w\u2060o\u2060r\u2060d: hunter2",
    "密\u200b码：hunter2",
    "gh\u200bp_" + B[:10] + "\u200d" + B[10:] + "abcd",
    "раssword: hunter2",  # Cyrillic р and а
    "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝: hunter2",
    "pa\u0301sswo\u0308rd: hunter2",
    "pass\x00word: hunter2",
    "PASSWORD: hunter2",
    "PaSsWoRd = hunter2",
    "sk-ant-api03-" + B[:5] + "\n" + B[5:] + B,
    "sk-an\nt-api03-" + B,
    "ghp_" + B[:8] + "\n    " + B[8:],
    "ghp_" + " ".join(B[n : n + 4] for n in range(0, 32, 4)),
    "A K I A I O S F O D N N 7 E X A M P L 2",
    "sk‑proj‑" + B,  # non-breaking hyphens
]

# One text for each rule that finds nothing of the above first.
BY_RULE = [
    ("json-web-secret", '{"kty":"oct",  "k": "' + B + '"}'),
    ("recovery-codes", "backup codes: 4f9k-2m7p, 8x3q-5r1t, 7h2j-9w4e"),
    ("key-bytes", "wallet keypair: [" + ", ".join(str((37 * n) % 256) for n in range(64)) + "]"),
    ("bitlocker-key", "printed on the card, " + "-".join(str(100_003 + 111_111 * n) for n in range(8))),
    ("one-time-seed", "the authenticator wants JBSWY3DPEHPK3PXP, type it by hand"),
    ("one-time-url", "otpauth://totp/Acme:ada?secret=JBSWY3DPEHPK3PXP&issuer=Acme"),
    ("wallet-key", "5" + (B + B)[:50].replace("0", "z")),
    ("extended-private-key", "x" + "prv9s21ZrQH143K" + (B + B).replace("0", "z")[:60]),
    ("account-key", "A3-" + "K7Q2WN-8MP4XR-J5T9B-V3H6C-D2F8G-L4Y7Z"),
    ("split-key", "the signing secret, in parts: f2c2e75d 6b21c460 09ab77e1 5d4c3b2a"),
    ("app-password", "app password for the mailer (qmzk wvrt plxc hnbd)"),
    ("security-answer", "security question, first pet → Quokka-7"),
    ("security-answer", "密保问题答案：阿黄3号"),
    ("basic-credentials", "send Basic " + "YWRhOmh1bnRlcjI="),
    ("encoded-login", "the login in base64 is " + "YWRhOmh1bnRlcjJodW50ZXI="),
    ("azure-signature", "sig=" + B + "%3D"),
    ("braced-password", "Driver=x;UID=ada;PWD={kestrel;blue 9}"),
    ("server-directive", "requirepass lanternfish"),
    ("login-call", 'smtp.login("ada@example.org", "Kestrel#44")'),
    ("secure-string", "ConvertTo-SecureString 'lantern' -AsPlainText -Force"),
    ("redis-auth", "redis> AUTH kestrel44blue"),
    ("piped-password", "echo lanternfish | docker login --password-stdin -u ada"),
    ("htpasswd-argument", "htpasswd -bc /etc/nginx/users ada lanternfish"),
    ("command-argument", "net use Z: \\\\nas\\share lanternfish /user:ada"),
    ("oracle-login", "sqlplus scott/lantern@orcl"),
    ("slash-login", "connect scott/Kestrel44@db.example.org:1521/orcl"),
    ("named-element", '<property name="db.password">lanternfish</property>'),
    ("driver-address", "ada:lanternfish@tcp(10.0.0.4:3306)/app"),
    ("pgpass-line", "db.example.org:5432:app:ada:lanternfish"),
    ("registry-auth", '"auth": "' + "YWRhOmxhbnRlcm5maXNo" + '"'),
    ("directory-hash", "userPassword {SSHA}" + B[:28]),
    ("default-of-variable", 'variable "db_password" {\n  default = "lanternfish"\n}'),
    ("environment-key", "GRAFANA_PAT=" + B),
    ("short-key-name", "ak " + HEX[:30] + " sk " + B),
    ("link-path", "https://example.org/invite/" + B),
    ("known-hook", "https://hooks.zapier.com/hooks/catch/123456/" + "a1b2c3d"),
    ("user-info-token", "trojan://" + "lanternfish44@proxy.example.org:443"),
    ("known-cookie", "SESSDATA=" + B),
    ("token-beside", "GitLab token " + B),
    ("password-in-list", "network Plover, password tidepool"),
    ("password-it-is", "for the VPN password, it's tidepool"),
    ("password-answer", 'the passphrase prompt: the answer is "nine tin whistles"'),
    ("opens-with-phrase", "the archive opens with the phrase nine tin whistles"),
    ("password-word-named", "the password on it is just the word rhubarb"),
    ("password-figures", "the password which the old tenant left, 4410"),
    ("usual-name-and-password", "root with toor"),
    ("chinese-password-quoted", "口令“芝麻开门三六九”"),
    ("quoted-phrase", 'the code word we agreed on, "plover finch"'),
    ("quoted-answer", 'the vault answers to "nine tin whistles"'),
    ("short-labels", "u: ada p: lanternfish"),
    ("word-is-password", "tidepool is the printer password."),
    ("name-and-password", "log in as: bauer / Keller#Nr12"),
    ("network-key", "Wi-Fi of the cabin\nkey: lanternfish"),
    ("network-pair", "WLAN: Plover / lanternfish"),
    ("labelled-phrase", "passphrase for the ledger: four quiet lamps beneath the pier"),
    ("label-above", "Password\nKestrel.Blue"),
    ("opening-phrase", 'the sentence that unlocks the archive is "nine tin whistles"'),
    ("chinese-password-spelt", "密码是拼音：xiao yan zi chuan hua yi"),
    ("pin-code", "the keypad at the side door: 4471"),
    ("code-told", "to get in, enter the code 60417"),
    ("opens-with-figures", "the shed unlocks with 4471"),
    ("thing-figures", "the gate is shut after ten, 4471 then"),
    ("figures-for-thing", "press 4471 for the back door"),
    ("device-figures", "iPad: 4471"),
    ("figures-open", "4471# opens the gate"),
    ("chinese-door-figures", "到了按4471就能进门"),
    ("lock-combination", "combination of the padlock: 12-34-08"),
    ("combination-on", "dial 12-34-08 on the padlock"),
    ("figures-near-lock", "4471 then, the gate is shut after ten"),
    ("chinese-repeated", "开机密码就是六个8"),
    ("dial-combination", "the safe: left to 32, right to 7, left to 19"),
    ("chinese-pin", "车库门4471"),
    ("login-as-with", "log in to the wiki as guest with tidepool"),
    ("password-apposition", "The password, tidepool, still works"),
    ("password-is-now", "password reset yesterday and it is now tidepool"),
    ("with-the-password", "we sign with the password tidepool."),
    ("typed-when-asked", "unlock the archive, type tidepool when it asks"),
    ("chinese-typed", "密码一栏敲tidepool。"),
    ("chinese-colon", "密码还是老样子:tidepool"),
    ("chinese-listed", "管理员 密码 tidepool，别外传"),
    ("chinese-named-after", "密码是狗名拼音,wangcai88"),
    ("chinese-taken-as", "用 tidepool 当密码"),
    ("credential-in-sentence", "sudo on the build host needs Kestrel#44"),
    ("slashed-pair", "后台用 demo/Yanshi#2468 登录"),
    ("compound-in-sentence", "the router asks for a word, use juniper-Wharf"),
    ("quoted-unlocks", '"Moonlit harbour 9" unlocks the old laptop'),
    ("asked-for", "type pelican/under/glass when it asks"),
    ("defined-name", '#define WIFI_PASSWORD "lanternfish"'),
    ("header-value", "send it in x-ledger-key, the value " + HEX),
    ("header-value", "with a static key, " + HEX + ", sent as X-Ledger-Key"),
    ("spelt-phrase", "盘的口令我设成了 qing ting dian shui kuan"),
    ("slash-password", "PW/Lantern!42harbour(登入後更改)"),
    ("link-parameter", "https://example.org/feed?access_token=" + B),
]

SHAPED = {
    "azure-client-secret": "abc8Q~" + B + "ab",
    "terraform-token": B[:14] + ".atlasv1." + B * 2,
    "asana-token": "1/" + "1200000000000001:" + HEX,
    "discord-bot-token": "M" + B[:23] + "." + B[:6] + "." + B[:30],
    "launchdarkly-sdk-key": "sdk-" + "01234567-89ab-cdef-0123-456789abcdef",
    "deepl-key": "01234567-89ab-cdef-0123-456789abcdef:fx",
    "mailchimp-key": HEX + "-us12",
    "zhipu-key": HEX + "." + B[:16],
    "facebook-app-token": "123456789012345" + "|" + B[:27],
    "firebase-server-key": "AAAA" + B[:7] + ":APA91" + B * 2,
    "maxmind-key": B[:6] + "_" + B + "_mmk",
    "salesforce-token": "00D" + B[:12] + "!" + B * 2,
    "airtable-token": "pat" + B[:14] + "." + HEX * 2,
    "harness-key": "pat." + B[:22] + "." + HEX[:24] + "." + B[:20],
    "baidu-access-token": "24." + HEX + ".2592000.1700000000.282335-12345678",
    "shared-access-signature": "sv=2022-11-02&sig=" + B[:24],
    "configcat-key": "configcat-sdk-1/" + B[:22] + "/" + B[:22],
    "mercury-token": "mercury_production_" + B[:24] + "_yrucrem",
    "fly-macaroon": "FlyV1 fm" + B * 2,
    "tencent-map-key": "ABCD2-EFGH3-IJKL4-MNOP5-QRST6-UVWX7",
    "openssh-key-body": "b3BlbnNzaC1rZXktdjE" + "AAAAABG5vbmUAAAAE",
    "turnstile-secret": "0x4AAAA" + B[:28],
    "apns-key-file": "AuthKey_ABCDE12345.p8 holds -----BEGIN",
}
# Halves of the texts above: a rule's beginning without its end, and the other way round.
FRAGMENTS = [
    part
    for text in (*POSITIVES, *(text for _, text in BY_RULE))
    for part in (text[: len(text) // 2], text[len(text) // 2 :])
]

NEGATIVES = [
    # identifiers that are not secrets
    "fixed in 3f2a9c1e5b7d8f0a1b2c3d4e5f60718293a4b5c6",
    "commit 3f2a9c1 broke the build",
    "request 550e8400-e29b-41d4-a716-446655440000 failed",
    "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "the config is in /home/ada/app/config/settings.toml",
    "C:\\Users\\ada\\AppData\\Local\\Temp",
    "branch feature/ABC-123-add-token-refresh",
    "we run Python 3.11.7 and PostgreSQL 16.2",
    "call me at +1 415 555 0123",
    "手机号 13800138000",
    "邮箱是 ada@example.com",
    "pip install scikit-learn==1.4.2",
    "npm_config_registry points at the mirror",
    "hf_hub_download fetches one file",
    "sk-learn is a common misspelling",
    "sk-learn-compatible-estimators-are-easy-to-write",
    "skim the report before Friday",
    "risk-adjusted return and task-oriented dialogue",
    "AKIA is the prefix of AWS access keys",
    "GitHub tokens start with ghp_ and GitLab's with glpat-",
    "keys look like sk-ant-api03-... in the docs",
    "https://example.com:8443/path?page=2",
    "ssh://git@github.com:22/ada/app.git",
    "git@github.com:ada/app.git",
    "see https://docs.python.org/3/library/secrets.html",
    "open http://localhost:3000 and http://127.0.0.1:8080/@vite/client",
    "image: registry.example.com/app@sha256:" + HEX + HEX,
    # talk about passwords
    "the password policy requires 12 characters",
    "I forgot my password",
    "reset the password every 90 days",
    "The password is required.",
    "Password is incorrect",
    "the password is stored in the vault",
    "the password is too short for the policy",
    "password is case-sensitive",
    "the password is copied to your clipboard for 5 seconds",
    "The password is 12 characters long",
    "Password: must be at least 12 characters",
    "Password: required",
    "password: string",
    "password is base64 encoded",
    "the password hash is SHA-256",
    "connect(password=secret, user=name)",
    "password: str | None = None",
    "Password length must be at least 6 characters",
    "set the password to expire after 90 days",
    "change the password to something stronger",
    "our login page asks for email and password",
    "the Users table: Name, Email Address, Password, Shipping Address, Phone Number",
    "passwordless login with passkeys",
    "password manager 1Password",
    "Use bcrypt2 for password hashing",
    "username and password required",
    "Error: wrong username or password.",
    "he asked me why the password was rejected",
    "password fields should have autocomplete off",
    "We rotate the database password monthly",
    "The test result was PASS: 12 tests",
    "PASS: test_login_redirect",
    "first_pass=1, second_pass=2",
    "two-pass: the compiler reads the file twice",
    "compass: north by northwest",
    "pwd: /home/ada/app",
    'type="password" name="pw"',
    '<label>Password:</label><input name="p">',
    "if password == expected:",
    "machine learning login page password reset",
    "forgot the password - call IT",
    "PIN code: 400001",
    "the password is server-side",
    "the password is auto-generated",
    "the password is out-of-date",
    "the login is example.com/Login2024",
    "pin for the LED: GPIO17",
    "pin for the release: 2024",
    'fields = ("password", "email")',
    "name: password_policy, value: strict",
    "lsof: status error on /etc/security/passwd: Permission denied",
    "challenge_password: don't accept null password",
    "* Fix uninitialized read of xsl:number token (CVE-2019-13117)",
    # pointers and placeholders
    "API key is stored in Vault",
    "api key is kept in 1Password",
    "API key: stored in Vault",
    "password = os.environ['DB_PASS']",
    'password=os.getenv("DB_PASS")',
    "password: ${DB_PASSWORD}",
    "PASSWORD=$DB_PASSWORD",
    "password: {{ vault_db_password }}",
    "password: <your-password>",
    "api_key=<your-api-key>",
    "api_key: YOUR_API_KEY",
    "OPENAI_API_KEY=your-key-here",
    "password: ****",
    "password: ********",
    "token: xxxx",
    'secret = ""',
    "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIAXXXXXXXXXXXXXXXX",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "postgres://user:${DB_PASSWORD}@db/app",
    "https://user:****@example.com",
    "deploy --password-stdin < file",
    "pass the --token flag to authenticate",
    "mysql -u root -p app",
    "mysql -h db -P 3306 -u root",
    "secretName: db-credentials",
    "password_file: /run/secrets/db",
    "token: /var/run/secrets/token",
    "connect(password=password, token=self.token)",
    "token = get_token()",
    "password: !secret wifi_password",
    "cookie: chocolate chip is my favourite",
    # tokens and secrets that are none
    "token bucket algorithm",
    "token 限制是 4096",
    "max_tokens=4096",
    "max_tokens: 4096, temperature: 0.2",
    "token: 4096",
    "the context window is 128k tokens",
    "each token is about four characters",
    "the token is expired",
    "tokenizer: gpt2",
    "eos_token: </s>",
    "next_page_token=abc",
    "secret santa party on Friday",
    "the secret is to stir slowly",
    "the secret is out",
    "The Secret: Dare to Dream is a film",
    "her secret: patience and good shoes",
    "secretary: Ann2 Miller",
    "key: value pairs in the config",
    "the key point: ship on Friday",
    "keyboard shortcut: Ctrl+K",
    "monkey: a primate",
    "access keys should rotate every 90 days",
    "private key: 2048 bits or more",
    "the basic plan costs 10 dollars",
    "bearer of good news, standard-bearer1",
    "error code: 4001",
    "zip code: 94103",
    "pin: 13 is the LED on the board",
    "the spiderman pin is on her purse",
    "the code of conduct is 12 pages",
    "machine learning default settings",
    # Chinese
    "密码学很有意思",
    "军训口令：向左转",
    "密码 2024 版",
    "忘记密码怎么办",
    "密码由 1Password 管理",
    "密码 1Password 管理",
    "密码是必填项",
    "密码是什么？",
    "密码是多少",
    "请检查原始密码是否正确",
    "密码为空时报错",
    "密码是加密存储的",
    "密码为8位数字",
    "密码：至少 8 位，含大小写字母",
    "密码：请联系管理员",
    "密码必须包含大写字母",
    "设置新密码：必须携带旧密码",
    "密码每 90 天更换一次",
    "密码错误次数过多",
    "请输入你的密码：",
    "全公司范围的密码重置",
    "密码：****",
    "密码：<请填写>",
    "密码：见 1Password",
    "密码存在 Vault 里",
    "流量密码是真诚",
    "财富密码：坚持长期主义",
    "生命的密码：基因",
    "《达·芬奇密码》是一部小说",
    "遗传密码子：AUG 是起始密码子",
    "口令红包",
    "发了一个口令红包",
    "验证码功能",
    "验证码是6位数字",
    "验证码5分钟内有效",
    "收不到验证码怎么办",
    "令牌桶算法",
    "令牌：一种访问凭证",
    "密钥管理用 KMS",
    "密钥长度为 256 位",
    "當天是否開戰的決定，由東京發出密碼指示。",
    "token 用完了",
    "我用 pnpm 不用 npm",
    "会议室在 3 楼 302",
    "订单号 20240312001",
    "身高 180cm 体重 75kg",
    # disguise characters in ordinary text
    "👨‍👩‍👧 家庭日是周六 🏳️‍🌈",
    "café à la carte, naïve résumé",
    "Привет, как дела? Встреча в 10:30",
    "",
    " \n\t ",
]


@pytest.mark.parametrize("text", POSITIVES)
def test_credential_is_found(text: str) -> None:
    assert scan_secrets(text) is not None


@pytest.mark.parametrize(("rule", "text"), BY_RULE)
def test_each_rule_finds_what_it_is_for(rule: str, text: str) -> None:
    finding = scan_secrets(text)
    assert finding is not None
    assert finding.rule == rule


@pytest.mark.parametrize("text", NEGATIVES)
def test_ordinary_text_passes(text: str) -> None:
    assert scan_secrets(text) is None


def test_tables_are_as_large_as_they_claim_to_be() -> None:
    assert len(set(POSITIVES)) >= 180
    assert len(set(NEGATIVES)) >= 170


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("my key sk-ant-" + "api03-" + B, "anthropic-key"),
        ("AKIA" + UPPER, "aws-access-key"),
        ("postgres://user:pw@db/app", "url-credentials"),
        ("DB_PASS=hunter2", "pass-assignment"),
        ("密码：海港之夜2026", "chinese-password"),
    ],
)
def test_finding_names_the_rule_that_knows_most(text: str, rule: str) -> None:
    finding = scan_secrets(text)
    assert finding is not None
    assert finding.rule == rule


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("note: password: hunter2", "password: hunter2"),
        ("记下 ｐａｓｓ\u200bｗｏｒｄ：hunter2", "ｐａｓｓ\u200bｗｏｒｄ：hunter2"),
        ("½ ﷺ key AKIA" + UPPER + " end", "AKIA" + UPPER),
    ],
)
def test_finding_points_into_the_text_as_given(text: str, found: str) -> None:
    finding = scan_secrets(text)
    assert finding is not None
    assert text[finding.start : finding.end].startswith(found)


@pytest.mark.parametrize("length", [511, 4_096, 65_536, 1_000_000])
def test_credential_at_any_depth_of_a_long_text_is_found(length: int) -> None:
    filler = "the quick brown fox jumps over the lazy dog; " * (length // 45 + 1)
    finding = scan_secrets(f"{filler[:length]} ghp_{B}abcd {filler[:100]}")
    assert finding is not None
    assert finding.start == length + 1


# Up to 2 MB each: what a pattern with nested or unbounded repetition would need hours for.
ADVERSARIAL = {
    "one letter": "a" * 2_000_000,
    "white space": " " * 2_000_000,
    "line breaks": "\n" * 2_000_000,
    "word and white space": "password" + " " * 2_000_000 + "x",
    "dashes": "-" * 2_000_000,
    "prefixes": "sk-" * 220_000,
    "spaced prefixes": "s k - " * 110_000,
    "schemes": "://a:" * 400_000,
    "colons": "a:" * 1_000_000,
    "assignments": "password: " * 70_000,
    "quotes": "password='" * 200_000,
    "jwt heads": "eyJaaaa." * 250_000,
    "cookies": "cookie: a=" * 200_000,
    "chinese": "密码是" * 60_000,
    "full-width": "：" * 1_000_000,
    "marks out of order": "a" + "\u0316\u0300\u0315" * 600_000,
    "expanding": "\ufdfa" * 100_000,
    "zero width": "\u200b" * 2_000_000,
    "hash heads": "$2b$12$" * 280_000,
    "mnemonic": "seed phrase " + "able " * 400_000,
    "commands": "mysql curl -u " * 70_000,
    "account": "user: a, " * 220_000,
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_megabytes_made_to_be_slow_are_read_to_the_end(name: str) -> None:
    text = ADVERSARIAL[name]
    # What only the last look finds: the whole table and the other readings come before it.
    finding = scan_secrets(f"{text}\n\nQ7xV2mLk9RtZ4bWc8NpY3sHd")
    assert finding is not None
    assert finding.rule == "unexplained-token" or finding.start < len(text)


def test_look_that_ends_the_adversarial_texts_comes_after_the_table() -> None:
    assert "unexplained-token" not in {rule.name for rule in SECRET_RULES.rules}
    finding = scan_secrets("Q7xV2mLk9RtZ4bWc8NpY3sHd")
    assert finding is not None
    assert finding.rule == "unexplained-token"


def test_every_rule_is_reached_through_its_hints() -> None:
    """A hint that no match contains would switch its rule off: every rule must have found something."""
    texts = [*POSITIVES, *(text for _, text in BY_RULE), *SHAPED.values()]
    found = {finding.rule for text in texts if (finding := scan_secrets(text)) is not None}
    found |= {name for name, *_ in (*PROVIDER_PREFIXES, *WHOLE_PREFIXES)}  # those have their own test
    assert {rule.name for rule in SECRET_RULES.rules} - found == set()


def body(alphabet: str, length: int) -> str:
    """A key's body of every kind of character that the alphabet has, the same on every run."""
    characters = [chr(code) for code in range(33, 127) if re.fullmatch(f"[{alphabet}]", chr(code))]
    return (
        "".join(characters[(7 * n) % len(characters)] for n in range(length))
        .replace("-", "a")
        .replace("=", "a")
    )


@pytest.mark.parametrize(
    ("name", "prefix", "alphabet", "least"), [row[:4] for row in PROVIDER_PREFIXES]
)
def test_key_of_each_provider_is_found_whole_wrapped_and_spaced(
    name: str, prefix: str, alphabet: str, least: int
) -> None:
    key = prefix + body(alphabet, least + 12)
    assert scan_secrets(f"the key is {key}, keep it") == Finding(name, 11, 11 + len(key))
    half = len(prefix) + 4
    for broken in (
        f"{key[:half]}\n{key[half:]}",
        f"{key[:half]}\n        {key[half:]}",
        f"{key[:2]}\n{key[2:]}",
        " ".join(key),
        key[:half] + "\u200b" + key[half:],
    ):
        finding = scan_secrets(f"see\n{broken}\nend")
        assert finding is not None
        assert finding.rule == name


@pytest.mark.parametrize(("name", "prefix", "alphabet", "least"), WHOLE_PREFIXES)
def test_key_with_a_short_prefix_is_found_in_one_piece(
    name: str, prefix: str, alphabet: str, least: int
) -> None:
    key = prefix + body(alphabet, least + 4)
    finding = scan_secrets(f"see\n{key}\nend")
    assert finding is not None
    assert finding.rule == name
    assert (finding.start, finding.end) == (4, 4 + len(key))


@pytest.mark.parametrize("name", [name for name, *_ in PROVIDER_SHAPES])
def test_key_with_a_mark_in_its_midst_is_found(name: str) -> None:
    finding = scan_secrets(f"see\n{SHAPED[name]}\nend")
    assert finding is not None
    assert finding.rule == name


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=24), st.sampled_from(["", " ", "\n"]))
def test_pieces_of_the_known_texts_in_any_order_are_judged(pieces: list[str], between: str) -> None:
    """A judge that trips over a half of what it knows would let the write fail, not be refused."""
    text = between.join(pieces)
    finding = scan_secrets(text)
    assert finding is None or 0 <= finding.start < finding.end <= len(text)


@pytest.mark.parametrize(("prefix", "least"), [(row[1], row[3]) for row in PROVIDER_PREFIXES])
def test_prefix_of_a_provider_alone_or_masked_passes(prefix: str, least: int) -> None:
    assert scan_secrets(f"these keys start with {prefix} and are long enough to be secret") is None
    assert scan_secrets(f"for example {prefix}{'x' * (least + 8)}") is None
    assert scan_secrets(f"for example {prefix}...") is None


@settings(deadline=None, max_examples=60)
@given(
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40),
    st.sampled_from(["", "\u200b", "\u2060", "\u00ad", "\ufe0f"]),
    st.booleans(),
)
def test_disguised_password_is_found_whatever_stands_before_it(
    before: str, joiner: str, wide: bool
) -> None:
    text = joiner.join("password: hunter2x")
    if wide:
        text = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert scan_secrets(f"{before}\n{text}") is not None


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_folding_keeps_views_aligned_and_spans_inside(text: str) -> None:
    folded = fold(text)
    assert len(folded.exact) == len(folded.lower)
    assert folded.squeezed == "".join(folded.lower.split())
    for start in range(len(folded.exact)):
        first, last = folded.span(start, start + 1)
        assert 0 <= first < last <= len(text)
        assert fold(text[first:last]).exact.find(folded.exact[start]) >= 0


def test_folding_is_the_same_for_every_single_character() -> None:
    for code in [*range(0x30000), *range(0xE0000, 0xE0200)]:  # the planes that hold assigned characters
        folded = fold(chr(code))
        assert len(folded.exact) == len(folded.lower)
        assert fold(folded.exact).exact == folded.exact


def test_folded_traditional_characters_agree_with_opencc() -> None:
    from opencc import OpenCC

    converter = OpenCC("t2s")
    for code in range(0x3400, 0xA000):
        character = chr(code)
        folded = fold(character).exact
        assert folded in (character, converter.convert(character))


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz 的是在有我他这个了不,.", max_size=200))
def test_plain_prose_without_key_words_is_never_refused(text: str) -> None:
    squeezed = "".join(text.split())
    if not any(hint in squeezed for rule in SECRET_RULES.rules for hint in rule.hints):
        assert scan_secrets(text) is None


def test_fingerprint_knows_a_text_again_and_depends_on_text_and_key() -> None:
    # HMAC-SHA256 with key "key" over "The quick brown fox jumps over the lazy dog" is f7bc83f43053…
    assert fingerprint("The quick brown fox jumps over the lazy dog", key=b"key") == "f7bc83f43053"
    assert fingerprint("hunter2", key=KEY) == fingerprint("hunter2", key=KEY)
    assert fingerprint("hunter2", key=KEY) != fingerprint("hunter3", key=KEY)
    assert fingerprint("hunter2", key=KEY) != fingerprint("hunter2", key=b"another")
    assert len(fingerprint("\ud83d", key=KEY)) == 12


def test_fingerprint_without_a_key_is_refused() -> None:
    with pytest.raises(LimitError):
        fingerprint("hunter2", key=b"")


@pytest.mark.parametrize("field", ["text", "title", "tags.0", "semantic_key", "raw_quote"])
def test_credential_in_any_field_is_refused_and_named_without_its_text(field: str) -> None:
    fields = {
        "text": "fine",
        "title": "fine",
        "tags.0": "fine",
        "semantic_key": "fine",
        "raw_quote": "fine",
    }
    fields[field] = "密码：海港之夜2026"
    with pytest.raises(SecretRefused) as caught:
        check_fields(fields, key=KEY)
    assert caught.value.field == field
    assert caught.value.rule == "chinese-password"
    assert caught.value.fingerprint == fingerprint("密码：海港之夜2026", key=KEY)
    assert "海港" not in str(caught.value)
    assert "海港" not in repr(caught.value.args)


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("WiFi password", "hunter2"),
        ("密码", "海港之夜"),
        ("api key", "abcd1234efgh"),
        ("数据库密码", "root123"),
    ],
)
def test_credential_split_over_label_and_value_is_refused(label: str, value: str) -> None:
    with pytest.raises(SecretRefused) as caught:
        check_fields({"title": label, "text": value}, key=KEY)
    assert caught.value.field == "text"


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("password policy", "The password needs 12 characters"),
        ("密码", "每 90 天更换一次"),
        ("Password", "The team rotates it every quarter"),
        ("editor", "hunter2"),
        ("preference.editor", "Zed"),
    ],
)
def test_label_over_ordinary_text_passes(label: str, value: str) -> None:
    check_fields({"title": label, "text": value}, key=KEY)


ASKED = [
    ("What is my WiFi password?", "sunflower"),
    ("What is the WiFi password?", "hunter2Xq9"),
    ("服务器密码是多少", "x7Kq9zLm"),
    ("What is our API key?", "9f86d081884c7d659a2feaa0c55ad015"),
    ("the PIN for the door?", "4931"),
    ("PIN?", "493122"),
    ("admin password", "It is x7#Kq9!zLm"),
    ("What's the wifi password again?", "sunflower garden"),
    ("密码是什么？", "是海港之夜"),
    ("What are the admin credentials?", "admin / hunter2"),
    ("Which password do we use for the wifi?", "sunflower"),
    ("请问 WiFi 密码是多少？", "hunter2"),
    ("semantic.wifi_password", "It is hunter2Xq9."),
    ("Tell me the staging password", "correct horse battery staple"),
    ("¿contraseña?", "hunter2"),
    ("WiFi密码", "就是 sunflower"),
    ("GitHub token", "It's aB3dE5fG7hJ9kL1m"),
    ("门禁码是多少？", "8842"),
    ("ADMIN PASSWORD ？", "letmein"),
    ("What is the pass for the router?", "letmein9"),
]
NOT_ASKED = [
    ("How do we deploy?", "make deploy"),
    ("What is the password policy?", "12 characters, rotated yearly"),
    ("密码策略是什么", "至少十二位"),
    ("What is the password?", "It is in the vault"),
    ("What is the password?", "Ask Ada"),
    ("Where is the wifi password?", "Reception"),
    ("Who knows the admin password?", "Ada"),
    ("How do I reset my password?", "settings"),
    ("I forgot my password", "Ada"),
    ("怎么改密码", "设置"),
    ("谁有服务器密码？", "小王"),
    ("What is a password?", "secret"),
    ("什么是密码？", "凭证"),
    ("What is the API key?", "1Password"),
    ("What is the wifi password?", "Bitwarden"),
    ("Do we rotate the password?", "monthly"),
    ("How often do we rotate the API key?", "quarterly"),
    ("When did we change the password?", "2024-01-01"),
    ("密码是什么？", "找运维要"),
    ("密码忘了怎么办？", "找回"),
    ("What is the token limit?", "4096"),
    ("Which password manager do we use?", "Bitwarden"),
    ("What is the password length?", "12"),
    ("Is the password encrypted?", "yes"),
    ("What is the login page?", "example.com/login"),
    ("password policy", "hunter2"),
    ("What is the PIN for?", "payments"),
    ("密码多久换一次？", "90天"),
    ("Which token format do we use?", "JWT"),
    ("What is our login?", "Okta"),
    ("What kind of token is it?", "JWT"),
]


@pytest.mark.parametrize(("label", "value"), ASKED)
def test_question_and_the_credential_that_answers_it_are_refused(label: str, value: str) -> None:
    with pytest.raises(SecretRefused) as caught:
        check_pair(label, value, "answer", tie="said", key=KEY)
    assert caught.value.field == "answer"
    assert caught.value.fingerprint == fingerprint(value, key=KEY)


@pytest.mark.parametrize(("label", "value"), NOT_ASKED)
def test_question_that_asks_for_no_credential_passes(label: str, value: str) -> None:
    check_pair(label, value, "answer", tie="said", key=KEY)


def test_looser_ties_ask_more_of_the_value() -> None:
    seen = {
        value: [tie for tie in ("said", "beside", "loose") if _is_refused("WiFi password", value, tie)]
        for value in ("sunflower", "hunter2", "hunter2Xq9")
    }
    assert seen == {
        "sunflower": ["said"],
        "hunter2": ["said", "beside"],
        "hunter2Xq9": ["said", "beside", "loose"],
    }


def _is_refused(label: str, value: str, tie: Tie) -> bool:
    return pair_finding(fold(label), fold(value), tie=tie) is not None


def test_field_of_nothing_passes() -> None:
    check_fields({"text": "", "title": ""}, key=KEY)
    check_fields({}, key=KEY)


def evaluation_texts() -> list[tuple[str, str]]:
    files = sorted(DATA.glob("*/memories.jsonl"))
    if not files:
        pytest.skip(f"no evaluation sets in {DATA}; name their folder in MEMWEIR_DATA")
    texts: list[tuple[str, str]] = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            texts.append((file.parent.name, json.loads(line)["text"]))
    return texts


def test_evaluation_sets_hold_next_to_no_credential() -> None:
    texts = evaluation_texts()
    findings = [(name, finding.rule) for name, text in texts if (finding := scan_secrets(text))]
    assert len(texts) > 1_000
    assert len(findings) <= 5, findings
