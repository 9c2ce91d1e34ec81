"""Callers of names that several files define."""

from __future__ import annotations

from codeindex import Index
from tests.conftest import Repository

_BUILDS = {
    "tls.h": "void tls_verify(int on);\n",
    "tls_openssl.c": '#include "tls.h"\nvoid tls_verify(int on)\n{\n}\n',
    "tls_none.c": '#include "tls.h"\nvoid tls_verify(int on)\n{\n}\n',
    "tls.c": '#include "tls.h"\nvoid tls_close(void)\n{\n}\n',
    "main.c": '#include "tls.h"\nint main(void)\n{\n  tls_verify(1);\n  return 0;\n}\n',
    "other.c": "static void tls_verify(int on)\n{\n}\nvoid other(void)\n{\n  tls_verify(2);\n}\n",
}


def test_a_call_of_what_two_builds_define_may_run_each(repository: Repository) -> None:
    with Index.open(repository(_BUILDS)) as index:
        index.sync(structure_only=True)
        for path in ("tls_openssl.c", "tls_none.c"):
            found = index.graph.callers(f"{path}::tls_verify").callers
            assert [(caller.file, caller.certainty) for caller in found] == [
                ("main.c", "ambiguous")
            ]
        of_name = index.graph.callers("tls_verify").callers
        local = index.graph.callers("other.c::tls_verify").callers
    assert {(caller.file, caller.certainty) for caller in of_name} == {
        ("main.c", "resolved"),
        ("other.c", "resolved"),
    }
    assert [caller.file for caller in local] == ["other.c"]
