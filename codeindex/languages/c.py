"""Define C for `.c` files; `.h` files may be C++, and the C++ grammar also parses C."""

import re
from collections.abc import Iterable

from codeindex.languages._base import Language, Visibility
from codeindex.languages._c_includes import FAMILY, locate_c_include
from codeindex.languages._native_uses import (
    FOREIGN_ENTRY,
    HEADER_SUFFIXES,
    TOOLCHAIN_MACROS,
    is_linked_by_name,
    is_used_where_defined,
)

CALLED = "(_ declarator: %s parameters: (_))"
_AROUND_CALLED = "(_ !parameters !value declarator: %s)"
RETURNED = (
    CALLED,
    _AROUND_CALLED.replace("%s", CALLED),
    _AROUND_CALLED.replace("%s", f"(_ declarator: {CALLED})"),
)
"""Patterns of the declarators of functions: `f()`, `*f()`, `**f()`."""
_RETURNED_CALLABLE = CALLED.replace("%s", f"(parenthesized_declarator (_ declarator: {CALLED}))")
_AROUND = "(_ !parameters declarator: %s)"
_TWICE = _AROUND.replace("%s", _AROUND)
_CALLABLE = "(_ declarator: (parenthesized_declarator (_ declarator: %s)))"
_CALLABLES = _CALLABLE.replace("%s", "(array_declarator declarator: %s)")
_HELD = (
    *("%s", _AROUND, _TWICE, _TWICE.replace("%s", _AROUND)),
    *(_CALLABLE, _AROUND.replace("%s", _CALLABLE)),
    *(_CALLABLES, _AROUND.replace("%s", _CALLABLES)),
)
"""Patterns of the declarators of variables: `x`, up to three of `*x`, `x[]`, `x = 1`; `(*x)()`,
`(*x[])()`."""
NAME = "(_) @name"
IS_NAME = r'(#match? @name "^(?!__(\\w+call|cdecl)$)[\\w$]+$")'
"""Checks a name that a wildcard matched: a query that lists all node kinds instead takes a second
to compile. Calling conventions of Windows, which the grammar parses as the name, are excluded."""


def either(forms: Iterable[str], *names: str) -> str:
    """Return a flat query alternation: `[…]` of each form with each of `names` in place of `%s`.

    It is not nested, because tree-sitter loses matches of nested alternations.
    """
    return "[" + " ".join(form.replace("%s", name) for form in forms for name in names) + "]"


_WORD = "[A-Z][A-Z0-9]*_[A-Z0-9_]*"
_TYPED = r"(?=[A-Za-z_][\w:]*(?:<[^<>\n]*>)?[ \t\n*&]+[A-Za-z_~])"
MACROS = "(?m)" + "|".join(
    (
        # LIB_BEGIN_NAMESPACE alone on a line
        rf"^{_WORD}(?=[ \t]*$)",
        # LIB_FIELDS alone in a struct; the last name of an enum is alone too, but after a comma
        rf"(?<=[;{{]\n)(?:[ \t]+{_WORD}[ \t]*$\n?)+",
        rf"^(?<!\\\n)[ \t]+{_WORD}[ \t]*$(?=\s*(?:/\*[^*]*\*/\s*)?[A-Za-z_])",
        # LIB_API int f(), static LIB_INLINE int f(), template <> LIB_API int f()
        rf"(?:^[ \t]*|(?<=> )|(?<=inline )|(?<=static ))(?:{_WORD}[ \t]+)+{_TYPED}",
        # class LIB_EXPORT Name {
        rf"(?:(?<=class )|(?<=struct )){_WORD}(?=[ \t]+\w+(?:<[^<>\n]*>)?\s*(?:final\s*)?[:{{])",
        # a comment in a macro, also one of several lines: the grammar ends the macro there
        r"/\*[^*\n]*\*/(?=[ \t]*\\$)",
        r"/\*(?:[^*\n]|\*(?!/))*(?=\\$)",
        r"^[ \t]*\*(?:/(?=[ \t]*\\$)|[ \t][^\n]*(?=\\$))",
        r"(?<=\()/\*[^*\n]*\*/",
    )
)
"""Matches macros that the preprocessor would remove."""

