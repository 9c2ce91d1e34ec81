"""Text that the preprocessor selects or expands is read where a grammar gives up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.ingest.parse.parser import ParseResult, parse_text
from codeindex.languages import language_for_path
from codeindex.types import SafeText


def parsed(path: str, source: str) -> ParseResult:
    language = language_for_path(path)
    assert language
    return parse_text(language, SafeText(source), path)


def names(result: ParseResult) -> list[str]:
    return [symbol.qualified for symbol in result.symbols]


def used_names(result: ParseResult) -> set[str]:
    expressions = result.relations.used
    return {str(expressions[use.expression][-1]) for use in result.relations.uses}


HEADS = """
#ifdef WIDE
int first(int a, int b) {
#else
int first(int a) {
#endif
  return helper(a);
}

#ifdef WIDE
int second(void) {
#else
int third(void) {
#endif
  return 2;
}

int last(void) { return 3; }
"""


def test_heads_in_different_branches_share_a_body() -> None:
    result = parsed("a.c", HEADS)
    assert names(result) == ["first", "second", "third", "last"]
    assert "helper" in used_names(result)
    assert result.loss.lines == 0


def test_calls_in_all_branches_of_an_expression_are_found() -> None:
    source = (
        "int f(int a) {\n  if (a == 1\n#if defined(A)\n      || one(a)\n#elif B\n      || two(a)\n"
        "#else\n      || three(a)\n#endif\n  )\n    return 1;\n  return 0;\n}\n\n"
        "int g(void) { return 1; }\n"
    )
    result = parsed("a.c", source)
    assert names(result) == ["f", "g"]
    assert {"one", "two", "three"} <= used_names(result)
    assert result.loss.lines == 0


def test_a_bracket_that_one_condition_opens_is_closed_by_the_same_condition() -> None:
    source = (
        "void f(void) {\n#ifdef A\n  if (ready()) {\n#endif\n    run();\n#ifdef A\n  }\n"
        "#endif\n}\n\nvoid g(void) {}\n"
    )
    result = parsed("a.c", source)
    assert names(result) == ["f", "g"]
    assert {"ready", "run"} <= used_names(result)


def test_an_else_after_a_condition_belongs_to_the_if_before_it() -> None:
    source = (
        "void f(int a) {\n  if (a)\n#ifdef A\n    one();\n#else\n    two();\n#endif\n"
        "  else\n    three();\n}\n"
    )
    result = parsed("a.c", source)
    assert {"one", "two", "three"} <= used_names(result)
    assert result.loss.lines == 0


def test_members_stay_in_a_class_whose_methods_have_conditions() -> None:
    source = """class Reader {
  public object Read(string name
#if ASYNC
    , Token token
#endif
  ) {
    if (name == null
#if DEBUG
      || Check(name)
#endif
    ) { return null; }
    return Find(name);
  }

  public void Close() { }
}
"""
    result = parsed("Reader.cs", source)
    assert names(result) == ["Reader", "Reader.Read", "Reader.Close"]
    assert "Check" in " ".join(used_names(result))
    assert result.loss.lines == 0


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.c", "static DWORD WINAPI f(void *p) {\n  return 0;\n}\n", "f"),
        ("a.c", "static void printflike(1, 2)\nlog_it(const char *s, ...)\n{\n}\n", "log_it"),
        (
            "a.c",
            "static int v_matchproto_(step_f)\nmake_it(struct work *w, int n)\n{\n}\n",
            "make_it",
        ),
        ("a.c", "int f(__unused int a, __unused struct node *b)\n{\n  return 1;\n}\n", "f"),
        (
            "a.h",
            "struct node {\n\tTAILQ_ENTRY(node)\t entry;\n\tint a;\n};\n",
            "node node.entry node.a",
        ),
        ("a.c", "LIBAPI int f(int a, int b)\n{\n  return a;\n}\n", "f"),
        ("a.kt", "fun f() = 0b1100_0000\n\nfun g() = 1\n", "f g"),
        (
            "a.cs",
            "class A { void F() {\n  Unsafe.Add(ref o, i) = 1;\n }\n void G() { } }\n",
            "A A.F A.G",
        ),
        ("a.go", "package a\n\nfunc f() *int {\n\treturn new(g(16))\n}\n\nfunc g() {}\n", "f g"),
        (
            "a.swift",
            (
                "actor A {\n nonisolated(unsafe) var x = 1\n func f() throws(Bad) {}\n"
                " isolated deinit {}\n func g(_ x: sending Foo) {}\n"
                " consuming func h() {\n  discard self\n }\n}\n"
            ),
            "A A.x A.f A.deinit A.g A.h",
        ),
        ("a.rs", 'unsafe extern "C" {\n    pub safe fn f(x: f64);\n}\n\nfn g() {}\n', "f g"),
        (
            "b.kt",
            "context(log: Log)\nfun f(x: Any) = when (x) {\n  is A if x.b -> 1\n  else -> 2\n}\n",
            "f",
        ),
        (
            "b.cs",
            "class A { void F() {\n  cart?.Order = Get();\n }\n void G() { } }\n",
            "A A.F A.G",
        ),
        ("a.dart", "void f() {\n  paint(.red, [?maybe]);\n}\n\nvoid g() {}\n", "f g"),
        pytest.param(
            "a.scala",
            "class Cart @Inject() (items: Items)(implicit clock: Clock) extends Base(items) {\n"
            "  def f = Action { implicit request: Request[Any] => g(request) }\n"
            "  def h = Action { one: Item => g(one) }\n}\n",
            "Cart Cart.f Cart.h",
            id="scala-annotated-constructor-and-typed-lambdas",
        ),
        pytest.param(
            "c.cs",
            "class A {\n  void F() {\n    Unsafe.Add(ref Unsafe.As<A, B>(ref x), (uint)i) = g(1);\n"
            '    f(*(int*)&value, $"");\n  }\n  uint P\n  {\n'
            "    set => Unsafe.As<A, uint>(ref this) = value;\n  }\n  void G() { }\n}\n",
            "A A.F A.P A.G",
            id="csharp-assignments-to-references",
        ),
        pytest.param(
            "c.kt",
            "class A {\n  val state: Flow<State>\n    field = Flow(1)\n\n  fun f() {}\n}\n",
            "A A.state A.f",
            id="kotlin-explicit-backing-field",
        ),
        pytest.param(
            "a.cpp",
            "class A : public B {\npublic slots:\n  void open(const Options& options = {});\n"
            "signals:\n  void opened(int);\n};\n\nvoid f(A* a, B* b) {\n"
            "  connect(a, SIGNAL(opened(int)), b, SLOT(close(const A&)));\n"
            "  emit a->opened(1);\n}\n",
            "A A.open A.opened f",
            id="slots-and-signals-of-qt",
        ),
        pytest.param(
            "b.sql",
            "# --- !Ups\nCREATE TABLE a (b INTEGER PRIMARY KEY AUTOINCREMENT);\n",
            "a a.b",
            id="comments-of-mysql",
        ),
        pytest.param(
            "a.dart",
            "/// All shapes.\nlibrary;\n\nabstract class Shape {\n  abstract int width;\n}\n\n"
            "num area(Shape shape) {\n  log(\n    ?shape,\n    color: const .new(1),\n  );\n"
            "  switch (shape) {\n    case $Round<int>():\n      return 1;\n  }\n"
            "  return switch (shape) { Square() || Cube() => 2, Flat() when x => 0, _ => 3 };\n}\n",
            "Shape Shape.width area",
            id="dart-empty-patterns-and-directives",
        ),
        (
            "a.zig",
            (
                "fn f(x: u8) void {\n    again: switch (x) {\n        1 => continue :again 2,\n"
                "        else => {},\n    }\n}\n\nfn g() void {}\n"
            ),
            "f g",
        ),
        ("a.java", "import module java.base;\n\nclass A {\n  void f() {}\n}\n", "A A.f"),
        (
            "a.sql",
            (
                "PRAGMA foreign_keys = ON;\nCREATE TABLE a (b text COLLATE NOCASE) STRICT;\n"
                "CREATE TABLE c (d int);\n"
            ),
            "a a.b c c.d",
        ),
        pytest.param(
            "a.ts",
            "interface Get<E> {\n  <Key extends keyof E>(\n    key: Key\n  ): Found<\n    E\n  >\n"
            "\n  // of all\n  <\n    P extends string,\n    R\n  >(\n    path: P\n  ): R\n"
            "  <A, B>(one: A): B\n}\n\nexport type Path = string\n",
            "Get Path",
            id="typescript-call-signatures-without-semicolons",
        ),
        pytest.param(
            "a.go",
            'package a\n\nfunc read(d D) {\n\tx.Key = [REDACTED]()\n\ty.Key = "[REDACTED]"\n}\n\n'
            "func after() {}\n",
            "read after",
            id="redacted-value-outside-of-a-string",
        ),
    ],
)
def test_macros_and_new_syntax_cost_no_line(path: str, source: str, expected: str) -> None:
    result = parsed(path, source)
    assert names(result) == expected.split()
    assert result.loss.lines == 0


def test_sound_text_is_not_repaired() -> None:
    source = "int WIDTH (int a);\nint f(void) { return WIDTH (1); }\n"
    assert "WIDTH" in used_names(parsed("a.c", source))


def test_a_name_replaces_a_redacted_value_only_beside_an_error() -> None:
    broken = parsed("a.go", "package a\n\nfunc f() {\n\tg([REDACTED]())\n}\n\nfunc g(n int) {}\n")
    assert names(broken) == ["f", "g"]
    sound = parsed("a.py", "def f(key='[REDACTED]'):\n    return key\n")
    assert "[REDACTED]" in sound.symbols[0].signature


@pytest.mark.parametrize("directive", ["#endif", "#else", "#if A", "#elif B"])
def test_directives_without_counterpart_lose_no_definition(directive: str) -> None:
    result = parsed(
        "a.c", f"int f(void) {{ return g(; }}\n{directive}\n\nint h(void) {{ return 1; }}\n"
    )
    assert "h" in names(result)


_LINES = st.lists(
    st.sampled_from(
        [
            *("#if A", "#ifdef A", "#ifndef A", "#elif B", "#else", "#endif", "}", "{", "if (a) {"),
            *("int f(int a) {", "return g(a);", "/*", "*/", "TEST(a)", '"', "#define X(a) \\"),
        ]
    ),
    max_size=30,
)


@given(_LINES)
def test_definitions_lie_in_the_file_and_lines_are_lost_once(lines: list[str]) -> None:
    for path in ("a.c", "a.cs"):
        result = parsed(path, "\n".join(lines))
        assert result.loss.lines <= len(lines) + 1
        for symbol in result.symbols:
            assert 1 <= symbol.start_line <= symbol.end_line <= len(lines) + 1
        for use in result.relations.uses:
            assert use.symbol < len(result.symbols)
