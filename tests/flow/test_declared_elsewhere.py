"""Users of a declaration are those of its definition: headers of C and C++, `.d.ts`, `.pyi`."""

import pytest

from codeindex import Index
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
C = {
    "include/pool.h": "int pool_open(int n);\nint pool_local(int n);\n",
    "src/pool.c": '#include "../include/pool.h"\nint pool_open(int n) {\n    return n;\n}\n',
    "src/local.c": "static int pool_local(int n) {\n    return n;\n}\n"
    "int other(void) {\n    return pool_local(1);\n}\n",
    "src/main.c": '#include "../include/pool.h"\nint main(void) {\n    return pool_open(3);\n}\n',
    "tests/test_pool.c": '#include "../include/pool.h"\n'
    "void test_open(void) {\n    pool_open(3);\n}\n",
}
CPP = {
    "pool.hpp": "class Pool {\npublic:\n    int open(int n);\n};\n",
    "pool.cpp": '#include "pool.hpp"\nint Pool::open(int n) {\n    return n;\n}\n',
    "main.cpp": '#include "pool.hpp"\nint main() {\n    Pool pool;\n    return pool.open(3);\n}\n',
}
TYPESCRIPT = {
    "api.d.ts": "export declare function open(n: number): number;\n",
    "api.js": "export function open(n) {\n  return n;\n}\n",
    "main.ts": 'import { open } from "./api";\nexport const main = open(3);\n',
}
PYTHON = {
    "pool.pyi": "def pool_open(n: int) -> int: ...\n",
    "pool.py": "def pool_open(n):\n    return n\n",
    "main.py": "from pool import pool_open\n\n\ndef main():\n    return pool_open(3)\n",
}
CASES = [
    (C, "include/pool.h", "int n", "src/main.c:3"),
    (CPP, "pool.hpp", "int n", "main.cpp:4"),
    (TYPESCRIPT, "api.d.ts", "n: number", "main.ts:2"),
    (PYTHON, "pool.pyi", "n: int", "main.py:5"),
]


@pytest.mark.parametrize(("files", "header", "old", "user"), CASES, ids=["c", "c++", "ts", "py"])
def test_a_change_of_the_declaration_names_the_users(
    repository: Repository, files: dict[str, str], header: str, old: str, user: str
) -> None:
    root = repository(files)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        dependants = {
            f"{each.file}:{each.lines[0]}" for each in index.graph.impact(header).dependants
        }
        assert user in dependants
        assert not any(place.startswith("src/local.c") for place in dependants)
        (root / header).write_text(files[header].replace(old, f"{old}, {old[::-1]}", 1))
        impact = index.changes.for_diff()
    assert user in {f"{use.file}:{use.line}" for use in impact.users}


def test_tests_of_the_definition_are_to_run(repository: Repository) -> None:
    root = repository(C)
    with Index.open(root) as index:
        index.sync(structure_only=True)
        (root / "include/pool.h").write_text("int pool_open(long n);\nint pool_local(int n);\n")
        assert [test.file for test in index.changes.for_diff().tests] == ["tests/test_pool.c"]


def test_callers_of_a_declaration_named_by_its_path(repository: Repository) -> None:
    with Index.open(repository(C)) as index:
        index.sync(structure_only=True)
        found = index.graph.callers("include/pool.h::pool_open").callers
    assert [caller.name for caller in found] == ["main", "test_open"]


INCLUDED = '#include "{}"\nint {}(void) {{\n    return go(1);\n}}\n'
GO = "int go(int n) {\n    return n;\n}\n"
HEADER = "int go(int n);\n"
STATIC = {
    "a/a.c": "static int go(int n);\nint use_a(int n) {\n    return go(n);\n}\n"
    "int twice(int n) {\n    return 2;\n}\n"
    f"static {GO}",
    "b/b.h": HEADER,
    "b/b.c": f'#include "b.h"\n{GO}',
    "b/c.c": INCLUDED.format("b.h", "use_b"),
}
PROGRAMS = {
    f"{folder}/{name}": text
    for folder in ("p1", "p2")
    for name, text in {
        "util.h": HEADER,
        "util.c": f'#include "util.h"\n{GO}',
        "main.c": INCLUDED.format("util.h", f"run_{folder}"),
    }.items()
}
STUB = {
    "inc/api.h": HEADER,
    "src/api.c": f'#include "../inc/api.h"\n{GO}',
    "src/step.c": INCLUDED.format("../inc/api.h", "step"),
    "t/stub.c": f'#include "../inc/api.h"\n{GO}int stub_user(void) {{\n    return go(1);\n}}\n',
}
PLATFORMS = {
    "inc/plat.h": HEADER,
    "src/posix.c": f'#include "../inc/plat.h"\n{GO}',
    "src/win32.c": f'#include "../inc/plat.h"\n{GO}',
    "src/main.c": INCLUDED.format("../inc/plat.h", "run"),
    "other/other.c": f"{GO}int other(void) {{\n    return go(1);\n}}\n",
}
METHOD = {
    "pool.hpp": "class Pool {\npublic:\n    static int go(int n);\n};\n",
    "pool.cpp": '#include "pool.hpp"\nint Pool::go(int n) {\n    return n;\n}\n',
    "main.cpp": '#include "pool.hpp"\nint run() {\n    return Pool::go(3);\n}\n',
}


@pytest.mark.parametrize(
    ("files", "declaring", "callers"),
    [
        (STATIC, "a/a.c", {"use_a"}),
        (STATIC, "b/b.h", {"use_b"}),
        (PROGRAMS, "p1/util.h", {"run_p1"}),
        (PROGRAMS, "p2/util.h", {"run_p2"}),
        (STUB, "inc/api.h", {"step"}),
        (PLATFORMS, "inc/plat.h", {"run"}),
        (METHOD, "pool.hpp", {"run"}),
    ],
    ids=["static", "not static", "first", "second", "stub", "platforms", "static method"],
)
def test_users_of_another_definition_with_the_name_are_not_certain(
    repository: Repository, files: dict[str, str], declaring: str, callers: set[str]
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.graph.callers(f"{declaring}::go").callers
        assert {each.name for each in found if each.certainty == "resolved"} == callers
        dependants = index.graph.impact(declaring).dependants
    certain = {each.name for each in dependants if each.certainty == "resolved" and each.by_calls}
    assert certain == (callers if not declaring.endswith(".c") else set())


def test_an_inherited_member_is_read_where_it_has_a_body(repository: Repository) -> None:
    sub = '#include "pool.hpp"\nclass Sub : public Pool {};\n'
    with Index.open(repository(CPP | {"sub.hpp": sub})) as index:
        index.sync(structure_only=True)
        read = index.source.read("", ("Sub.open",))
    assert (read.file, [section.start_line for section in read.sections]) == ("pool.cpp", [2])
