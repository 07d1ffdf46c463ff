"""Does a credential reach the disk? Row 60 of the cases, through the public face."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memweir import Memory, Recall
from memweir.errors import InputError, SecretRefused
from memweir.testing import SCOPE, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]

# Put together here, so that no scanner takes this file for a leak: (text, the part that is secret).
_OPENAI = "sk-" + "proj-" + "Ab-C_d3fGh1jK-lMn0pQr_5tUvWx-Yz12-34567890abcdEFGHijkl"
_GITHUB = "ghp" + "_" + "a1B2c3D4e5" * 4
_AWS = "AKIA" + "Z7Q2W9RT4LK8MNB3"
SECRETS = (
    ('api-key: "s3cretvalue123"', "s3cretvalue123"),
    ("the api key is s3cretvalue123", "s3cretvalue123"),
    ("API_KEY=s3cretvalue123", "s3cretvalue123"),
    ("密码：海港之夜2026", "海港之夜2026"),
    ("密码是 海港之夜2026，别告诉别人", "海港之夜2026"),
    ("DB_PASS=hunter2", "hunter2"),
    ("export PGPASSWORD='hunter2hunter'", "hunter2hunter"),
    (f"use {_OPENAI} for now", _OPENAI),
    (f"令牌 {_GITHUB}", _GITHUB),
    (f"aws_access_key_id = {_AWS}", _AWS),
    ("ｐａｓｓｗｏｒｄ：s3cretvalue123", "s3cretvalue123"),
    ("postgres://ada:s3cretvalue123@db.example.org/app", "s3cretvalue123"),
    ("Authorization: Bearer " + "abcDEF123." * 6 + "x", "abcDEF123." * 6),
)


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_case_60_credential_leaves_no_byte_in_file_log_or_audit(
    memory: Memory, tell: Tell, path: Path, caplog: pytest.LogCaptureFixture, text: str, secret: str
) -> None:
    caplog.set_level(logging.DEBUG)
    tell(memory, "the kitchen is blue")
    for place in ("text", "title", "raw_quote", "tags", "speaker", "semantic_key", "entities"):
        fields: dict[str, Any] = {"text": "the door code hangs in the hall"}
        fields[place] = (text,) if place in ("tags", "entities") else text
        with pytest.raises(SecretRefused) as refused:
            memory.remember(scope=SCOPE, **fields)
        assert secret not in str(refused.value)
        assert secret not in repr(refused.value.args)
    with pytest.raises(SecretRefused):
        memory.answer("How do I get in?", text, scope=SCOPE)
    with pytest.raises(SecretRefused):
        memory.answer(text, "with it", scope=SCOPE)
    with pytest.raises(SecretRefused):
        memory.relate("Ada", text, "the lab", scope=SCOPE)
    kept = memory.recall("kitchen", scope=SCOPE).items[0].id
    with pytest.raises(SecretRefused):
        memory.feedback(kept, "helped", note=text)
    memory.recall(text, scope=SCOPE)
    memory.feedback(kept, "unknown", query=text)
    on_disk = b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))
    for encoding in ("utf-8", "utf-16-le"):
        assert secret.encode(encoding) not in on_disk
    assert secret not in caplog.text
    assert memory.stats().memories == {"active": 1}


@pytest.mark.parametrize(("text", "secret"), SECRETS)
@pytest.mark.parametrize("padding", [200, 4_000, 65_536, 300_000])
def test_case_60_length_hides_no_credential(
    memory: Memory, text: str, secret: str, padding: int
) -> None:
    filler = "nothing to see here, move along. "
    # Around the places where one would cut a text before looking at it.
    start = (filler * (padding // len(filler) + 1))[: padding - len(text) // 2]
    with pytest.raises(SecretRefused):
        memory.remember(f"{start}\n{text}\n{filler}", scope=SCOPE)
    assert memory.stats().memories == {}


def test_case_60_refusal_in_a_batch_harms_no_other(memory: Memory, path: Path) -> None:
    results = memory.remember_many([draft("tea"), draft("DB_PASS=hunter2"), draft("coffee")])
    assert [type(each).__name__ for each in results] == ["Stored", "SecretRefused", "Stored"]
    assert memory.stats().memories == {"active": 2}
    on_disk = b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))
    assert b"hunter2" not in on_disk


def test_case_60_helpful_query_with_a_credential_is_not_learned(
    memory: Memory, tell: Tell, path: Path
) -> None:
    (kept,) = tell(memory, "the staging host is reached through the bastion")
    for place, (text, secret) in enumerate(SECRETS, start=1):
        memory.feedback(kept, "helped", query=f"how do I get to staging, {text}")
        on_disk = b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))
        assert secret.encode() not in on_disk, secret
        record = memory.get(kept, scope=SCOPE)
        # 6.0 to begin with, and one for every time it helped.
        assert (record.alpha, record.learned_terms) == (6.0 + place, ())


@pytest.mark.parametrize(
    "text",
    [
        "The API key lives in the vault, ask Ada",
        "Ada asked about the password",
        "where is the api key",
        "Passwords rotate every 90 days",
        "密码在保险箱里，找小李拿",
        "重置密码的页面打不开",
        "the token budget is 1200",
        "the primary key is user_id",
        "DB_HOST=localhost",
        "commit 3f2a9c1d fixes the parser",
        "他的口令很长",
    ],
)
def test_case_60_talk_about_credentials_is_no_credential(memory: Memory, tell: Tell, text: str) -> None:
    (kept,) = tell(
        memory, draft(text, title="Security", tags=("security", "infra"), speaker="Grace", scene="work")
    )
    assert memory.get(kept, scope=SCOPE).text == text


def test_case_60_wrong_type_is_an_input_error_before_any_gate(memory: Memory) -> None:
    with pytest.raises(InputError):
        memory.remember(b"DB_PASS=hunter2", scope=SCOPE)  # type: ignore[arg-type]
    assert isinstance(memory.recall_or_empty(b"DB_PASS=hunter2", scope=SCOPE), Recall)  # type: ignore[arg-type]
