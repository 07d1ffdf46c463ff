"""Is personal data found in every disguise, and is what only looks like it left alone?

The labelled texts are in `personal_set.jsonl`. The rules were tuned on the half "dev"; "held" was set
aside and looked at only when they stood. All values are made up; where numbers are reserved for
examples, those are used.
"""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
import uuid
from dataclasses import dataclass
from datetime import date, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweir.store.gate_rules import Finding
from memweir.store.personal_data import PERSONAL_RULES, find_personal_data, personal_data

Found = tuple[str, str]
"""A rule's name and the value it found."""


@dataclass(frozen=True, slots=True)
class Labelled:
    half: str
    kind: str
    text: str
    finds: tuple[Found, ...]


def _labelled() -> list[Labelled]:
    lines = Path(__file__).with_name("personal_set.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Labelled(
            row["half"],
            row["kind"],
            row["text"],
            tuple((find["rule"], find["value"]) for find in row["finds"]),
        )
        for row in map(json.loads, lines)
    ]


LABELLED = _labelled()


def found(text: str) -> list[Found]:
    return [(each.rule, text[each.start : each.end]) for each in personal_data(text)]


def only(text: str) -> Found:
    (value,) = found(text)
    return value


# --- the labelled set ---------------------------------------------------------------------------


@pytest.mark.parametrize("half", ["dev", "held"])
def test_precision_and_recall_of_exact_values_are_at_least_097(half: str) -> None:
    hits = wanted = given_out = 0
    wrong = []
    for row in LABELLED:
        if row.half == half:
            got = found(row.text)
            hits += len(set(got) & set(row.finds))
            wanted += len(row.finds)
            given_out += len(got)
            if sorted(got) != sorted(row.finds):
                wrong.append(f"{row.kind}: {row.text!r} holds {row.finds}, found {got}")
    report = "\n".join(wrong)
    assert hits / given_out >= 0.97, f"precision {hits / given_out:.3f}\n{report}"
    assert hits / wanted >= 0.97, f"recall {hits / wanted:.3f}\n{report}"


@pytest.mark.parametrize("half", ["dev", "held"])
@pytest.mark.parametrize("rule", PERSONAL_RULES)
def test_each_rule_alone_finds_nine_of_ten(half: str, rule: str) -> None:
    wanted = [
        (row, value) for row in LABELLED if row.half == half for value in row.finds if value[0] == rule
    ]
    missed = [(row.text, value) for row, value in wanted if value not in found(row.text)]
    assert len(missed) <= len(wanted) // 10, missed


def test_the_labelled_set_is_large_mixed_and_without_repetition() -> None:
    texts = [row.text for row in LABELLED]
    assert len(set(texts)) == len(texts)
    assert sum(bool(row.finds) for row in LABELLED) >= 120
    assert sum(not row.finds for row in LABELLED) >= 180
    for half in ("dev", "held"):
        rules = [rule for row in LABELLED if row.half == half for rule, _ in row.finds]
        assert min(rules.count(rule) for rule in PERSONAL_RULES) >= 10
    assert all(row.text.count(value) == 1 for row in LABELLED for _, value in row.finds)


# --- what the two functions promise -------------------------------------------------------------

MIXED = "卡号4111 1111 1111 1111，电话13800138000，邮箱ada@example.com，身份证11010519491231002X"


def test_all_findings_come_in_order_of_the_text_with_their_spans() -> None:
    assert found(MIXED) == [
        ("bank-card", "4111 1111 1111 1111"),
        ("phone", "13800138000"),
        ("email", "ada@example.com"),
        ("chinese-id", "11010519491231002X"),
    ]


def test_the_first_finding_goes_by_the_order_of_the_rules_not_of_the_text() -> None:
    assert PERSONAL_RULES == ("email", "phone", "chinese-id", "bank-card")
    first = find_personal_data(MIXED)
    assert first == Finding("email", MIXED.index("ada@"), MIXED.index("ada@") + len("ada@example.com"))
    assert find_personal_data("nothing of anybody, 42 times") is None


