"""An answer about a path of calls tells which of its steps are only possible."""

from typing import Any

from codeindex.search.pack.agent_text import flow_certainty


def _flow(*certainties: str) -> dict[str, Any]:
    steps = [
        {"path": "a.py", "line": line, "certainty": certainty}
        for line, certainty in enumerate(certainties, 1)
    ]
    return {"from": "a", "to": "b", "paths": [steps]}


def test_possible_steps_are_named_by_their_line() -> None:
    assert flow_certainty(_flow("resolved", "resolved")) == "all certain"
    found = flow_certainty(_flow("resolved", "ambiguous"))
    assert found == "of which a.py:2 are only possible"
    many = flow_certainty(_flow(*["ambiguous"] * 5))
    assert many == "of which a.py:1, a.py:2, a.py:3 and 2 more are only possible"
