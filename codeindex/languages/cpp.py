"""Define C++, which includes all `.h` files, since its grammar also parses C headers."""

import re
from collections.abc import Iterable
from itertools import accumulate, repeat

from codeindex.languages._base import (
    ImportCaptures,
    ImportedName,
    Language,
    Visibility,
    plain_import,
)
from codeindex.languages._c_includes import FAMILY, locate_c_include
from codeindex.languages._native_uses import (
    FOREIGN_ENTRY,
    HEADER_SUFFIXES,
    TOOLCHAIN_MACROS,
    is_linked_by_name,
    is_used_where_defined,
)
from codeindex.languages._overload_types import CPP_TYPES
from codeindex.languages.c import (
    CALLED,
    DATA,
    MACROS,
    NAME,
    PLACES,
    REPAIRS,
    RETURNED,
    SHARED_RELATIONS,
    VARIABLES,
    either,
)

_TEST = '(#match? @_macro "^((TYPED_)?TEST(_[A-Z]+)?|BENCHMARK(_[A-Z]+)?|FUZZ_TEST|TEST_IMPL)$")'
_NO_TEST = _TEST.replace("#match? @_macro", "#not-match? @name")
_CASE = '(#match? @_macro "^(TEMPLATE_)?(TEST_CASE|SCENARIO|SUBCASE)$")'

_IDENTIFIER = "(identifier) @name"
_IS_NAME = r'(#match? @name "^~?\\s*[\\w$]+$|^operator\\b")'
_FORMS = (*RETURNED, f"(reference_declarator {CALLED})")
_DECLARED = either(_FORMS, NAME)
_SPECIAL = either(_FORMS, "(template_function name: (identifier) @name)")
_CALLED_NAME = CALLED.replace("%s", _IDENTIFIER)

_ONE = "(_ scope: (_) @scope name: %s)"
_MOST_SCOPES = 4
"""Of 215,000 names with scopes in nine repositories, 30 that define something have four scopes."""
_SCOPES = (*accumulate(repeat(_ONE, _MOST_SCOPES), lambda inner, one: inner.replace("%s", one)),)
"""Patterns of names with scopes: `A::x`, `A::B::x`, and so on."""


def _scoped(name: str) -> tuple[str, ...]:
    return tuple(scope.replace("%s", name) for scope in _SCOPES)


_QUALIFIED = either((CALLED, f"(_ {CALLED})"), *_scoped(NAME))
_CONSTRUCTED = either(RETURNED[:1], *_scoped(_IDENTIFIER))
_TYPE_NAME = f"""[
        (type_identifier) @name
        (template_type name: (_) @name)
        {" ".join(_scoped("(type_identifier) @name"))}]"""

_REFERRED = "(reference_declarator (identifier) @bind)"
_SET = "(init_declarator declarator: %s value: (_) @value)"
_BOUND = ("(identifier) @bind", "(_ !parameters !value declarator: (identifier) @bind)", _REFERRED)
_ANY_BOUND = f"[{' '.join(_BOUND)}]"
_GUESSED = either((_SET,), *_BOUND)
_REFERENCE = "(reference_declarator (function_declarator declarator: (identifier) %s))"
_PROTOTYPES = "\n".join(
    f"({place} (declaration type: (_) @result declarator: {_REFERENCE % '@declares @skip'}))"
    for place in PLACES
)
_DECLARED_MEMBER = either(_FORMS, "(field_identifier) @declares")
_LAST_ARGUMENT = "(template_argument_list (type_descriptor type: (_) @of) .)"

_BUILTIN = "[(primitive_type) (sized_type_specifier)] @builtin"

