"""Does what is built hold exactly what is written: every module, every data file, nothing else?

The distributions are built from a copy that has no leftovers (a `build/` folder keeps dead files
alive), by calling the back end as `pip` does, without a network.
"""

from __future__ import annotations

import email
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import memweir

ROOT = Path(__file__).parent.parent
ROOMS = ("store", "retrieval", "fusion")
SOURCES = ("memweir", *ROOMS)
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist")

pytestmark = pytest.mark.slow


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _expected() -> dict[str, Path]:
    """Name inside the wheel → file of the tree, found by walking the real folders."""
    found = {}
    for folder in SOURCES:
        base = "memweir" if folder == "memweir" else f"memweir/{folder}"
        for path in (ROOT / folder).rglob("*"):
            inside = path.relative_to(ROOT / folder)
            through_link = folder == "memweir" and inside.parts[0] in ROOMS
            if path.is_file() and not through_link and "__pycache__" not in inside.parts:
                found[f"{base}/{inside.as_posix()}"] = path
    return found


def _copy(target: Path, *, links: bool = True) -> Path:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        target.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, target / folder, symlinks=True, ignore=LEFT_OUT)
    if not links:
        # As git writes a link where the system or its settings know none: its target as text.
        for room in ROOMS:
            (target / "memweir" / room).unlink(missing_ok=True)
            (target / "memweir" / room).write_text(f"../{room}", encoding="utf-8")
    return target


def _build(what: str, source: Path, output: Path) -> Path:
    """Call a hook of the build back end in a process of its own, as `pip` does."""
    output.mkdir(exist_ok=True)
    script = (
        "import sys; from setuptools import build_meta; "
        f"print('built:' + build_meta.build_{what}(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(output)],
        cwd=source,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    name = next(line for line in done.stdout.splitlines() if line.startswith("built:"))
    return output / name.removeprefix("built:")


def _names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return sorted(each for each in archive.namelist() if not each.endswith("/"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _copy(tmp_path_factory.mktemp("tree") / "memweir")


@pytest.fixture(scope="module")
def wheel(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _build("wheel", copy, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = _copy(tmp_path_factory.mktemp("tree") / "memweir")
    return _build("sdist", source, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def _run(site: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_holds_every_file_of_the_four_folders_and_nothing_else(wheel: Path) -> None:
    packed = [each for each in _names(wheel) if ".dist-info/" not in each]
    assert packed == sorted(_expected())


def test_files_in_the_wheel_are_byte_for_byte_those_of_the_tree(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        different = [
            name for name, path in _expected().items() if archive.read(name) != path.read_bytes()
        ]
    assert different == []


def test_walk_of_the_tree_sees_sources_sql_data_and_the_typing_mark() -> None:
    # The comparison above proves nothing if the walk finds nothing.
    names = _expected()
    assert "memweir/py.typed" in names
    assert "memweir/store/sql/migrations/0001_initial.sql" in names
    assert {"memweir/memory.py", "memweir/store/scopes.py", "memweir/retrieval/types.py"} <= set(names)
    assert {Path(name).suffix for name in names} >= {".py", ".sql", ".toml", ".typed"}


def test_memweir_is_the_one_top_level_name(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in _names(wheel)}
    assert tops == {"memweir", f"memweir-{memweir.__version__}.dist-info"}


def test_every_folder_with_modules_is_named_as_a_package() -> None:
    folders = {
        str(Path(name).parent).replace("/", ".").replace(os.sep, ".")
        for name in _expected()
        if name.endswith(".py")
    }
    assert folders == set(_project()["tool"]["setuptools"]["packages"])


def test_version_is_said_alike_by_package_project_and_changelog() -> None:
    assert _project()["project"]["version"] == memweir.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{memweir.__version__}]" in changelog


def test_wheel_declares_command_licence_and_supported_pythons(wheel: Path) -> None:
    info = f"memweir-{memweir.__version__}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
        entry_points = archive.read(f"{info}/entry_points.txt").decode()
        licence = archive.read(f"{info}/licenses/LICENSE")
    assert "memweir = memweir.cli:main" in entry_points
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert licence == (ROOT / "LICENSE").read_bytes()


def test_wheel_from_the_source_distribution_is_the_same(
    wheel: Path, sdist: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = (each for each in tmp_path.iterdir() if each.is_dir())
    again = _build("wheel", source, tmp_path / "dist")
    assert _names(again) == _names(wheel)


def test_editable_install_finds_the_rooms_where_links_are_plain_files(tmp_path: Path) -> None:
    # Windows without developer mode: git writes the links in memweir/ as small text files.
    source = _copy(tmp_path / "tree", links=False)
    editable = _build("editable", source, tmp_path / "dist")
    site = tmp_path / "site"
    with zipfile.ZipFile(editable) as archive:
        archive.extractall(site)
    script = (
        "import json, site, sys; site.addsitedir(sys.argv[1])\n"
        "import memweir.store.scopes, memweir.retrieval.types, memweir.fusion.types\n"
        "print(json.dumps([memweir.store.scopes.__file__, memweir.fusion.types.__file__]))"
    )
    done = subprocess.run(
        # -S: the interpreter's own site-packages may hold another editable memweir.
        [sys.executable, "-S", "-c", script, str(site)],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    )
    assert done.returncode == 0, done.stderr
    found = [Path(each).resolve() for each in json.loads(done.stdout)]
    assert found == [source / "store" / "scopes.py", source / "fusion" / "types.py"]


def test_unpacked_wheel_runs_the_demo_without_the_source(unpacked: Path, tmp_path: Path) -> None:
    script = (
        "import json, sys, memweir.cli\n"
        "code = memweir.cli.main(['demo', '--json'])\n"
        "sys.stdout.flush()\n"
        "files = [m.__file__ for n, m in sys.modules.items() if n.split('.')[0] == 'memweir']\n"
        "print(json.dumps({'code': code, 'files': files}))\n"
    )
    story, last = _run(unpacked, "-c", script, cwd=tmp_path).strip().splitlines()
    report = json.loads(last)
    assert report["code"] == 0
    assert [each for each in report["files"] if not Path(each).is_relative_to(unpacked)] == []
    assert json.loads(story)["counts"]["questions"] > 0
