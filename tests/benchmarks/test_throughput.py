"""The benchmark of reading and lowering: its rows, and that a log it cannot lower says why."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.throughput import PHASES, Row, Run, line, main, run
from benchmarks.throughput_logs import write


def test_made_logs_hold_the_same_conversations_in_each_layout(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.jsonl.gz", "a.json"):
        write(tmp_path / name, 3, 8, seed=1)
    lines = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert lines.encode() == gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes())
    conversations = [json.loads(one) for one in lines.splitlines()]
    assert conversations == json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert [("chat-0", 8), ("chat-1", 8), ("chat-2", 8)] == [(one["id"], len(one["messages"])) for one in conversations]


def test_a_log_is_measured_in_three_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "log.jsonl", 2, 8, seed=1)
    assert 0 == main([str(tmp_path / "log.jsonl"), "--json", str(tmp_path / "rows.json")])
    (row,) = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert ("log.jsonl", (tmp_path / "log.jsonl").stat().st_size) == (row["log"], row["bytes"])
    assert all(row[phase]["seconds"] > 0 and row[phase]["problem"] is None for phase in PHASES)
    assert capsys.readouterr().out.splitlines()[1].startswith("log.jsonl")


def test_a_log_that_cannot_be_lowered_says_why(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('[{"foo": 1}]', encoding="utf-8")
    found = run("lowering", str(path))
    assert found.problem is not None
    assert "FE010" in found.problem
    assert "FE010" in line(Row("log", 12, {"loads": Run(1.0, 0), "reading": Run(1.0, 0), "lowering": found}))


def test_growth_compares_with_a_tenth() -> None:
    tenth = Row("log", 10**6, dict.fromkeys(PHASES, Run(1.0, 2_000_000)))
    row = Row("log", 10**7, dict.fromkeys(PHASES, Run(11.0, 3_000_000)), tenth)
    assert (11.0, 1.5) == (row.seconds_growth, row.peak_growth)
    assert (None, None) == (tenth.seconds_growth, tenth.peak_growth)
    assert line(row).endswith("x1.5")
