"""C++, and every `.h`: the grammar reads C headers too, while C's stops at the first class."""

from codeindex.languages._base import Language
from codeindex.languages.c import CALLED, DATA, MACROS, NAME, RETURNED, VARIABLES, either

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
_TWO = _ONE.replace("%s", _ONE)
_SCOPES = (_ONE, _TWO, _TWO.replace("%s", _ONE))
"""`A::x`, `A::B::x`, `A::B::C::x`."""


def _scoped(name: str) -> tuple[str, ...]:
    return tuple(scope.replace("%s", name) for scope in _SCOPES)


_QUALIFIED = either((CALLED, f"(_ {CALLED})"), *_scoped(NAME))
_CONSTRUCTED = either(RETURNED[:1], *_scoped(_IDENTIFIER))
_TYPE_NAME = """[
        (type_identifier) @name
        (template_type name: (_) @name)
        (qualified_identifier scope: (_) @scope name: (type_identifier) @name)]"""

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

    ; a class behind an export macro is read as a function that returns the macro
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

    ; what looks like a prototype inside a function is a local built with arguments
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
    blanks=MACROS,
    wrappers=("template_declaration", "friend_declaration"),
    tests=(
        *("test/**", "tests/**", "unittests/**", "test_*.cc", "test_*.cpp", "*_test.cc"),
        *("*_test.cpp", "*_unittest.cc", "*-test.cc", "*-test.cpp", "*Test.cpp", "*Tests.cpp"),
    ),
    excludes=("CMakeFiles/", "cmake-build-*/", "_deps/", "*.o", "*.obj", "*.gch", "*.pch"),
)