_MACRO = "[A-Z_][A-Z0-9_]{2,}"
_PRIMITIVE = (
    r"(?:(?<=u)nsigned|(?<=s)igned|(?<=l)ong|(?<=s)hort|(?<=i)nt|(?<=c)har|(?<=f)loat"
    r"|(?<=d)ouble|(?<=b)ool|(?<=v)oid)(?:[ \t]+(?:long|int|char|double|short))*"
)
_AFTER_COMMA = r"(?:(?<=,)|(?<=, ))"
_ATTRIBUTES = (
    # __unused const char *name, __dead void f(void)
    r"\b(?!__(?:int\d+|u?int\d+_t)\b)__[a-z]\w*\b(?:\(\(.*\)\))?(?=[ \t]+[A-Za-z_])",
    # static void printflike(3, 4) f(...)
    r"\b[a-z_]\w*[ \t]*\([\d, ]*\)(?=\s+[\w*]+\s*\()",
    # static int v_matchproto_(handler_f), the name in the next line
    r"(?<=[\w*][ \t])[a-z_]\w*\([\w, ]*\)(?=\n\w+\([^;]*\)\s*\{)",
    # DWORD WINAPI f(...)
    rf"(?<=[\w*&>][ \t]){_MACRO}(?:\([^()\n]*\))?(?=[ \t\n*&]+[A-Za-z_]\w*\s*[(;,)=\[])",
    # typedef int (WINAPI *f)(...)
    rf"(?<=\(){_MACRO}(?=\s*\*\s*\w+\s*\))",
    # f(...) LIB_THROW;
    rf"(?m)(?<=\)[ \t\n]){_MACRO}(?:\([^()\n]*\))?(?=\s*[;{{])",
    # LIB_API(void) f(...), LIB_API(void f(...));
    r"(?m)^\w*[A-Z]\w*[ \t]*\((?P<kept_type>[\w *]+)\)(?=[ \t*]+\w+[ \t]*\()",
    rf"(?m)^{_MACRO}\((?P<kept>[^()]+\([^()]*\))\)(?=\s*;)",
    # LIBAPI int f(...)
    rf"(?m)^(?:static[ \t]+|extern[ \t]+)?{_MACRO}[ \t]+{_TYPED}",
    # lib_internal lib_inline alone on a line before `int f(`
    r"(?m)^[a-z_]\w*(?:[ \t]+[a-z_]\w*)*[ \t]*$(?=\n\w+[ \t*]+\w+\()",
)
"""Match macros in heads of definitions."""
_ARGUMENTS = (
    # TAILQ_ENTRY(node) entry;
    rf"\b(?P<kept>{_MACRO})[ \t]*\([^()\n]*\)(?=[ \t*]+\w+\s*[;=\[,])",
    # va_arg(list, long long), va_arg(list, struct node *)
    rf"(?:(?<=\w\()|{_AFTER_COMMA})(?:const )?(?P<zero>[a-z])(?<=\b[a-z]){_PRIMITIVE}[ *]*(?=[,)])",
    rf"{_AFTER_COMMA}(?:const[ \t]+)?(?:struct[ \t]+)?(?P<kept>\w+)[ \t]*\*+[ \t]*(?=[,)])",
    # container_of(x, struct node, member), compare(a, ==, b)
    r"(?<=[(,])[ \t]*(?:struct|union|enum)(?=[ \t]+\w+[ \t]*\**[ \t]*[,)])",
    r",\s*(?:[<>]=?|[!=]=)\s*(?=[,)])",
    # "text" NAME(x) "text"
    rf'(?<=")[ \t\n]*{_MACRO}\([^()\n]*\)(?=\s*")',
)
"""Match types and operators in the arguments of macros, and macros that are types or texts."""
_STATEMENTS = (
    # the braces of an array after its name alone: `TESTS = {`
    r"(?m)^(?P<open>[A-Z_])(?P<kept>[A-Z0-9_]{2,}[ \t]*)(?P<close>=)(?=\s*\{)",
    # TEST_DECLARE(name) alone on a line, indented or not
    rf"(?m)^[ \t]*(?P<end>[ \t])(?={_MACRO}[ \t]*\([^()\n]*\)[ \t]*$)",
    rf"(?m)^[ \t]*{_MACRO}[ \t]*\((?P<kept>[^()\n]*)(?P<end>\))(?=[ \t]*$)",
)
"""Match macros that are statements or declarations of their own."""
_ITEMS = (
    # ERRORS(X) after `#define X(...)`
    rf"(?m)(?P<kept>^[ \t]*#[ \t]*define[ \t]+(\w+)\(.*\n)[ \t]*{_MACRO}[ \t]*\(\2\)[ \t]*$",
    # KEYS(name), in an enum
    rf"(?m)^[ \t]*{_MACRO}[ \t]*\([^()\n]*\),?[ \t]*$",
    # directives in the braces of an initializer or enum
    r"(?m)^[ \t]*#[ \t]*(?:include|define|undef)\b[^\\\n]*$",
)
"""Match macros and files with items of a list."""
REPAIRS = (_ATTRIBUTES, _ARGUMENTS, _ITEMS[:1], _STATEMENTS, _ITEMS)
"""Match macros that the preprocessor would remove or expand: see `Language.repairs`."""