def test_the_first_of_two_findings_of_one_rule_is_the_earlier() -> None:
    text = "call 415-555-0101 or 415-555-0102"
    assert find_personal_data(text) == Finding("phone", 5, 17)


def test_a_number_inside_an_address_is_the_address_alone() -> None:
    assert only("邮箱13800138000@example.com") == ("email", "13800138000@example.com")


@pytest.mark.parametrize("text", ["", " ", "\x00", "@", "1", "\ud83d", "@" * 300, "1" * 300, "+" * 300])
def test_texts_with_nothing_in_them_hold_nothing(text: str) -> None:
    assert personal_data(text) == ()


# --- e-mail -------------------------------------------------------------------------------------


def test_a_local_part_of_64_characters_is_an_address_and_one_of_65_is_none() -> None:
    longest = "a" * 64 + "@example.com"
    assert only(longest) == ("email", longest)
    assert found("a" + longest) == []


def test_an_unknown_ending_is_a_domain_only_beside_a_word_for_mail() -> None:
    assert found("see ada@corp.zzyzx for more") == []
    assert only("my e-mail is ada@corp.zzyzx for now") == ("email", "ada@corp.zzyzx")


def test_a_sentence_that_hangs_on_a_domain_is_not_a_part_of_it() -> None:
    assert only("Mail ada@example.com.Thanks") == ("email", "ada@example.com")
    assert only("Mail ada@example.com—thanks") == ("email", "ada@example.com")
    assert only("发给ada@example.com——谢谢") == ("email", "ada@example.com")
    assert only("发给ada@example.com。谢谢") == ("email", "ada@example.com")
    assert only("发给info@例子.中国谢谢") == ("email", "info@例子.中国")


def test_an_ideographic_full_stop_may_be_the_dot_of_a_domain() -> None:
    assert only("邮箱zhang@corp。cn") == ("email", "zhang@corp。cn")


def test_a_remote_path_is_no_address_and_a_chinese_colon_is_no_remote_path() -> None:
    assert found("deploy@example.com:srv/app") == []
    assert only("deploy@example.com：她负责部署") == ("email", "deploy@example.com")


# --- telephone ----------------------------------------------------------------------------------


def test_the_same_digits_are_a_telephone_or_an_order_by_the_words_beside_them() -> None:
    assert only("电话 13800138000") == ("phone", "13800138000")
    assert only("phone=13800138000") == ("phone", "13800138000")
    for named in ("订单号 13800138000", "order_id=13800138000", "#13800138000", "¥13800138000"):
        assert found(named) == []


def test_digits_of_other_scripts_are_digits() -> None:
    assert only("هاتف +٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨") == ("phone", "+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨")


def test_ten_digits_in_a_row_need_a_word_beside_them() -> None:
    assert found("2065550144") == []
    assert only("mobile 2065550144") == ("phone", "2065550144")


def test_service_numbers_are_nobodys_even_beside_a_word_for_a_telephone() -> None:
    for number in ("400-820-8820", "4008208820", "800-810-8888", "1-800-555-0199", "95588", "12315"):
        assert found(f"客服电话 {number}") == [], number


def test_an_unassigned_number_is_none_without_a_word_and_one_with_it() -> None:
    # 07632 is given to no operator; 555 is no area of North America.
    assert found("+44 7632 960543") == []
    assert only("mobile +44 7632 960543") == ("phone", "+44 7632 960543")
    assert only("my number: +44 7632 960543") == ("phone", "+44 7632 960543")
    assert found("555-555-0100") == []


def test_numbers_set_aside_for_examples_are_found_as_others_are() -> None:
    for number in ("+44 7700 900123", "+441632960123", "+33 6 39 98 12 34", "+353 20 912 3456"):
        assert only(f"ring {number} now") == ("phone", number)
    assert only("mobile 07700 900123") == ("phone", "07700 900123")


