"""Does the file stay safe across versions, settings and sizes? Section H of the cases: operation."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from memweir import Config, Embedder, Memory
from memweir.config import RetrievalConfig
from memweir.errors import SchemaTooNew, StoreError
from memweir.retrieval import keyword
from memweir.retrieval.analysis import default_analyzer
from memweir.retrieval.embedding import HashedNgramEmbedder
from memweir.retrieval.hybrid import HybridEmbedder
from memweir.retrieval.meaning import WordVectors
from memweir.store.statements import migrations
from memweir.testing import SCOPE, draft

Tell = Callable[..., list[str]]
Open = Callable[..., Memory]


def _every_byte(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(path.parent.iterdir())}


@pytest.mark.parametrize("ahead", [1, 2, 100])
@pytest.mark.parametrize("read_only", [False, True])
def test_case_68_newer_schema_is_refused_and_untouched(
    open_memory: Open, tell: Tell, path: Path, ahead: int, read_only: bool
) -> None:
    memory = open_memory()
    tell(memory, "tea is green")
    memory.close()
    known = migrations()[-1][0]
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = {known + ahead}")
    connection.close()
    before = _every_byte(path)
    with pytest.raises(SchemaTooNew, match="upgrade memweir") as refused:
        Memory.open(path, read_only=read_only)
    assert (refused.value.found, refused.value.known) == (known + ahead, known)
    assert isinstance(refused.value, StoreError)
    after = _every_byte(path)
    if read_only:  # SQLite itself leaves an empty log behind where it may not tidy up
        assert after["memory.db"] == before["memory.db"]
        assert after.get("memory.db-wal", b"") == b""
    else:
        assert after == before
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = {known}")
    connection.close()
    with Memory.open(path) as again:
        assert again.recall("tea", scope=SCOPE).items[0].text == "tea is green"


class _Renamed(HybridEmbedder):
    """As wide as the default one, but of another make."""

    version = "other"


@pytest.mark.parametrize(
    "other",
    [
        HashedNgramEmbedder(default_analyzer(), dim=512),
        HashedNgramEmbedder(default_analyzer(), dim=65_536),
        _Renamed(HashedNgramEmbedder(default_analyzer()), WordVectors.load()),
    ],
)
def test_case_71_another_embedder_is_noticed_and_reindex_mends_it(
    open_memory: Open, tell: Tell, other: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    first = open_memory()
    (wanted,) = tell(first, "Kubernetes autoscaling of the checkout service")
    first.close()

    again = open_memory(embedder=other)
    assert "reindex" in caplog.text
    recall = again.recall("checkout service", scope=SCOPE)
    assert [item.id for item in recall.items] == [wanted]
    assert "semantic" not in recall.items[0].ranks
    assert "keyword" in recall.items[0].ranks
    assert any("reindex" in warning and "embedder" in warning for warning in recall.warnings)
    assert recall.rankings is not None
    assert "off" in recall.rankings["semantic"].note
    # The misspelt word needs the vectors.
    assert again.recall("kuberntes autoscalling", scope=SCOPE).items == ()

    assert again.reindex() == 1
    mended = again.recall("kuberntes autoscalling", scope=SCOPE)
    assert [item.id for item in mended.items] == [wanted]
    assert mended.warnings == ()
    again.close()
    # And the other way round: the first embedder is the stranger now.
    back = open_memory()
    assert any("embedder" in warning for warning in back.recall("checkout", scope=SCOPE).warnings)


def test_case_71_a_write_under_the_wrong_embedder_mixes_no_spaces(
    open_memory: Open, tell: Tell
) -> None:
    first = open_memory()
    (old,) = tell(first, "Kubernetes autoscaling of the checkout service")
    first.close()
    again = open_memory(embedder=HashedNgramEmbedder(default_analyzer(), dim=512))
    (new,) = tell(again, "Terraform provisions the warehouse")
    assert [item.id for item in again.recall("terraform warehouse", scope=SCOPE).items] == [new]
    assert again.reindex() == 2
    assert [item.id for item in again.recall("terrafrom warehuose", scope=SCOPE).items] == [new]
    assert [item.id for item in again.recall("kuberntes autoscalling", scope=SCOPE).items] == [old]


def test_case_71_another_analysis_is_noticed_too(open_memory: Open, tell: Tell, tmp_path: Path) -> None:
    first = open_memory()
    (wanted,) = tell(first, "the lorry is parked outside")
    first.close()
    synonyms = tmp_path / "synonyms.txt"
    synonyms.write_text("wagon: lorry, juggernaut\n", encoding="utf-8")
    again = open_memory(config=Config(retrieval=RetrievalConfig(synonyms=str(synonyms))))
    recall = again.recall("lorry", scope=SCOPE)
    assert [item.id for item in recall.items] == [wanted]
    assert any("analyzer" in warning and "reindex" in warning for warning in recall.warnings)
    assert again.recall("juggernaut", scope=SCOPE).items == ()
    again.reindex()
    assert [item.id for item in again.recall("juggernaut", scope=SCOPE).items] == [wanted]


def test_case_71_copied_file_keeps_its_fingerprint(
    open_memory: Open, tell: Tell, path: Path, tmp_path: Path
) -> None:
    memory = open_memory()
    tell(memory, "tea is green")
    memory.close()
    copy = tmp_path / "copy" / "memory.db"
    copy.parent.mkdir()
    shutil.copy(path, copy)
    with Memory.open(copy) as again:
        assert again.recall("tea", scope=SCOPE).warnings == ()


_LONG = " ".join(f"word{number} some text about the port" for number in range(40))


@pytest.mark.parametrize(
    "query",
    [
        _LONG + " kestrel",
        "kestrel " + _LONG,
        _LONG * 60 + " kestrel",
        "红隼" + "服务器的端口是多少呢，" * 40 + "kestrel",
        "kestrel" + "\n    at frame(file.py:10)" * 3000,
    ],
)
def test_case_72_long_query_still_finds_its_rare_word(memory: Memory, tell: Tell, query: str) -> None:
    wanted, *_ = tell(
        memory,
        "the kestrel nests on the roof",
        *(f"some text number {number} about the port 服务器的端口" for number in range(60)),
    )
    recall = memory.recall(query, scope=SCOPE)
    assert recall.rankings is not None
    assert wanted in [hit.id for hit in recall.rankings["keyword"].hits]


def test_case_72_common_terms_beyond_the_budget_are_left_out_with_a_flag(
    memory: Memory, tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, *_ = tell(
        memory,
        "the kestrel nests on the roof",
        *(f"some text number {number} about the port" for number in range(60)),
    )
    whole = memory.recall("text about the port of the kestrel", scope=SCOPE, limit=24)
    assert whole.rankings is not None
    assert whole.rankings["keyword"].note == ""
    assert len(whole.rankings["keyword"].hits) > 20
    monkeypatch.setattr(keyword, "_POSTING_BUDGET", 30)
    partial = memory.recall("text about the port of the kestrel", scope=SCOPE)
    assert partial.rankings is not None
    ranking = partial.rankings["keyword"]
    assert ranking.note == "common terms left out within the posting budget"
    assert [hit.id for hit in ranking.hits] == [wanted]
    assert partial.candidates[0].id == wanted
    assert partial.items[0].id == wanted


def test_case_72_one_common_term_alone_is_still_asked(
    memory: Memory, tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(memory, *(f"port number {number}" for number in range(60)))
    monkeypatch.setattr(keyword, "_POSTING_BUDGET", 30)
    recall: Any = memory.recall("which port?", scope=SCOPE, limit=50)
    assert len(recall.rankings["keyword"].hits) == 50


def test_case_68_and_71_are_told_by_stats(memory: Memory) -> None:
    stats = memory.stats()
    assert stats.schema == migrations()[-1][0]
    words = WordVectors.load()
    # Each part, its version and dimensions; the share of the second; dimensions together.
    assert stats.embedder == (
        f"hashed-ngram+word-vectors/1(4096)+{words.version}({words.dim})@0.25/{4096 + words.dim}"
    )
    assert stats.analyzer.startswith(f"{default_analyzer().version} ")
    assert memory.remember_many([draft("tea")])
    assert memory.stats().bytes > 0