_FUNCTION = either((*RETURNED, _RETURNED_CALLABLE), NAME)
_VARIABLE = either(_HELD, NAME)

DATA = f"""
    (struct_specifier name: (type_identifier) @name body: (_)) @symbol.struct
    (union_specifier name: (type_identifier) @name body: (_)) @symbol.union
    (enum_specifier name: (type_identifier) @name body: (_)) @symbol.enum
    (enumerator name: (identifier) @name) @symbol.enum_member

    ; a variable declared with a named type is beside it, with an unnamed type inside it
    ((type_definition type: (_ name: (_) body: (_))
        declarator: {_VARIABLE} @symbol.type) {IS_NAME})
    ((type_definition type: (struct_specifier !name body: (_) @body)
        declarator: {_VARIABLE}) @symbol.struct {IS_NAME})
    ((type_definition type: (union_specifier !name body: (_) @body)
        declarator: {_VARIABLE}) @symbol.union {IS_NAME})
    ((type_definition type: (enum_specifier !name body: (_) @body)
        declarator: {_VARIABLE}) @symbol.enum {IS_NAME})
    ((type_definition declarator: {either(RETURNED, NAME)}) @symbol.type {IS_NAME})
    ((type_definition declarator: {_VARIABLE}) @symbol.type {IS_NAME})

    ((field_declaration type: (_ name: (_) body: (_))
        declarator: {_VARIABLE} @symbol.field) {IS_NAME})
    ((field_declaration type: (_ !name body: (_) @body)
        declarator: {_VARIABLE}) @symbol.field {IS_NAME})
    ((declaration type: (_ name: (_) body: (_))
        declarator: {_VARIABLE} @symbol.variable) {IS_NAME})

    ; include guards are left out
    ((preproc_def name: (identifier) @name) @symbol.macro
        (#not-match? @name "_(H|HH|HPP|HXX|INC|INCLUDED?)_*$"))
    (preproc_function_def name: (identifier) @name) @symbol.macro
"""
"""Patterns of types, their members and macros, for C and C++."""

VARIABLES = f"""
    ((field_declaration declarator: {_VARIABLE}) @symbol.field {IS_NAME})
    ((declaration (type_qualifier) @_const
        declarator: (init_declarator declarator: {_VARIABLE})) @symbol.constant
        (#match? @_const "^const") {IS_NAME})
    ((declaration declarator: {_VARIABLE}) @symbol.variable {IS_NAME})
"""
"""Patterns of variables and fields, which must follow the patterns of functions."""

_IDENTIFIER = "(identifier)"
BINDS = either(_HELD, f"{_IDENTIFIER} @bind")
_DECLARES = either(RETURNED, f"{_IDENTIFIER} @declares @skip")
_DEFINES = either(RETURNED, f"{_IDENTIFIER} @skip")
_BODIES = "[(struct_specifier {0}) (union_specifier {0}) (enum_specifier {0})]"
PLACES = (
    *("translation_unit", "declaration_list", "linkage_specification", "ERROR"),
    *("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"),
)
"""Nodes in which a prototype can be; inside a function the same syntax constructs a variable."""
_PROTOTYPES = "\n".join(
    f"({place} (declaration type: (_) @result declarator: {_DECLARES}))" for place in PLACES
)