_RELATIONS = f"""
(using_declaration "namespace" (_) @statement @skip @all) @import
(using_declaration . (qualified_identifier) @statement @skip) @import
(qualified_identifier name: [(identifier) (type_identifier) (qualified_identifier)] @skip)
(qualified_identifier name: [
    (template_type name: (_) @skip) (template_function name: (_) @skip)])
(function_declarator declarator: (qualified_identifier) @skip)
(destructor_name (identifier) @skip)
(function_declarator declarator: (identifier) @skip)
[(template_declaration) (lambda_expression)] @scope
(class_specifier name: (_) @skip body: (_))
(type_parameter_declaration (type_identifier) @bind)
(optional_type_parameter_declaration name: (type_identifier) @bind)
(alias_declaration name: (type_identifier) @bind type: (type_descriptor type: (_) @value))
(enum_specifier ["class" "struct"]
    body: (enumerator_list (enumerator name: (identifier) @enclosed)))
(enumerator name: (identifier) @shared @skip)

(declaration type: (placeholder_type_specifier) declarator: {_GUESSED})
(declaration type: (placeholder_type_specifier) declarator: {_ANY_BOUND} value: (_) @value)
(for_range_loop type: (placeholder_type_specifier)
    declarator: [(identifier) @bind {_REFERRED}] right: (_) @each)
(for_range_loop type: (_) @type declarator: {_ANY_BOUND})
(structured_binding_declarator (identifier) @bind)
(compound_statement (declaration type: (_) @type declarator: (function_declarator
    declarator: (identifier) @bind)))
(compound_statement (declaration type: (_) @type declarator: {_REFERENCE % "@bind"}))
; `Cart& cart(make());` looks like an operation whose result nobody uses, and so does
; `archive & wrap(cart);`, which is one: what has the name of a type decides
((compound_statement (expression_statement (binary_expression
    left: [(identifier) (qualified_identifier)] @type operator: ["&" "*"]
    right: (call_expression function: (identifier) @bind))))
    (#match? @type "^[A-Z]|_t$|_type$|::"))
(declaration type: (_) @type declarator: [{_REFERRED} (init_declarator {_REFERRED})])
(parameter_declaration type: (_) @type declarator: {_REFERRED})
(optional_parameter_declaration type: (_) @type declarator: {_ANY_BOUND})
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @bind))

{_PROTOTYPES}
(function_definition type: (_) @result
    declarator: {either(_FORMS, "(field_identifier)", "(qualified_identifier)")})
(field_declaration type: (_) @result declarator: {_DECLARED_MEMBER})
(field_declaration_list (declaration !type
    declarator: (function_declarator declarator: (_) @declares)))
(trailing_return_type (type_descriptor type: (_) @result))
(base_class_clause [(type_identifier) (qualified_identifier)] @base)
(base_class_clause (template_type name: (type_identifier) @base))
(field_initializer (field_identifier) @name)

((call_expression function: [
    (template_function name: (identifier) @_cast arguments: {_LAST_ARGUMENT})
    (qualified_identifier name: (template_function
        name: (identifier) @_cast arguments: {_LAST_ARGUMENT}))]) @instance
    (#match? @_cast "^(make_(unique|shared)|[a-z]+_(pointer_)?cast)$"))
(call_expression function: (template_function name: (identifier) @of) @applied
    arguments: (_) @arguments) @call
(call_expression function: [
    (field_expression field: (template_method) @applied)
    (qualified_identifier name: (template_function) @applied)
    (qualified_identifier name: (qualified_identifier name: (template_function) @applied))] @of
    arguments: (argument_list) @arguments) @call
(call_expression function: (_) @of arguments: (argument_list) @arguments) @call
(field_expression argument: (_) @of field: (template_method name: (_) @attribute)) @member
(new_expression type: (_) @of) @call
(compound_literal_expression type: (_) @of) @instance
(subscript_expression argument: (_) @of) @item
((qualified_identifier
    scope: (namespace_identifier) @_std name: (template_type) @of) @same (#eq? @_std "std"))
(template_type name: (_) @of
    arguments: (template_argument_list (type_descriptor type: (_) @argument) .)) @generic
(qualified_identifier) @quoted
(declaration type: {_BUILTIN} declarator: [(identifier)
    (init_declarator declarator: [(identifier) (reference_declarator (identifier))])])
(parameter_declaration type: {_BUILTIN} declarator: [(identifier)
    (reference_declarator (identifier))])
(optional_parameter_declaration type: {_BUILTIN} declarator: [(identifier)
    (reference_declarator (identifier))])
(field_declaration type: {_BUILTIN} declarator: (field_identifier))
(function_definition type: {_BUILTIN} declarator: (function_declarator))
(cast_expression type: (type_descriptor type: {_BUILTIN} !declarator))
(template_argument_list (type_descriptor type: {_BUILTIN} !declarator) .)
[(number_literal) (char_literal) (string_literal) (raw_string_literal) (true) (false)
    (null)] @literal
(binary_expression left: (_) @of operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||"] @attribute
    right: (_) @of) @operation
(lambda_expression) @closure
(this) @this
; a signal of Qt, which its sender has: SIGNAL(closed())
((call_expression function: (identifier) @_qt arguments: (argument_list
    (call_expression function: (identifier) @member @attribute)) @of) (#eq? @_qt "SIGNAL"))
{SHARED_RELATIONS}
[(identifier) (type_identifier)] @name
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, name, local name) of an include or a `using` declaration.

    `using a::b` binds `b` to `a.b`; `using namespace a` imports all names of `a`.
    """
    if "statement" not in captured:
        yield from plain_import(captured)
        return
    name = captured["statement"].strip(":").replace("::", ".")
    every = captured.get("imported") == "*"
    yield ImportedName(
        "", f"{name}.*" if every else name, "*" if every else name.rpartition(".")[2]
    )


