"""What passes tell of a program shows no value of a sensitive cell, in any form."""

import pytest
from click.testing import CliRunner

from statemem.cli import main

SECRETS = ("hunter22", "778899", "topsecret")
PROGRAM = """program "secrets"
cell session:1/pin sensitive
cell session:1/code sensitive
cell session:1/account sensitive
task main in session:1/ {
  block a user {
    pin = set "hunter22"
    code = set 778899
    account = set {"note": "topsecret", "plain": true}
    maybe pin = set "hunter22 again"
    goto b
  }
  block b assistant {
    use pin, code for reply
    open
  }
}
"""
PASSES = '''
from statemem.passes import Analysis
from statemem.passes.framework import Powerset


class Raises(Analysis):
    """Raises what it sees."""

    facts = Powerset()

    def on_write(self, cell, mode, state, at):
        raise ValueError(f"saw {at.entry.value if at.entry else None}")


class Tells(Analysis):
    """The values themselves."""

    facts = Powerset()

    def on_write(self, cell, mode, state, at):
        state.gen(f"{cell} is {at.entry.value if at.entry else None}")
'''


def output(tmp_path, *arguments):
    (tmp_path / "secrets.smir").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "own.py").write_text(PASSES, encoding="utf-8")
    placed = [one.replace("own.py", str(tmp_path / "own.py")) for one in arguments]
    done = CliRunner().invoke(main, ["run", *placed, str(tmp_path / "secrets.smir")])
    return done.stdout + done.stderr


@pytest.mark.parametrize("form", ["text", "json", "dot"])
@pytest.mark.parametrize("passes", ["values", "own.py:Tells", "own.py:Raises", "reaching,values,own.py:Tells"])
def test_no_value_of_a_sensitive_cell_is_shown(tmp_path, form, passes):
    told = output(tmp_path, "-p", passes, "--as", form, "--every", "--print-after")
    assert told
    assert [] == [secret for secret in SECRETS if secret in told]


def test_they_are_shown_to_who_asks_for_them(tmp_path):
    told = output(tmp_path, "-p", "values", "--show-values")
    assert [] == [secret for secret in SECRETS if secret not in told]
