"""A package of somebody else is installed for real; its pass is found, solved, shown, and put through the kit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent / "third_party"
PROGRAM = """program "tea"

scope session:1/

task main in session:1/ {
  block t1 user {
    topic = set "tea"
    goto t2
  }
  block t2 assistant {
    use topic for reply
    open
  }
}
"""


@pytest.fixture(name="environment", scope="module")
def _environment(tmp_path_factory):
    """The environment of a process in which the package is installed beside this one."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), str(PACKAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(PACKAGE.parents[2])])}


def output(environment, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, encoding="utf-8"
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


def test_it_is_listed_and_run_by_name(environment, tmp_path):
    file = tmp_path / "tea.smir"
    file.write_text(PROGRAM, encoding="utf-8")
    listed = output(environment, "-m", "statemem", "passes")
    assert 1 == sum(line.startswith("promised ") for line in listed.splitlines())
    shown = output(environment, "-m", "statemem", "run", "-p", "promised", str(file))
    assert "goto t2  ;; after promised = session:1/topic" in shown


def test_it_passes_the_kit(environment):
    code = (
        "from statemem.passes.framework import find\n"
        "from statemem.passes.testing import check_pass\n"
        "check_pass(find('promised'), examples=20)\n"
        "print('held')"
    )
    assert "held\n" == output(environment, "-c", code)