def test_an_escaped_line_break_hides_no_value() -> None:
    assert only(r"name: Ada\n13800138000") == ("phone", "13800138000")
    assert only(r"name: Ada\nada@example.com\n") == ("email", "ada@example.com")


# --- identity numbers ---------------------------------------------------------------------------


def test_an_identity_number_needs_its_check_character_region_and_date() -> None:
    # The sample of GB 11643: the sum of weight * digit is 167, 167 mod 11 = 2, which is written X.
    assert only("11010519491231002X") == ("chinese-id", "11010519491231002X")
    assert found("110105194912310021") == []
    # 295 mod 11 = 9, written 3: no province 99.     176 mod 11 = 0, written 1: no month 13.
    # 155 mod 11 = 1, written 0: no 30th of February.
    for wrong in ("990105194912310023", "110105194913310021", "110105194902300020"):
        assert found(wrong) == []


def test_a_district_that_was_founded_after_a_birth_is_no_objection() -> None:
    # 110221 Changping had this code from 1982 on; who was born in 1960 got it with the first card.
    # 109 mod 11 = 10, written 2.
    assert only("身份证110221196001010012") == ("chinese-id", "110221196001010012")


def test_the_form_of_fifteen_digits_needs_the_word() -> None:
    assert only("旧身份证110105490307123") == ("chinese-id", "110105490307123")
    assert found("设备 110105490307123") == []


# --- bank cards ---------------------------------------------------------------------------------


def test_a_check_digit_alone_makes_no_card() -> None:
    # From the right, every second doubled: 0+5+6+1+4+6+2+2+8+5+6+1+4+6+2+2 = 60.
    assert found("1234567812345670") == []  # passes the check, begins as no network does
    assert only("银行卡号 1234567812345670") == ("bank-card", "1234567812345670")
    assert found("银行卡号 1234567812345671") == []


def test_what_other_cards_are_called_is_no_bank_card() -> None:
    assert found("会员卡号 1234567812345670") == []
    assert found("SIM card number 1234567812345670") == []


def test_an_expiry_date_may_stand_beside_a_card_and_a_table_may_not() -> None:
    assert only("4111 1111 1111 1111 12 27 123") == ("bank-card", "4111 1111 1111 1111")
    assert found("4111 1111 1111 1111 2222 3333 4444 5555 6666") == []


# --- properties ---------------------------------------------------------------------------------

MANY = settings(deadline=None, max_examples=150)
ANY_TEXT = st.text(
    st.one_of(
        st.characters(),  # surrogates included
        st.sampled_from("0123456789@.+-()/ :,%\"'０１＠．－ａ\x00\u200b\ud83d电话身份证卡号邮箱"),
    ),
    max_size=80,
)
VALUES = st.sampled_from(
    [
        ("email", "ada@example.com"),
        ("email", "li+news@mail.example.cn"),
        ("phone", "13800138000"),
        ("phone", "138-0013-8000"),
        ("phone", "+44 20 7946 0958"),
        ("phone", "(415) 555-0132"),
        ("phone", "010-62345678"),
        ("chinese-id", "11010519491231002X"),
        ("bank-card", "4111 1111 1111 1111"),
        ("bank-card", "378282246310005"),
    ]
)
ENGLISH = st.lists(
    st.sampled_from(["the", "project", "uses", "we", "like", "tea", "and", "my", "is", "for", "you"]),
    max_size=6,
).map(" ".join)
CHINESE = st.lists(
    st.sampled_from(["我们", "喜欢", "项目", "使用", "今天", "朋友", "说", "所以"]), max_size=6
).map("".join)


@MANY
@given(ANY_TEXT)
def test_any_text_gives_ordered_spans_inside_it_that_do_not_overlap(text: str) -> None:
    findings = personal_data(text)
    end = 0
    for each in findings:
        assert each.rule in PERSONAL_RULES
        assert end <= each.start < each.end <= len(text)
        end = each.end
    first = find_personal_data(text)
    assert first in findings if findings else first is None