SHARED_RELATIONS = f"""
(preproc_include path: (_) @module @all) @import @exported
(preproc_def name: (identifier) @skip)
(preproc_function_def name: (identifier) @skip)
(preproc_function_def value: (preproc_arg) @expansion) @scope
(preproc_def value: (preproc_arg) @expansion)
(preproc_params (identifier) @bind @skip)
(type_definition type: {_BODIES.format("name: (_) @attribute @skip body: (_)")} @name)
{_BODIES.format("name: (_) @skip body: (_)")}
(compound_statement) @block

(function_definition type: (_) @result declarator: {_DEFINES})
{_PROTOTYPES}

(type_definition type: (_) @value declarator: {either(_HELD[:4], "(type_identifier) @bind @skip")})
(field_declaration type: (_) @type declarator: {either(_HELD, "(field_identifier) @bind")})
(parameter_declaration type: (_) @type declarator: {BINDS})
(declaration type: (_) @type declarator: {BINDS})

{_BODIES.format("name: (_) @of")} @same
(field_expression argument: (_) @of field: (field_identifier) @attribute) @member
(call_expression function: (_) @of) @call
(cast_expression type: (type_descriptor type: (_) @of)) @instance
(compound_literal_expression type: (type_descriptor type: (_) @of)) @instance
(parenthesized_expression (_) @of) @same
(pointer_expression argument: (_) @of) @same
(conditional_expression consequence: (_) @of alternative: (_) @of) @either
(assignment_expression right: (_) @of) @same
"""
"""Patterns of references that C and C++ share."""

_RELATIONS = f"""
{SHARED_RELATIONS}
(enumerator name: (identifier) @shared @skip)
(subscript_expression argument: (_) @of) @same
[(identifier) (type_identifier)] @name
"""

LANGUAGE = Language(
    name="c",
    suffixes=(".c",),
    shared_suffixes=(".h",),
    grammar="c",
    symbols=f"""
    ; suites that declare a test by macro: TEST_IMPL(name) {{ }}
    ((function_definition
        type: (type_identifier) @_macro
        declarator: (parenthesized_declarator (identifier) @name)) @symbol.test
        (#match? @_macro "TEST"))

    ((function_definition declarator: {_FUNCTION}) @symbol.function {IS_NAME})
    ; a prototype inside a function is a local
    ((compound_statement (declaration declarator: {_FUNCTION}) @symbol.variable) {IS_NAME})
    ((declaration declarator: {_FUNCTION} ";" @body) @symbol.function {IS_NAME})
    {DATA}
    {VARIABLES}
    """,
    relations=_RELATIONS,
    family=FAMILY,
    locate=locate_c_include,
    inherited_implementations=False,
    textual_includes=True,
    separate_declarations=True,
    header_suffixes=HEADER_SUFFIXES,
    block_scoped=True,
    unparsable=MACROS,
    repairs=REPAIRS,
    undefined_macros=("__cplusplus",),
    conditional_directives=True,
    tests=(
        "test/**",
        "tests/**",
        "unittest/**",
        "unittests/**",
        "test_*.c",
        "test-*.c",
        "*_test.c",
        "*-test.c",
        "*_tests.c",
    ),
    excludes=("CMakeFiles/", "cmake-build-*/", "_deps/", ".deps/", ".libs/", "*.o", "*.a", "*.so"),
    result_first=True,
    visibility=Visibility(private=re.compile(r"^static\b")),
    toolchain_macros=TOOLCHAIN_MACROS,
    implicit_method=FOREIGN_ENTRY,
    is_linked_by_name=is_linked_by_name,
    is_used_where_defined=is_used_where_defined,
    complexity="""
    [(if_statement) (for_statement) (while_statement) (do_statement)
        (conditional_expression)] @branch
    (case_statement value: (_)) @branch
    (binary_expression operator: ["&&" "||"]) @branch
    [(if_statement) (for_statement) (while_statement) (do_statement) (switch_statement)] @nest
    (else_clause (if_statement) @flat)
    (parameter_list) @parameters
    (parameter_list [(parameter_declaration) (variadic_parameter)] @parameter)
    ((parameter_list . (parameter_declaration !declarator) @receiver .) (#eq? @receiver "void"))
    """,
    fragment_contexts=(
        "void f() { PATTERN }",
        "void f() { PATTERN; }",
        "void f() { switch (x) { PATTERN } }",
        "PATTERN",
        "PATTERN\n",
        "struct s { PATTERN };",
        "int x = PATTERN;",
    ),
    metavariable_forms=("name", "Name name", "name;", "int name;", "<name>"),
)
