"""Which names may a caller rely on, and what does asking for them cost?"""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import memweir

ROOT = Path(__file__).parent.parent
FOLDERS = {"memweir": "memweir", "store": "memweir.store"} | {
    room: f"memweir.{room}" for room in ("retrieval", "fusion")
}
HEAVY = ("numpy", "apsw", "rjieba", "opencc", "snowballstemmer", "sqlite_vec", "rich")


def _modules() -> dict[str, Path]:
    """Import name → file of every module, the rooms under their real folders."""
    found = {}
    for folder, package in FOLDERS.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            inside = path.relative_to(ROOT / folder)
            if folder == "memweir" and inside.parts[0] in FOLDERS:
                continue  # through a link
            parts = [part for part in inside.with_suffix("").parts if part != "__init__"]
            found[".".join([package, *parts])] = path
    return found


MODULES = _modules()


def _defined(tree: ast.Module) -> list[str]:
    """Public names a module makes itself: functions, classes, constants, type aliases."""
    names: list[str] = []
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=targets):
                names += [each.id for each in targets if isinstance(each, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
            case _:
                pass
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def _exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                listed: list[str] = ast.literal_eval(value)
                return listed
            case _:
                pass
    return []


def _sort_key(name: str) -> tuple[int, list[int | str]]:
    """Constants, then classes, then the rest; numbers inside names by value."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


@pytest.mark.parametrize("name", sorted(MODULES))
def test_module_lists_every_public_name_once_and_in_order(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    exported = _exported(tree)
    assert [each for each in _defined(tree) if each not in exported] == []
    assert exported == sorted(set(exported), key=_sort_key)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_listed_name_is_there(name: str) -> None:
    if name == "memweir.__main__":
        pytest.skip("importing it starts nothing, and it lists nothing")
    module = importlib.import_module(name)
    missing = [each for each in getattr(module, "__all__", ()) if not hasattr(module, each)]
    assert missing == []


@pytest.mark.parametrize("name", sorted(MODULES))
def test_first_line_of_a_module_says_what_it_is_for(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    first = (ast.get_docstring(tree) or "").partition("\n")[0].strip()
    assert first.endswith((".", "?", ":", ")")), first or "no docstring"


def test_room_is_one_module_under_one_name() -> None:
    # `import store` would load a second copy whose classes are not equal to ours.
    bare = re.compile(r"^\s*(?:from|import) (?:store|retrieval|fusion)\b", re.MULTILINE)
    wrong = [name for name, path in MODULES.items() if bare.search(path.read_text(encoding="utf-8"))]
    assert wrong == []


def test_names_of_the_face_are_these() -> None:
    # Written out: adding or removing one is a decision, not an accident.
    assert memweir.__all__ == [
        "Answer",
        "Budget",
        "Config",
        "Draft",
        "Embedder",
        "Explanation",
        "History",
        "Memory",
        "MemweirError",
        "Prompt",
        "PromptBlock",
        "Recall",
        "RecallItem",
        "Receipt",
        "Record",
        "Relation",
        "Rerun",
        "Review",
        "RunExplanation",
        "Scope",
        "Stats",
        "Stored",
        "__version__",
    ]


@pytest.mark.parametrize("name", [each for each in memweir.__all__ if each != "__version__"])
def test_name_of_the_face_is_the_same_object_as_in_its_home(name: str) -> None:
    value = getattr(memweir, name)
    assert value is getattr(sys.modules[value.__module__], name)
    assert name in dir(memweir)


def test_unknown_name_of_the_face_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Memroy'"):
        memweir.Memroy  # noqa: B018


def _loaded_by(statement: str) -> set[str]:
    script = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "statement",
    [
        "import memweir",
        "import memweir.errors",
        "from memweir import MemweirError, Scope, Draft, Budget, Config, Recall",
        "import memweir.store.records",
        "import memweir.fusion",
    ],
)
def test_import_loads_no_heavy_package(statement: str) -> None:
    assert sorted(_loaded_by(statement) & set(HEAVY)) == []


def test_importing_one_room_does_not_load_the_others() -> None:
    loaded = _loaded_by("import memweir.fusion.rrf")
    assert [each for each in loaded if each.startswith(("memweir.retrieval.", "memweir.memory"))] == []


def test_help_of_the_command_line_loads_no_heavy_package() -> None:
    loaded = _loaded_by(
        "import contextlib, io, memweir.cli\nwith contextlib.redirect_stdout("
        "io.StringIO()):\n    memweir.cli.main(['--help'])"
    )
    assert "memweir.cli" in loaded
    assert sorted(loaded & set(HEAVY)) == []


def test_store_knows_nothing_above_it_and_fusion_knows_no_database() -> None:
    above = {
        "memweir.store": ("memweir.retrieval", "memweir.fusion", "memweir.memory", "memweir.config"),
        "memweir.fusion": ("memweir.retrieval", "memweir.store", "memweir.memory", "apsw", "sqlite3"),
    }
    wrong = []
    for name, path in MODULES.items():
        room = ".".join(name.split(".")[:2])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            imported += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            wrong += [
                f"{name} imports {each}"
                for each in imported
                if each.startswith(tuple(above.get(room, ("\0",))))
            ]
    assert wrong == []


@pytest.mark.slow
def test_types_a_caller_sees_are_the_promised_ones() -> None:
    api = pytest.importorskip("mypy.api", reason="mypy comes with the dev extra")
    stdout, stderr, code = api.run(
        ["--config-file", str(ROOT / "pyproject.toml"), str(ROOT / "tests" / "typing")]
    )
    # What mypy says of the package itself depends on the stubs of its dependencies: see .ci/run.
    assert [line for line in stdout.splitlines() if "tests/typing" in line.replace("\\", "/")] == []
    assert code in (0, 1), stdout + stderr
