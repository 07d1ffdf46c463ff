"""Is what the documentation says true? Its code runs, its links lead somewhere, nothing is left out.

Fences and what is done with them:

- `python`: run, all of a page in one namespace; a `text` fence right after it is what was printed
- `console`: lines that start with `$ memweir` are run, the lines below are what was printed
- `toml`: loaded as settings
- `sh`, `powershell`, `json`, other `text`: shown only

In expected output `...` stands for anything, and every date for every other date.
`python tests/test_docs.py` writes the defaults now in force into the table of settings.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from memweir import Config, Memory, errors
from memweir.cli import COMMANDS, build_parser, main
from memweir.fusion.gate import REASONS
from memweir.fusion.injection import DROP_REASONS
from memweir.retrieval.features import FEATURES
from memweir.store import records
from memweir.store.scopes import SCOPE_KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
)
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
SHOWN_ONLY = {"sh", "powershell", "json", "text"}
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")


@dataclass(frozen=True)
class Fence:
    """A fenced block: its language, its lines, and where it stands."""

    language: str
    text: str
    line: int


def fences(page: Path) -> list[Fence]:
    found: list[Fence] = []
    language: str | None = None
    start, lines = 0, list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if language is None and line.startswith("```"):
            language, start, lines = line[3:].strip(), number, []
        elif language is not None and line == "```":
            found.append(Fence(language, "\n".join(lines) + "\n", start))
            language = None
        elif language is not None:
            lines.append(line)
    assert language is None, f"{page.name}:{start} is never closed"
    return found


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def with_fence(*languages: str) -> list[Path]:
    return [page for page in PAGES if any(each.language in languages for each in fences(page))]


def same(expected: str, printed: str) -> bool:
    expected, printed = (DATE.sub("DATE", text).rstrip() + "\n" for text in (expected, printed))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(expected, printed, flags)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and no store, settings or home of the person who runs the tests."""
    for variable in [each for each in os.environ if each.startswith("MEMWEIR_")]:
        monkeypatch.delenv(variable)
    for variable in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.setenv("MEMWEIR_STORE", str(tmp_path / "command-line.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_fences_are_of_a_known_kind(page: Path) -> None:
    known = SHOWN_ONLY | {"python", "console", "toml"}
    assert [each for each in fences(page) if each.language not in known] == []


@pytest.mark.parametrize("page", with_fence("python"), ids=name_of)
def test_python_on_the_page_runs_and_prints_what_it_says(page: Path, elsewhere: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__page__"}
    found = fences(page)
    for fence, after in zip(found, [*found[1:], None], strict=True):
        if fence.language != "python":
            continue
        # Line numbers of a failure are those of the page.
        tree = ast.increment_lineno(ast.parse(fence.text), fence.line)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, str(page), "exec"), namespace)
        shown = after if after is not None and after.language == "text" else None
        lines_between = shown.line - fence.line - fence.text.count("\n") - 1 if shown else 0
        if shown is None or (lines_between > 2 and not printed.getvalue()):
            assert printed.getvalue() == "", f"{page.name}:{fence.line} prints what the page leaves out"
            continue
        assert same(shown.text, printed.getvalue()), (
            f"{page.name}:{shown.line} says\n{shown.text}\nbut it is\n{printed.getvalue()}"
        )


def _printed(page: Path) -> str:
    """What all of a page's Python prints, run as one program."""
    code = "\n".join(each.text for each in fences(page) if each.language == "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(page), "exec"), {"__name__": "__page__"})
    return DATE.sub("DATE", printed.getvalue())


@pytest.mark.parametrize(
    "page", [each for each in with_fence("python") if each.parent != ROOT], ids=name_of
)
def test_python_on_the_page_runs_again_or_the_page_says_what_to_delete(
    page: Path, elsewhere: Path
) -> None:
    first = _printed(page)
    for name in re.findall(r"\bdelete `([\w.-]+)`", page.read_text(encoding="utf-8")):
        (elsewhere / name).unlink()
    assert _printed(page) == first


@pytest.mark.parametrize("page", with_fence("console"), ids=name_of)
def test_commands_on_the_page_run_and_print_what_it_says(
    page: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for fence in fences(page):
        if fence.language != "console":
            continue
        for part in re.split(r"^\$ ", fence.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            program, *arguments = shlex.split(command)
            assert program == "memweir"
            code = main(arguments)
            printed = "".join(capsys.readouterr())
            assert code in (0, 1), f"{page.name}: {command}: {printed}"
            assert same(expected, printed), (
                f"{page.name}: {command}\nsays\n{expected}\nbut it is\n{printed}"
            )


@pytest.mark.parametrize("page", with_fence("toml"), ids=name_of)
def test_settings_on_the_page_are_accepted(page: Path, tmp_path: Path) -> None:
    for number, fence in enumerate(fences(page)):
        if fence.language == "toml":
            file = tmp_path / f"{number}.toml"
            file.write_text(fence.text, encoding="utf-8")
            for name in re.findall(r'^synonyms = "(.+)"$', fence.text, re.MULTILINE):
                (tmp_path / name).touch()
            assert Config.load(file, environ={}) != Config()


def _anchors(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    wrong = []
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if file.is_dir():
            file = file / "README.md"
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    folders = "store|retrieval|fusion|memweir|tests|benchmarks|docs"
    named = re.findall(rf"(?<![\w/.])((?:{folders})/[\w./-]*\w\.(?:py|sql|toml|md))\b", text)
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                file = (page.parent / target).resolve()
                waiting.append(file / "README.md" if file.is_dir() else file)
    assert [name_of(each) for each in PAGES if each not in reached] == []


def _section(heading: str) -> str:
    match = re.search(
        rf"^### {re.escape(heading)}$(.*?)(?=^##+ |\Z)", REFERENCE, re.MULTILINE | re.DOTALL
    )
    assert match is not None, f"docs/reference.md has no heading '### {heading}'"
    return match.group(1)


VERBS = [name for name in vars(Memory) if not name.startswith("_")]


@pytest.mark.parametrize("verb", VERBS)
def test_verb_is_described_with_all_its_parameters(verb: str) -> None:
    section = _section(verb)
    signature = re.search(r"`(?:Memory|memory)\.\w+\((.*?)\)(?: -> [^`]+)?`", section)
    assert signature is not None, f"no signature of {verb}"
    written = {each.split("=")[0].strip(" *") for each in signature.group(1).split(",")} - {""}
    real = set(inspect.signature(getattr(Memory, verb)).parameters) - {"self", "cls"}
    assert written == real
    described = set(re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section, flags=re.MULTILINE))
    in_tables = {name for cells in described for name in re.findall(r"\w+", cells)}
    if in_tables & real:
        assert real - in_tables - {"now"} == set(), "the table leaves out a parameter"


@pytest.mark.parametrize(
    ("heading", "of"),
    [
        ("Draft", records.Draft),
        ("Stored", records.Stored),
        ("Record", records.Record),
        ("Answer", records.Answer),
    ],
)
def test_fields_of_a_value_are_described(heading: str, of: type) -> None:
    section = _section(heading) + (_section("Draft") if heading == "Record" else "")
    words = set(re.findall(r"`([\w]+)`", section))
    fields = set(getattr(of, "__dataclass_fields__"))  # noqa: B009
    assert fields - words == set()


@pytest.mark.parametrize("heading", ["Recall", "RecallItem", "Explanation", "Stats"])
def test_fields_of_a_result_are_described(heading: str) -> None:
    from memweir import results

    fields = set(getattr(results, heading).__dataclass_fields__)
    assert fields - set(re.findall(r"`(\w+)`", _section(heading))) == set()


def test_defaults_of_a_draft_are_those_of_the_table() -> None:
    section = _section("Draft")
    for names, written in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `([^`]*)` \|", section, re.MULTILINE):
        for name in re.findall(r"\w+", names):
            assert records.Draft.__dataclass_fields__[name].default == ast.literal_eval(written), name


def test_every_error_is_in_the_table_with_its_facts() -> None:
    table = REFERENCE.partition("## Errors")[2].partition("## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \|([^|]*)\|$", table, re.MULTILINE))
    for name in errors.__all__:
        assert name in rows, name
        own = vars(getattr(errors, name)).get("__init__")
        facts = [each for each in inspect.signature(own).parameters if each != "self"] if own else []
        assert re.findall(r"\w+", rows[name]) == facts, name
    assert list(rows) == [each for each in rows if each in errors.__all__]


def test_every_command_and_option_is_described() -> None:
    missing = []
    for command in COMMANDS:
        if not re.search(rf"^\| `{command}[ `]", REFERENCE, re.MULTILINE):
            missing.append(command)
        subparsers = build_parser(command)._subparsers
        assert subparsers is not None
        (choices,) = (each.choices for each in subparsers._group_actions)
        for action in choices[command]._actions:  # type: ignore[index]
            longest = max(action.option_strings, key=len, default="")
            if longest and f"`{longest}" not in REFERENCE:
                missing.append(f"{command} {longest}")
    assert missing == []


def test_reference_names_no_option_that_is_gone() -> None:
    real = {"--version"}
    for command in COMMANDS:
        (choices,) = (each.choices for each in build_parser(command)._subparsers._group_actions)  # type: ignore[union-attr]
        real |= {each for action in choices[command]._actions for each in action.option_strings}  # type: ignore[index]
    assert set(re.findall(r"`(--[\w-]+)", REFERENCE)) - real == set()


def _settings() -> dict[str, object]:
    flat: dict[str, object] = {}
    waiting: list[tuple[str, object]] = list(Config().to_dict().items())
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{key}.{name}", each) for name, each in value.items()]
        else:
            flat[key] = value
    return flat


def _as_written(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


SETTING_ROW = re.compile(r"^\| `([a-z_]+(?:\.[a-z_]+)*)` \| ([^|`]*) \|", re.MULTILINE)


def write_defaults() -> None:
    """Put the defaults now in force into the table of settings."""
    settings = _settings()
    page = ROOT / "docs" / "reference.md"
    before, heading, after = page.read_text(encoding="utf-8").partition("## Settings")

    def row(match: re.Match[str]) -> str:
        key = match.group(1)
        return f"| `{key}` | {_as_written(settings[key])} |" if key in settings else match.group()

    page.write_text(before + heading + SETTING_ROW.sub(row, after), encoding="utf-8", newline="\n")


def test_every_setting_is_described_with_its_default() -> None:
    written = dict(SETTING_ROW.findall(REFERENCE.partition("## Settings")[2]))
    assert written == {key: _as_written(value) for key, value in _settings().items()}


def test_every_reason_and_enumeration_is_described() -> None:
    words = set(re.findall(r"`([\w-]+)`", REFERENCE))
    named = {
        *REASONS,
        *DROP_REASONS,
        *records.KINDS,
        *records.LAYERS,
        *records.PROVENANCES,
        *records.OUTCOMES,
        *records.STATUSES,
        *records.ORIGIN_CREDENCE,
    }
    assert named - words == set()
    assert [kind for kind in SCOPE_KINDS if f"`{kind}" not in REFERENCE] == []


def test_every_feature_is_described_once() -> None:
    table = REFERENCE.partition("### Features")[2].partition("###")[0]
    rows = re.findall(r"^\| ([^|]*) \|", table, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(FEATURES)


def test_gate_rules_stand_in_the_order_in_which_they_are_tried() -> None:
    table = REFERENCE.partition("### Of the gate")[2].partition("###")[0]
    rows = [each for each in re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) if each in REASONS]
    assert rows == list(REASONS)


def test_credence_steps_are_those_of_the_store() -> None:
    from memweir.store.writes import CREDENCE_STEPS

    rows = re.findall(
        r"^\| `(\w+)` \| ?([+\d]*) ?\| ?([+\d]*) ?\| ?([+\d]*) ?\|$", _section("feedback"), re.M
    )
    written = {
        outcome: (float(alpha or 0), float(beta or 0), int(harmful or 0))
        for outcome, alpha, beta, harmful in rows
    }
    assert written == CREDENCE_STEPS


def test_set_up_commands_are_the_two_that_ci_runs() -> None:
    (shell,) = (each.text for each in fences(ROOT / "README.md") if each.language == "sh")
    first, second = shell.splitlines()
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    patterns = re.findall(r"tried '([^']+)'", ci)
    assert [
        bool(re.search(each, line)) for each, line in zip(patterns, (first, second), strict=True)
    ] == [
        True,
        True,
    ]


def test_decisions_are_numbered_listed_and_whole() -> None:
    folder = ROOT / "docs" / "decisions"
    pages = sorted(folder.glob("[0-9]*.md"))
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert [page.name for page in pages] == listed
    for number, page in enumerate(pages, start=1):
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {number:04} ")
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == [
            "Context",
            "Decision",
            "Consequences",
            "Alternatives",
        ]
        assert "\nStatus: " in text


if __name__ == "__main__":
    write_defaults()
