"""The answer to a flow question names the steps that are only possible."""

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
    assert found == "only possible at a.py:2"
    many = flow_certainty(_flow(*["ambiguous"] * 5))
    assert many == "only possible at a.py:1, a.py:2, a.py:3 and 2 more"
