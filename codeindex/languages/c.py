"""C: `.c` only, since a `.h` may as well be C++ and the C++ grammar reads both."""

from collections.abc import Iterable

from codeindex.languages._base import Language

RETURNED = (
    "(function_declarator declarator: %s)",
    "(pointer_declarator declarator: (function_declarator declarator: %s))",
    "(pointer_declarator declarator: (_ declarator: (function_declarator declarator: %s)))",
)
"""A function by what it returns: `f()`, `*f()`, `**f()`."""
_RETURNED_CALLABLE = (
    "(function_declarator declarator: (parenthesized_declarator"
    " (_ declarator: (function_declarator declarator: %s))))"
)
_HELD = (
    "%s",
    "(pointer_declarator declarator: %s)",
    "(pointer_declarator declarator: (_ declarator: %s))",
    "(array_declarator declarator: %s)",
    "(array_declarator declarator: (array_declarator declarator: %s))",
    "(_ declarator: (parenthesized_declarator (_ declarator: %s)))",
    "(_ declarator: (parenthesized_declarator (_ declarator: (array_declarator declarator: %s))))",
)
"""`x`, `*x`, `**x` or `*x[]`, `x[]`, `x[][]`, `(*x)()`, `(*x[])()`."""


def either(forms: Iterable[str], *names: str) -> str:
    """Return one flat alternation: tree-sitter loses matches of those inside others."""
    return "[" + " ".join(form.replace("%s", name) for form in forms for name in names) + "]"


_WORD = "[A-Z][A-Z0-9]*_[A-Z0-9_]*"
_TYPED = r"(?=[A-Za-z_][\w:]*(?:<[^<>\n]*>)?[ \t\n*&]+[A-Za-z_~])"
MACROS = "(?m)" + "|".join(
    (
        # LIB_BEGIN_NAMESPACE alone on a line
        rf"^{_WORD}(?=[ \t]*$)",
        # LIB_FIELDS alone in a struct; the last name of an enum stands as alone, but after a comma
        rf"(?<=[;{{]\n)(?:[ \t]+{_WORD}[ \t]*$\n?)+",
        rf"^(?<!\\\n)[ \t]+{_WORD}[ \t]*$(?=\s*(?:/\*[^*]*\*/\s*)?[A-Za-z_])",
        # LIB_API int f(), static LIB_INLINE int f(), template <> LIB_API int f()
        rf"(?:^[ \t]*|(?<=> )|(?<=inline )|(?<=static ))(?:{_WORD}[ \t]+)+{_TYPED}",
        # class LIB_EXPORT Name {
        rf"(?:(?<=class )|(?<=struct )){_WORD}(?=[ \t]+\w+(?:<[^<>\n]*>)?\s*(?:final\s*)?[:{{])",
        # a comment in a macro, which the grammar takes for the end of the macro
        r"/\*[^*\n]*\*/(?=[ \t]*\\$)",
    )
)
"""What the preprocessor would take away before a compiler reads the file."""

_FUNCTION = either((*RETURNED, _RETURNED_CALLABLE), "(identifier) @name")
_VARIABLE = either(_HELD, "(identifier) @name")
_FIELD = either(_HELD, "(field_identifier) @name")
_TYPE = either(_HELD, "(type_identifier) @name")

DATA = f"""
    (struct_specifier name: (type_identifier) @name body: (_)) @symbol.struct
    (union_specifier name: (type_identifier) @name body: (_)) @symbol.union
    (enum_specifier name: (type_identifier) @name body: (_)) @symbol.enum
    (enumerator name: (identifier) @name) @symbol.enum_member

    ; what is declared along with a named type stands beside it; a nameless one it owns
    (type_definition type: (_ name: (_) body: (_)) declarator: {_TYPE} @symbol.type)
    (type_definition
        type: (struct_specifier !name body: (_) @body) declarator: {_TYPE}) @symbol.struct
    (type_definition
        type: (union_specifier !name body: (_) @body) declarator: {_TYPE}) @symbol.union
    (type_definition
        type: (enum_specifier !name body: (_) @body) declarator: {_TYPE}) @symbol.enum
    (type_definition declarator: {either(RETURNED, "(type_identifier) @name")}) @symbol.type
    (type_definition declarator: {_TYPE}) @symbol.type

    (field_declaration type: (_ name: (_) body: (_)) declarator: {_FIELD} @symbol.field)
    (field_declaration type: (_ !name body: (_) @body) declarator: {_FIELD}) @symbol.field
    (declaration type: (_ name: (_) body: (_)) declarator: {_VARIABLE} @symbol.variable)
    (declaration type: (_ name: (_) body: (_))
        declarator: (init_declarator declarator: {_VARIABLE}) @symbol.variable)

    ; names that are defined only to include a header once are left out
    ((preproc_def name: (identifier) @name) @symbol.macro
        (#not-match? @name "_(H|HH|HPP|HXX|INC|INCLUDED?)_*$"))
    (preproc_function_def name: (identifier) @name) @symbol.macro
"""
"""Types, their members and macros, as C and C++ share them."""

VARIABLES = f"""
    (field_declaration declarator: {_FIELD}) @symbol.field
    ((declaration (type_qualifier) @_const
        declarator: (init_declarator declarator: {_VARIABLE})) @symbol.constant
        (#match? @_const "^const"))
    (declaration declarator: {_VARIABLE}) @symbol.variable
    (declaration declarator: (init_declarator declarator: {_VARIABLE})) @symbol.variable
"""
"""Variables and fields, to be tried after functions."""

LANGUAGE = Language(
    name="c",
    suffixes=(".c",),
    grammar="c",
    symbols=f"""
    ; suites that declare a test by macro: TEST_IMPL(name) {{ }}
    ((function_definition
        type: (type_identifier) @_macro
        declarator: (parenthesized_declarator (identifier) @name)) @symbol.test
        (#match? @_macro "TEST"))

    (function_definition declarator: {_FUNCTION}) @symbol.function
    ; what looks like a prototype inside a function is a local
    (compound_statement (declaration declarator: {_FUNCTION}) @symbol.variable)
    (declaration declarator: {_FUNCTION} ";" @body) @symbol.function
    {DATA}
    {VARIABLES}
    """,
    blanks=MACROS,
    tests=("test/**", "tests/**", "test_*.c", "test-*.c", "*_test.c", "*-test.c", "*_tests.c"),
    excludes=("CMakeFiles/", "cmake-build-*/", "_deps/", ".deps/", ".libs/", "*.o", "*.a", "*.so"),
)
