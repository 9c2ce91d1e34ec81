"""`unused` is not sure of symbols that settings, subtype hooks, macros or cgo may use."""

import time

import pytest

from codeindex import Index
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
REGISTERED = (
    "class _Base:\n    items = {}\n\n    def __init_subclass__(cls, key):\n"
    "        _Base.items[key] = cls\n\n\nclass _Pdf(_Base, key='pdf'):\n    pass\n\n\n"
    "def make(key):\n    return _Base.items[key]()\n"
)
PASTED = (
    "macro_rules! call { ($a:ident) => { paste::paste! { [<visit_ $a>]() } } }\n\n"
    "fn visit_cart() -> i32 {\n    1\n}\n\npub fn run() -> i32 {\n    call!(cart)\n}\n"
)
BEAN = "class Bean {\n    private void start() {\n    }\n\n    private void lost() {\n    }\n}\n"
EXPORTED = 'package shop\n\nimport "C"\n\n//export fromC\nfunc fromC() {\n}\n\nfunc alone() {\n}\n'
BOOT = (
    "static int keep;\n%s\nstatic void boot(void) {\n}\n\n"
    "static __attribute__((noinline)) void alone(void) {\n}\n"
)
LOADED, NO_INLINE = "__attribute__((constructor))", "__attribute__((noinline))"


@pytest.mark.parametrize(
    ("files", "used", "unused"),
    [
        ({"a.py": f"{REGISTERED}\n\nclass _Alone:\n    pass\n"}, "_Pdf", "_Alone"),
        ({"src/lib.rs": f"{PASTED}\nfn alone() {{\n}}\n"}, "visit_cart", "alone"),
        ({"Bean.java": BEAN, "b.xml": '<bean init-method="start"/>\n'}, "Bean.start", "Bean.lost"),
        ({"go.mod": "module x\n", "a.go": EXPORTED}, "fromC", "alone"),
        ({"a.c": BOOT % "__attribute__((constructor(101)))"}, "boot", "alone"),
        ({"a.c": BOOT % '__attribute__((section("x"), used))'}, "boot", "alone"),
        ({"a.c": BOOT % "[[gnu::destructor]]"}, "boot", "alone"),
        ({"a.c": BOOT % "__declspec(dllexport)"}, "boot", "alone"),
        ({"a.c": BOOT % "__attribute__((aligned(sizeof(int)), used))"}, "boot", "alone"),
        ({"a.c": BOOT % "[[nodiscard]] static int dead(int signal) { return 1; }"}, "", "dead"),
        ({"a.c": f"{NO_INLINE} static int dead(int section) {{\n}}\n"}, "", "dead"),
        (
            {"a.c": f"{LOADED} static void up(void) {{}}\nstatic void dead(void) {{}}\n"},
            "up",
            "dead",
        ),
    ],
    ids=[
        *("subtype hook", "paste", "settings", "cgo", "loader", "linker", "C23", "export"),
        *("arguments", "parameter in C23", "parameter", "line above"),
    ],
)
def test_it_is_only_possible(
    repository: Repository, files: dict[str, str], used: str, unused: str
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        likely = [symbol.name for symbol in index.graph.unused().symbols]
        assert used not in likely
        assert unused in likely


def test_time_grows_with_the_size_of_a_file(repository: Repository) -> None:
    methods = "".join(
        f"class C{number}:\n    def go(self):\n        return x.go()\n" for number in range(4000)
    )
    with Index.open(repository({"a.py": methods})) as index:
        index.sync(structure_only=True)
        start = time.process_time()
        index.graph.unused(include_possible=True)
        assert time.process_time() - start < 15  # 90 s before; now 1 s


def test_a_function_that_only_a_header_has_is_unused_if_exported_ones_are_asked_for(
    repository: Repository,
) -> None:
    files = {
        "loop.h": "int loop_run(int n);\nint loop_stop(int n);\nint loop_step(int n);\n"
        "int loop_wait(int n);\n"
        "/* like loop_stop */\nextern int (*loop_hook)(int) = loop_wait;\n",
        "loop.c": '#include "loop.h"\n\nint loop_run(int n) {\n    return n;\n}\n\n'
        "int loop_stop(int n) {\n    return n + 1;\n}\n\n"
        "int loop_step(int n) {\n    return 3;\n}\n\n"
        "int loop_wait(int n) {\n    return 2;\n}\n",
        "main.c": '#include "loop.h"\n\nint main(void) {\n    return loop_run(1);\n}\n',
    }
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        assert index.graph.unused().symbols == ()
        possible = index.graph.unused(include_possible=True)
        reason = "a header declares it, perhaps for other programs"
        found = {each.name: each.reason for each in possible.symbols}
        assert found == {"loop_step": reason, "loop_stop": reason}
        exported = {each.name: each.reason for each in index.graph.unused(exported=True).symbols}
        declared = "nothing uses it, and only a header declares it"
        assert exported == {"loop_step": declared, "loop_stop": declared}
        cut = index.graph.unused(include_possible=True, limit=1)
        assert possible.total == 2
        assert "the first 1 are shown: --limit shows more" in cut.text()