@MANY
@given(ANY_TEXT, VALUES)
def test_any_text_on_the_lines_around_hides_no_value(text: str, value: Found) -> None:
    whole = f"{text}\n\n{value[1]}\n\n{text}"
    assert value in found(whole)


@MANY
@given(ENGLISH, VALUES, ENGLISH)
def test_ordinary_words_around_hide_no_value(before: str, value: Found, after: str) -> None:
    assert found(f"{before} {value[1]} {after}") == [value]


@MANY
@given(CHINESE, VALUES, CHINESE)
def test_chinese_words_without_blanks_hide_no_value(before: str, value: Found, after: str) -> None:
    assert found(f"{before}{value[1]}{after}") == [value]


@MANY
@given(VALUES)
def test_full_width_and_invisible_characters_hide_no_value(value: Found) -> None:
    rule, plain = value
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" for c in plain)
    assert unicodedata.normalize("NFKC", wide) == plain
    assert only(f"值{wide}。") == (rule, wide)
    sown = "\u200b".join(plain)
    assert only(f"值{sown}。") == (rule, sown)


@MANY
@given(st.uuids())
def test_no_uuid_is_personal_data(value: uuid.UUID) -> None:
    assert found(f"id {value} and {value.hex}") == []


@MANY
@given(st.integers(1_000_000_000, 2_147_483_647), st.integers(0, 999_999_999))
def test_no_time_stamp_is_personal_data(seconds: int, nanoseconds: int) -> None:
    fraction = f"{nanoseconds:09}"
    for digits in (3, 6, 9):
        assert found(f"at {seconds}{fraction[:digits]} or {seconds}.{fraction[:digits]}") == []
    assert found(f"at {seconds}") == []


@MANY
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.integers(0, 86_399))
def test_no_date_is_personal_data_even_beside_a_word_for_a_telephone(day: date, second: int) -> None:
    time = str(timedelta(seconds=second)).rjust(8, "0")
    for form in ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d-%m-%Y", "%m/%d/%Y", "%Y年%m月%d日"):
        written = day.strftime(form)
        assert found(f"phone call {written} {time}, 电话 {written}{'T' + time}") == []


@MANY
@given(st.ip_addresses(v=4), st.lists(st.integers(0, 99_999), min_size=3, max_size=4))
def test_no_network_address_or_version_is_personal_data(address: IPv4Address, parts: list[int]) -> None:
    version = ".".join(map(str, parts))
    assert found(f"root@{address}:22 {address} v{version} pkg@{version}") == []


@MANY
@given(st.floats(-1e9, 1e9, allow_nan=False))
def test_no_decimal_number_is_personal_data(value: float) -> None:
    assert found(f"{value:.4f} {value:.8f} {value:,.2f} {value!r}") == []


# --- cost ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "unit",
    ["@", "a@", "a@b.", "1-", "+1 ", "(1", "4111 ", "1", "http://x/13800138000 ", "://a:", "́", '"a'],
)
def test_a_long_text_of_one_unit_is_read_to_its_end(unit: str) -> None:
    text = unit * (30_000 // len(unit)) + "\nada@example.com"
    assert ("email", "ada@example.com") in found(text)


_WITHOUT_NUMBERS = """
import sys
import memweir
from memweir.store.personal_data import personal_data
assert personal_data("Ada prefers pnpm, 用户喜欢简洁的回答") == ()
assert personal_data("in 2024 we were 17, 3 of them at example.com; ada@laptop") == ()
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"phonenumbers", "stdnum"}, loaded
assert len(personal_data("order 13800138000, 1700000000123, 550e8400-e29b-41d4-a716-446655440000")) == 0
assert "phonenumbers" not in sys.modules
assert len(personal_data("13800138000")) == 1
assert "phonenumbers" in sys.modules
"""


def test_the_numbering_plans_are_loaded_by_the_first_candidate_and_not_before() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT_NUMBERS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