_QT = (
    # public slots:
    r"(?:(?<=public)|(?<=private)|(?<=protected))[ \t]+(?:slots|Q_SLOTS)(?=[ \t]*:)",
    r"^[ \t]*(?:signals|Q_SIGNALS)[ \t]*:(?!:)",
    # emit closed(1), which the grammar reads as a variable
    r"(?:^[ \t]*|(?<=[{;)] ))(?:emit|Q_EMIT)(?=[ \t]+[A-Za-z_]\w*(?:::|->|\.|\())",
)
"""Match macros of Qt without arguments."""
_SLOT_PARAMETER = (
    r"(?P<kept>\b(?:SIGNAL|SLOT)\(\w+\((?:[^()\n]*,[ \t]*)?)"
    r"(?:const[ \t]+)?(?P<kept_type>\w[\w:]*)[ \t]*[*&]+(?=[,)])"
)
_REPAIRS = (
    # SLOT(open(Cart*, const Item&)) becomes SLOT(open(Cart, Item)), with up to three such types
    *[_SLOT_PARAMETER] * 3,
    # const Options& options = {})
    r"(?P<kept_assign>=[ \t]*)(?P<zero>\{)\}(?=[ \t]*[,)])",
    # enum : StringId {}, which the grammar reads as an enum with this name
    r"(?<=\benum)\s*:[\w: \t]+(?=\s*\{)",
)
"""Match valid syntax that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="cpp",
    suffixes=(
        *(".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cuh"),
        *(".cc", ".cpp", ".cxx", ".c++", ".cppm", ".ixx", ".cu"),
    ),
    grammar="cpp",
    symbols=f"""
    (namespace_definition name: (_) @name) @symbol.namespace
    (namespace_alias_definition name: (_) @name) @symbol.namespace

    ; TEST(suite, name) {{ }}, TEST(name) {{ }} and TEST_CASE("name") {{ }}
    ((function_definition !type
        declarator: (_
            declarator: (identifier) @_macro
            parameters: (parameter_list
                . (parameter_declaration type: (_) @scope)
                . (parameter_declaration type: (_) @name)))) @symbol.test {_TEST})
    ((function_definition !type
        declarator: (_
            declarator: (identifier) @_macro
            parameters: (parameter_list
                . (parameter_declaration type: (_) @name) .))) @symbol.test {_TEST})
    ((expression_statement (call_expression
        function: (identifier) @_macro
        arguments: (argument_list . (string_literal) @name))) @symbol.test
        . (compound_statement) @extent {_CASE})

    ; the grammar parses a class after an export macro as a function
    (function_definition
        type: (class_specifier !body) . (ERROR . (identifier) @name)) @symbol.class
    (function_definition
        type: (struct_specifier !body) . (ERROR . (identifier) @name)) @symbol.struct
    (function_definition
        type: (class_specifier !body) declarator: (identifier) @name) @symbol.class
    (function_definition
        type: (struct_specifier !body) declarator: (identifier) @name) @symbol.struct
    (function_definition
        type: [(class_specifier !body) (struct_specifier !body)]
        declarator: [(identifier) (template_function)]
        body: (_ [
            (declaration declarator: (_
                declarator: (identifier) @name parameters: (_)) ";" @body) @symbol.function
            (declaration declarator: (identifier) @name) @symbol.field]))

    (class_specifier name: {_TYPE_NAME} body: (_)) @symbol.class
    (struct_specifier name: {_TYPE_NAME} body: (_)) @symbol.struct
    (concept_definition name: (identifier) @name) @symbol.type
    (alias_declaration name: (type_identifier) @name) @symbol.type

    (field_declaration_list (function_definition !type
        declarator: {_CALLED_NAME}) @symbol.constructor)
    (field_declaration_list (declaration !type
        declarator: {_CALLED_NAME} ";" @body) @symbol.constructor)
    (field_declaration_list (template_declaration (function_definition !type
        declarator: {_CALLED_NAME}) @symbol.constructor))
    (function_definition !type declarator: {_CONSTRUCTED}) @symbol.constructor

    ((function_definition declarator: {_DECLARED}) @symbol.function {_IS_NAME} {_NO_TEST})
    (function_definition declarator: {_SPECIAL}) @symbol.function
    ; the innermost name of `A::B::name`, not the `B::name` on the way to it
    ((function_definition declarator: {_QUALIFIED}) @symbol.function (#not-match? @name "::"))
    (function_definition declarator: (operator_cast) @name) @symbol.function
    (function_definition declarator: {either(_SCOPES, "(operator_cast) @name")}) @symbol.function

    ; a prototype inside a function is a local constructed with arguments
    ((compound_statement (declaration declarator: {_DECLARED}) @symbol.variable) {_IS_NAME})
    ((field_declaration declarator: {_DECLARED} ";" @body) @symbol.function {_IS_NAME})
    ((declaration declarator: {_DECLARED} ";" @body) @symbol.function {_IS_NAME})
    (declaration declarator: (operator_cast) @name ";" @body) @symbol.function

    {DATA}

    (declaration declarator: (init_declarator
        declarator: (identifier) @name
        value: (lambda_expression body: (_) @body))) @symbol.function
    ((field_declaration (type_qualifier) @_constexpr
        declarator: (field_identifier) @name) @symbol.constant (#eq? @_constexpr "constexpr"))
    (field_declaration declarator: (reference_declarator (field_identifier) @name)) @symbol.field
    (declaration declarator: (init_declarator
        declarator: (reference_declarator (identifier) @name))) @symbol.variable
    (declaration declarator: (init_declarator
        declarator: (structured_binding_declarator (identifier) @name))) @symbol.variable
    (declaration declarator: (init_declarator
        declarator: {either(_SCOPES, _IDENTIFIER)})) @symbol.variable
    {VARIABLES}
    """,
    relations=_RELATIONS,
    imports=_imports,
    family=FAMILY,
    locate=locate_c_include,
    inherited_implementations=False,
    textual_includes=True,
    separate_declarations=True,
    header_suffixes=HEADER_SUFFIXES,
    implicit_receiver=True,
    nested_namespaces=True,
    overloads=True,
    inherited_overloads="hidden",
    type_rules=CPP_TYPES,
    block_scoped=True,
    transparent=(
        *("atomic", "optional", "reference_wrapper", "shared_ptr", "unique_ptr", "weak_ptr"),
        *("scoped_refptr", "intrusive_ptr"),
    ),
    unparsable="|".join((MACROS, *_QT)),
    repairs=(*REPAIRS, _REPAIRS),
    conditional_directives=True,
    wrappers=("template_declaration", "friend_declaration"),
    tests=(
        *(
            "test/**",
            "tests/**",
            "unittest/**",
            "unittests/**",
            "test_*.cc",
            "test_*.cpp",
            "*_test.cc",
        ),
        *("*_test.cpp", "*_unittest.cc", "*-test.cc", "*-test.cpp", "*Test.cpp", "*Tests.cpp"),
    ),
    excludes=("CMakeFiles/", "cmake-build-*/", "_deps/", "*.o", "*.obj", "*.gch", "*.pch"),
    result_first=True,
    visibility=Visibility(private=re.compile(r"^static\b")),
    toolchain_macros=TOOLCHAIN_MACROS,
    implicit_method=FOREIGN_ENTRY,
    is_linked_by_name=is_linked_by_name,
    is_used_where_defined=is_used_where_defined,
    complexity="""
    [(if_statement) (for_statement) (for_range_loop) (while_statement) (do_statement)
        (conditional_expression) (catch_clause)] @branch
    (case_statement value: (_)) @branch
    (binary_expression operator: ["&&" "||" "and" "or"]) @branch
    [(if_statement) (for_statement) (for_range_loop) (while_statement) (do_statement)
        (switch_statement) (try_statement)] @nest
    (else_clause (if_statement) @flat)
    (parameter_list) @parameters
    (parameter_list [(parameter_declaration) (optional_parameter_declaration)
        (variadic_parameter_declaration)] @parameter)
    (parameter_list "..." @parameter)
    (parameter_list (explicit_object_parameter_declaration) @receiver)
    ((parameter_list . (parameter_declaration !declarator) @receiver .) (#eq? @receiver "void"))
    """,
    fragment_contexts=(
        "void f() { PATTERN }",
        "void f() { PATTERN; }",
        "void f() { try { } PATTERN }",
        "void f() { switch (x) { PATTERN } }",
        "PATTERN",
        "PATTERN\n",
        "class s { PATTERN };",
        "int x = PATTERN;",
    ),
    metavariable_forms=("name", "Name name", "name;", "int name;", "<name>"),
)
