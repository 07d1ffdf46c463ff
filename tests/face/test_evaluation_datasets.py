"""Evaluation sets: what a folder says, what of it reaches a store, and how a bad line is reported."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta, timezone
from pathlib import Path

import pytest

from memweir.errors import InputError
from memweir.evaluation.datasets import (
    DataSet,
    DataSetError,
    MemoryLine,
    find_sets,
    parse_moment,
    session_of,
)
from memweir.store.records import clean_text
from memweir.store.scopes import Scope

TOLD = datetime(2023, 5, 6, 12, tzinfo=UTC)


def make_set(
    folder: Path, memories: list[object] | None = None, queries: list[object] | None = None
) -> DataSet:
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("memories", memories or []), ("queries", queries or [])):
        text = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines)
        (folder / f"{name}.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
    return DataSet(folder.name, folder)


def line(**fields: object) -> dict[str, object]:
    return {"id": "m1", "text": "Ada likes tea", "scope": "ada", "created_at": None, **fields}


def query(**fields: object) -> dict[str, object]:
    return {"id": "q1", "text": "tea?", "scope": "ada", "category": "c", "relevant": ["m1"], **fields}


def memory(**fields: object) -> MemoryLine:
    return MemoryLine(**{"line": 1, "id": "m1", "text": "Ada likes tea", "scope": "ada", **fields})  # type: ignore[arg-type]


def test_a_day_without_a_time_is_noon_for_a_memory_and_its_last_second_for_a_question(
    tmp_path: Path,
) -> None:
    data = make_set(tmp_path / "s", [line(created_at="2023-05-06")], [query(as_of="2023-05-06")])
    assert next(data.memories()).created_at == datetime(2023, 5, 6, 12, tzinfo=UTC)
    assert next(data.questions()).as_of == datetime(2023, 5, 6, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-3-1", datetime(2024, 3, 1, 12, tzinfo=UTC)),
        ("2022-01-21T19:31:00", datetime(2022, 1, 21, 19, 31, tzinfo=UTC)),
        ("2022-01-21 7:31", datetime(2022, 1, 21, 7, 31, tzinfo=UTC)),
        ("2022-01-21T19:31:00.250Z", datetime(2022, 1, 21, 19, 31, tzinfo=UTC)),
        (
            "2022-01-21T19:31:00+08:00",
            datetime(2022, 1, 21, 19, 31, tzinfo=timezone(timedelta(hours=8))),
        ),
        (
            "2022-01-21T19:31-0330",
            datetime(2022, 1, 21, 19, 31, tzinfo=timezone(-timedelta(hours=3, minutes=30))),
        ),
    ],
)
def test_moments_are_read_in_every_form_the_sets_use(text: str, moment: datetime) -> None:
    assert parse_moment(text, day_means=time(12)) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2024-02-30",
        "2024-13-01",
        "24-01-01",
        "2024-01-01T25:00",
        "9999-12-31",
        "0001-01-01",
        "２０２４-01-01",
    ],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_moment(text, day_means=time(12))


def test_fields_go_to_the_store_as_fields_and_the_text_stays_as_it_is() -> None:
    draft = memory(speaker="Ada", created_at=TOLD).draft(undated=datetime(2000, 1, 1, tzinfo=UTC))
    assert draft.text == "Ada likes tea"
    assert (draft.speaker, draft.created_at, draft.document_id) == ("Ada", TOLD, "m1")
    assert draft.scope == Scope.project("ada")
    assert (draft.kind, draft.title, draft.session_id, draft.source) == ("fact", None, None, None)


def test_a_memory_without_a_date_gets_the_moment_its_set_gives_it() -> None:
    assert memory().draft(undated=TOLD).created_at == TOLD


@pytest.mark.parametrize(
    ("kind", "stored"), [("preference", "preference"), ("Static", "fact"), (None, "fact")]
)
def test_only_kinds_of_the_engine_are_passed_on(kind: str | None, stored: str) -> None:
    assert memory(kind=kind).draft(undated=TOLD).kind == stored


def test_an_id_of_session_and_number_is_that_turn_of_that_session() -> None:
    draft = memory(id="conv-1/D3:14").draft(undated=TOLD)
    assert (draft.kind, draft.session_id, draft.source) == ("turn", "conv-1/D3", "conv-1/D3@14")


@pytest.mark.parametrize("each", ["user28/0", "Frank/2023-04-27.0u", "a:b", ":7", "a:", "a:７"])
def test_other_ids_name_no_turn(each: str) -> None:
    draft = memory(id=each).draft(undated=TOLD)
    assert (draft.kind, draft.session_id) == ("fact", None)


@pytest.mark.parametrize(
    ("each", "session"),
    [("conv-1/D3:14", "conv-1/D3"), ("a:b:c", "a:b"), ("plain", "plain"), (":7", ":7")],
)
def test_a_session_is_the_part_before_the_last_colon(each: str, session: str) -> None:
    assert session_of(each) == session


def test_a_question_carries_context_evidence_trap_and_place_in_time(tmp_path: Path) -> None:
    row = query(context=["one", "two", "one"], relevant=["m1", "m1"], trap=["m2"], as_of_seq=5)
    only = next(make_set(tmp_path / "s", [], [row]).questions())
    assert only.context == ("one", "two", "one")
    assert (only.relevant, only.trap, only.as_of_seq) == (("m1",), ("m2",), 5)
    assert only.as_of is None
    assert only.answerable


def test_a_question_with_no_relevant_memory_is_unanswerable(tmp_path: Path) -> None:
    assert not next(make_set(tmp_path / "s", [], [query(relevant=[])]).questions()).answerable


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{", "not JSON"),
        ("[1]", "JSON object"),
        ('{"id": "m2", "text": "x", "scope": "a"', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"id": ' + "9" * 5_000 + "}", "not JSON"),
        ('{"id" 5}', "not JSON .*column 7"),
        (line(id="m1"), "used on line 1"),
        (line(id="m2", text="  "), "text must be"),
        (line(id="", text="x"), "id must be"),
        (line(id="m2", scope=None), "scope must be"),
        (line(id="m2", created_at="someday"), "created_at"),
        (line(id="m2", created_at=5), "created_at"),
        (line(id="m2", seq=1.5), "seq must be a whole number"),
        (line(id="m2", seq=True), "seq must be a whole number"),
    ],
)
def test_a_bad_memory_is_reported_with_file_and_line(tmp_path: Path, bad: object, problem: str) -> None:
    data = make_set(tmp_path / "s", [line(), "", bad])
    reader = data.memories()
    next(reader)  # reading is lazy: what stands before the bad line can be had
    with pytest.raises(DataSetError, match=problem) as caught:
        next(reader)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "s" / "memories.jsonl"), 3)
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"id": "q", "text": "t", "scope": "s", "category": "c"}, "relevant"),
        (query(relevant="m1"), "relevant must be a list"),
        (query(relevant=[1]), "relevant must be a list"),
        (query(context="before"), "context must be a list"),
        (query(category=""), "category must be"),
        (query(as_of="2023-02-29"), "as_of"),
        (query(as_of_seq="5"), "as_of_seq"),
    ],
)
def test_a_bad_question_is_reported_with_file_and_line(
    tmp_path: Path, bad: object, problem: str
) -> None:
    with pytest.raises(DataSetError, match=problem) as caught:
        list(make_set(tmp_path / "s", [], [bad]).questions())
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "s" / "queries.jsonl"), 1)


def test_bytes_that_are_not_utf8_are_reported_with_their_line(tmp_path: Path) -> None:
    data = make_set(tmp_path / "s", [line()])
    with (tmp_path / "s" / "memories.jsonl").open("ab") as stream:
        stream.write(b'{"id": "\xff"}\n')
    with pytest.raises(DataSetError, match="not UTF-8") as caught:
        list(data.memories())
    assert caught.value.line == 2


def test_a_memory_no_store_could_take_is_reported_with_its_line(tmp_path: Path) -> None:
    data = make_set(tmp_path / "s", [line(), line(id="m2", scope="x" * 600)])
    with pytest.raises(DataSetError, match="scope key") as caught:
        data.drafts(data.memories(), undated=TOLD)
    assert caught.value.line == 2


def test_a_text_with_other_line_separators_is_one_line(tmp_path: Path) -> None:
    text = "one\u2028two\x85three"
    row = json.dumps(line(text=text), ensure_ascii=False)
    assert [each.text for each in make_set(tmp_path / "s", [row]).memories()] == [text]


def test_a_byte_order_mark_and_a_lone_surrogate_do_no_harm(tmp_path: Path) -> None:
    data = make_set(tmp_path / "s", ["\ufeff" + json.dumps(line(text="done \ud83d"))])
    [only] = data.memories()
    assert only.text == clean_text("done \ud83d")
    assert only.text.encode().startswith(b"done ")


def test_reading_starts_anew_with_every_call(tmp_path: Path) -> None:
    data = make_set(tmp_path / "s", [line()])
    assert list(data.memories()) == list(data.memories())
    assert len(list(data.memories())) == 1


def test_a_folder_of_sets_stands_for_the_sets_in_it(tmp_path: Path) -> None:
    for name in ("b", "a"):
        make_set(tmp_path / name, [line()])
    (tmp_path / "notes").mkdir()
    assert [each.name for each in find_sets([tmp_path])] == ["a", "b"]
    assert [each.name for each in find_sets([tmp_path / "b", tmp_path])] == ["b", "a"]


def test_sets_of_one_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    one, two = tmp_path / "x" / "s", tmp_path / "y" / "s"
    make_set(one), make_set(two)
    assert [each.name for each in find_sets([one, two])] == [str(one), str(two)]


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_a_set_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataSetError, match=name):
        find_sets([tmp_path / name])
