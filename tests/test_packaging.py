"""The package as it is built and installed: the two rooms beside it are part of it, and nothing else is."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import statemem

ROOT = Path(__file__).parent.parent


def test_the_links_lead_to_the_rooms():
    assert {name: (ROOT / name).resolve() for name in ("ir", "passes")} == {
        name: (ROOT / "statemem" / name).resolve() for name in ("ir", "passes")
    }


def test_public_names_are_sorted_complete_and_there():
    assert sorted(statemem.__all__) == statemem.__all__
    assert all(getattr(statemem, name) is not None for name in statemem.__all__)


def test_importing_the_package_is_cheap():
    code = "import sys, statemem; print(sorted({'networkx', 'sqlalchemy', 'lark', 'rich', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == done.stdout


@pytest.fixture(name="wheel", scope="module")
def _wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONWARNINGS": ""}
    )
    assert 0 == done.returncode, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_exactly_the_tracked_files(wheel):
    tracked = subprocess.run(
        ["git", "ls-files", "ir", "passes", "statemem"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of tracked files")
    expected = {_inside(name) for name in tracked.stdout.split() if name not in ("statemem/ir", "statemem/passes")}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert expected == packed


def _inside(name):
    return name if name.startswith("statemem/") else f"statemem/{name}"


def test_an_installed_package_claims_no_name_but_its_own(wheel, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(tmp_path / "site"), str(wheel)],
        check=True, env={**os.environ, "PYTHONWARNINGS": ""},
    )  # fmt: skip
    code = "import sys; sys.path.insert(0, 'site'); from importlib.util import find_spec as f; print(f('statemem.ir') is not None, f('ir'), f('passes'))"
    command = [sys.executable, "-I", "-S", "-c", code]  # without the site, so that no editable install is in the way
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "True None None\n" == done.stdout
