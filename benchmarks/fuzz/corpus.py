"""What inputs are made from: texts with every form of a statement, texts of drawn programs, words and characters.

The words of the language are taken from its grammar, and the programs from the strategies of `statemem.ir.testing`,
so that a form that is new to either is met without a line here.
"""

import re
from functools import cache, lru_cache
from importlib import resources

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from statemem.ir import Program
from statemem.ir.testing import AWKWARD, programs
from statemem.ir.text import dumps

DRAWN_TOGETHER = 100

TRACE = """\
program "support-42"

scope user:7/
scope session:42/ in user:7/
cell user:7/phone sensitive
cell user:7/order[*].total sensitive pinned
entry m1 with {"keywords": ["tea", ?], "asked": {"at": null}}

task main in session:42/ {
  block t1 user step 1 from "evt_1" with {"file": "a.jsonl", "line": 3, "actor": "tool:find"} {
    topic = set "mobile plan" as m1
    user:7/phone = set "+33 6 00 00 00 00" as m2 from "evt_2" with {"observed": "2025-01-31T09:30:00Z"}
    user:7/order["W15"] = set {"total": 561.0, "lines": [{"line_id": 1, "n": 2}, {"line_id": 2, "n": ?}]} as m3
    @it -> user:7/order["W15"]
    same user:7/order["W15"], user:7/order["A-15"]
    enter f1 is broadband  ;; after liveness = user:7/phone, topic
    goto t2
  }
  block t2 tool:diagnose step 2 in f1 {
    line.status = derive "down" from user:7/phone was m2, @it.total as m4 with {"confidence": 0.5, "version": 2}
    maybe line.tries = add 1
    notes = append ["rebooted", true, false, -1.5e3] as m5 from "evt_3"
    maybe line.speed = default ?
    delete @it["W15"].total as m6
    leave f1 ended
    goto t3
  }
  block t3 assistant step 3 {  # the reply
    use topic was m1, user:7/phone for reply
    use () for exposure  ;; after liveness += topic ;; after conflicts -= a["x, y"]
    effect refund(user:7/order["W15"].total, @it) key {"order": "W15"}
    effect nothing()
    open expect user:7/phone, topic, user:7/order.*
  }
}
"""

WORKFLOW = """\
program "all ways" workflow at t2
scope org:"A & B"/
cell org:"A & B"/size pinned depends on org:"A & B"/order[*].n, org:"A & B"/"book day"
cell org:"A & B"/n depends on ()
task ship requires org:"A & B"/size, task:ship/address
task main is order (size, "book day") in org:"A & B"/ {
block t1 "the user":"Ann B." {
"use".x[*]."book day" = set [] from "other" with {"file": null}
* = derive {} from ()
branch t2 on ok weight 7, t3 on "not ok" weight 0.5, "t 4"
}
block t2 system {
fork t3, "t 4" join t5
}
block t3 system {
    turn:t3/订单[ 7 ].颜色-2 = set "weiß"
    size = call ship(size was e9, @it) then t5 as c1 from "evt_1" with {"line": 3}
}
block "t 4" user {
call ship() then t5
}
block t5 user {
suspend then t6
}
block t6 user {
end
}
}
task ship (a, b) {
  block t7 user step -1 {
    enter ship
    return a was c1, task:ship/b as r1 from "evt_2" ;; after live = a
  }
  block t8 user {
    return
  }
  block t9 user {
    open only task:ship/address, *
  }
}
"""

ALTERNATING = """\
# two programs; the tasks of the second take turns
program "first" trace
task main {
}
program "second"
task a in user:1/ {
  block 订 user {
    x = set 1 as e2
    y = set 2
    goto t2
  }
}
task b in user:1/ {
  block t2 user {
    maybe delete x
    open
  }
}
task a {
  block t3 user {
    use x was e2, user:1/["k"].y
    @"no name" -> user:1/*
    use @"no name".x, @unbound
    leave never
    goto t9
  }
}
"""

#: Short lines whose names end in numbers, for texts that hold one of them very often.
CROWD = """\
program "crowd" workflow
scope org:1/
scope user:1/ in org:1/
scope user:2/ in user:3/
cell user:1/a1 depends on user:1/a2
task t1 requires user:1/a1
entry m1 with {"n": 1}
task main (p1) in user:1/ {
  block t0 user {
    a1 = set {"x": 1, "y": [{"id": 1}]} as m1 with {"version": 1}
    b1[*].x = append "a"
    same a1, a2
    same a1, b2.x
    maybe same a1.y, a2.x.y
    @r1 -> a1
    maybe @r -> a1
    @r.x1 = add 1
    use a1 was m1, @r1, @r.y  ;; after live = a1
    use a1, b[*], *
    enter f1
    maybe leave f1
    effect e1(a1) key 1
    goto t1
  }
  block t1 user step 1 {
    enter f1
    branch t2, t1
  }
  block t2 user in f2 {
    leave f1
    fork t1, t2 join t3
  }
  block t3 user {
    a1 = call t1(a1) then t4 as c1
  }
  block t4 user {
    end
  }
}
task t1 (p1) in user:2/ {
  block t5 user {
    return p1
  }
}
"""

#: As written, with both line ends and both ways to indent.
WRITTEN = (TRACE, WORKFLOW, ALTERNATING, TRACE.replace("\n", "\r\n"), WORKFLOW.replace("  ", "\t"))

#: Characters that end lines, stand for blanks, are half a character or none at all, somewhere else.
CHARACTERS = (
    *("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", " ", "\t", "\xa0", "\u3000"),
    *("\x00", "\x1b", "\x7f", "\ufeff", "\ufffe", "\ud800", "\udfff", "\U0001f600", "e\u0301", "\u200d", "½", "²", "٣"),
    *("{}[]()\"#;=,.:*@\\/-+?'%_&$"),
)

#: What stands for a value, a name or a number and is not quite one.
TOKENS = (
    *("9" * 4300, "9" * 4301, "1e999", "-1e999", "1e-999", "-0", "-0.0", "00", "1.", ".5", "0x1", "1_000", "NaN"),
    *("٣", "1" * 400, "1" * 400 + ".5", str(2**63), "1e400", "--", "->", ";;", ";; after", ";; after x =", "# "),
    *('"', '""', '"\\"', '"\\u"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\\n"', '"a\rb"', '"\x00"', "''"),
    *('{"a": 1, "a": 1}', "{}", "[]", "()", "[*]", '["*"]', '[""]', ".*", "*", "user:7/*", 'user:"/"/', "user:/"),
    *('{"line": true}', '{"observed": "0001-01-01T00:00:00+23:59"}', '{"confidence": 1e308}', '{"actor": ":"}'),
    *('{"recorded": "2025-W01-1T24:00Z"}', '{"event": null}', '{"version": -1}', '{"rule": 1}', '{"": 1}'),
)


@cache
def words() -> tuple[str, ...]:
    """The words and signs of the language, and names that look like some."""
    grammar = resources.files("statemem.ir.text").joinpath("grammar.lark").read_text(encoding="utf-8")
    spelled = dict.fromkeys(re.findall(r'(?<!\\)"([^"\\\s]+)"', grammar))
    return (*spelled, *AWKWARD)


@lru_cache(maxsize=2)
def drawn(number: int) -> tuple[str, ...]:
    """Texts of drawn programs, the same for the same number."""
    texts: list[str] = []

    @seed(number)
    @settings(
        max_examples=DRAWN_TOGETHER,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
    @given(st.lists(programs(), min_size=1, max_size=2))
    def collect(written: list[Program]) -> None:
        texts.append(dumps(written))

    collect()
    return tuple(texts)
