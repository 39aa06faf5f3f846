import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statemem.ir.diagnostics import InputError
from statemem.ir.frontends import lower
from statemem.ir.frontends.reader import read
from statemem.ir.frontends.reading.json_text import MAX_DEPTH

STEP = '{"step_id": 1, "accessed_memory_ids": []}'
ENTRY = '{"entry_id": "a", "content": "x", "created_step": 1}'


def refusal(path, **options):
    with pytest.raises(InputError) as caught:
        list(lower(str(path), [], **options))
    return caught.value.problems[0]


def write(folder, content, name="log.json"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


BAD = {
    "empty": (b"", "FE003"),
    "blank": (b" \n\n", "FE003"),
    "cut short": (b'[{"entry_id": "a", "content', "FE007"),
    "cut after a value": (b'[{"entry_id": "a"}', "FE004"),
    "not text": (b"\xff\xfe\x00\x01binary", "FE005"),
    "gzip cut short": (gzip.compress(ENTRY.encode() * 50)[:40], "FE004"),
    "a number": (b"42", "FE006"),
    "nested": (b"[" * 100_000 + b"]" * 100_000, "FE008"),
    "nested but readable": (b"[" * (MAX_DEPTH + 5) + b"]" * (MAX_DEPTH + 5), "FE008"),
    "unknown format": (b'[{"foo": 1}]', "FE010"),
    "an empty list": (b"[]", "FE003"),
    "prose": (b"Dear sir,\nplease find the log attached.\n", "FE007"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_located_problem_with_what_to_do(name, tmp_path):
    content, code = BAD[name]
    path = write(tmp_path, content)
    problem = refusal(path)
    assert (code, str(path)) == (problem.code, problem.location.file)
    assert problem.hint


def test_missing_files_and_directories(tmp_path):
    assert ("FE001", "FE002") == (refusal(tmp_path / "none").code, refusal(tmp_path).code)


@pytest.mark.parametrize("name", ["x" * 5_000, '{"messages": [' * 500, "a\0b", "", "\ud800"])
def test_what_cannot_be_a_path_is_no_file(name):
    assert ("FE001", name) == ((problem := refusal(name)).code, problem.location.file)


def test_a_bad_line_of_json_lines_is_located_counted_and_skipped(tmp_path):
    path = write(tmp_path, f'{ENTRY}\n{{"broken": \n{STEP}\n{{"cut')
    problems = []
    (program,) = lower(str(path), problems)
    assert 1 == len(program.entries)
    assert [(2, "warning"), (4, "warning")] == [(one.location.line, one.severity) for one in problems]
    assert (2, "error") == ((first := refusal(path, strict=True)).location.line, first.severity)


def test_lines_array_object_and_gzip_give_the_same_program(tmp_path):
    entry, step = json.loads(ENTRY), json.loads(STEP)
    shapes = [
        f"{ENTRY}\n{STEP}\n".encode(),
        json.dumps([step, entry]).encode(),
        json.dumps({"entries": [entry], "steps": [step]}).encode(),
        gzip.compress(f"{STEP}\n{ENTRY}\n".encode()),
        b"\xef\xbb\xbf" + f"{ENTRY}\r\n{STEP}\r\n".encode(),
    ]
    found = []
    for number, content in enumerate(shapes):
        (program,) = lower(str(write(tmp_path, content, f"log.{number}")), [])
        found.append([(entry.id, entry.value) for entry in program.entries])
    assert [[("a", "x")]] * len(shapes) == found


def test_halves_of_surrogate_pairs_become_a_sign_that_files_can_hold(tmp_path):
    path = write(tmp_path, b'[{"entry_id": "a", "content": "\\ud83d", "created_step": 1}]')
    (program,) = lower(str(path), [])
    assert "\ufffd" == program.entries[0].value


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_end_in_programs_or_located_problems(content):
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        try:
            list(lower(file.name, []))
        except InputError as error:
            assert all(problem.location.file == file.name for problem in error.problems)


FIELDS = st.sampled_from(
    """
    entry_id content created_step refs semantic_fact version pinned step_id accessed_memory_ids entries steps turn time
    actor scope task ops op name value from id was for to args key kind ended maybe with messages role tool_calls function
    arguments tool_call_id traj simulations order_id
    """.split()  # noqa: SIM905
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=4),
    max_leaves=12,
)
ROLE = st.sampled_from(["user", "assistant", "tool", "system", "function", "x"])
OP = st.sampled_from("set append delete add default derive use bind same effect enter leave x".split())  # noqa: SIM905
RECORDS = st.one_of(
    st.builds(lambda rest, step: {"step_id": step, "accessed_memory_ids": [], **rest}, st.dictionaries(FIELDS, JSON), JSON),
    st.builds(lambda rest: {"entry_id": "a", "content": 1, **rest}, st.dictionaries(FIELDS, JSON)),
    st.builds(lambda ops, rest: {"scope": "session:1", **rest, "ops": ops}, st.lists(st.builds(
        lambda op, rest: {"op": op, "name": "x", "value": 1, **rest}, OP, st.dictionaries(FIELDS, JSON))),
        st.dictionaries(FIELDS, JSON)),
    st.builds(lambda role, rest: {"role": role, **rest}, ROLE, st.dictionaries(FIELDS, JSON)),
    JSON,
)  # fmt: skip


@given(st.lists(RECORDS, min_size=1, max_size=5))
@settings(max_examples=400)
def test_any_records_end_in_programs_or_problems(records):
    problems = []
    try:
        programs = list(lower(records, problems))
    except InputError:
        return
    assert all(problem.severity == "warning" for problem in problems)
    assert programs


def test_records_may_be_handed_over_in_python():
    assert [{"a": 1}, {"b": 2}] == [record.value for record in read([{"a": 1}, {"b": 2}], []).records]
