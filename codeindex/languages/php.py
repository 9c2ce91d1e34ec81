"""Define the language PHP."""

import re
from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._php_names import locate_by_file_name

_CALL = "name: (name) @member @method"
_NAMES = "[(name) (qualified_name)]"

_IS_INSTANCE = """(binary_expression
    left: (variable_name) @checked operator: "instanceof" right: [(name) (qualified_name)] @type)"""

_CLASS_ARGUMENT = """arguments: (arguments . (argument
    (class_constant_access_expression . (_) @of (name) @_class .)) .)"""
_CONTAINER = """[(variable_name (name) @_container) (name) @_container
    (member_access_expression name: (name) @_container)
    (function_call_expression function: (name) @_container)
    (scoped_call_expression name: (name) @_container)]"""

_RELATIONS = f"""
(namespace_definition name: (_) @module) @import @all
(namespace_use_declaration (namespace_name) @module
    (namespace_use_group (namespace_use_clause {_NAMES} @imported alias: (name) @alias) @import))
(namespace_use_declaration (namespace_name) @module
    (namespace_use_group (namespace_use_clause {_NAMES} @imported !alias) @import))
(namespace_use_declaration
    (namespace_use_clause (qualified_name) @module alias: (name) @alias) @import)
(namespace_use_declaration (namespace_use_clause {_NAMES} @module !alias) @import)
(namespace_use_clause [(name) (qualified_name)] @skip)
(namespace_name (name) @skip)
(qualified_name (name) @skip)
(variable_name (name) @skip)
(class_declaration name: (name) @skip)
(interface_declaration name: (name) @skip)
(trait_declaration name: (name) @skip)
(enum_declaration name: (name) @skip)
(enum_case name: (name) @skip)
(method_declaration name: (name) @skip)
(function_definition name: (name) @skip)
(const_element . (name) @skip)
(property_element name: (variable_name) @skip)
(argument name: (name) @skip)
(member_access_expression name: (name) @skip)
(nullsafe_member_access_expression name: (name) @skip)
(class_constant_access_expression (_) (name) @skip)

[(anonymous_function) (arrow_function)] @scope
(object_creation_expression
    (anonymous_class (base_clause (_) @type) body: (declaration_list) @scope @nameless)) @created
(object_creation_expression
    (anonymous_class body: (declaration_list) @scope @baseless)) @created
(compound_statement) @block

(enum_case name: (name) @self)
(property_declaration type: (_) @type (property_element name: (variable_name (name) @field)))
(property_promotion_parameter type: (_) @type name: (variable_name (name) @field))
(property_promotion_parameter type: (_) @type name: (variable_name) @bind)
(property_promotion_parameter name: (variable_name) @bind)
(simple_parameter type: (_) @type name: (variable_name) @bind)
([(if_statement condition: (_ {_IS_INSTANCE}) body: (compound_statement) @in)
    (else_if_clause condition: (_ {_IS_INSTANCE}) body: (compound_statement) @in)])
(simple_parameter name: (variable_name) @bind)
(variadic_parameter name: (variable_name) @bind)
(assignment_expression left: (variable_name) @bind right: (_) @value)
(assignment_expression left: (member_access_expression
    object: (_) @owner name: (name) @attribute) right: (_) @value)
(catch_clause type: (type_list . (_) @type) name: (variable_name) @bind)
(foreach_statement . (_) @each . (variable_name) @bind)
(foreach_statement . (_) @each . (pair (_) (variable_name) @bind))
(foreach_statement . (_) (pair . (variable_name) @bind))
((comment) @documented (#match? @documented "@var"))

(method_declaration return_type: (_) @result)
(function_definition return_type: (_) @result)
(return_statement (_) @returned)
(class_declaration (declaration_list (use_declaration {_NAMES} @base)))
(trait_declaration (declaration_list (use_declaration {_NAMES} @base)))
(enum_declaration (enum_declaration_list (use_declaration {_NAMES} @base)))
(class_declaration (base_clause {_NAMES} @base))
(class_declaration (class_interface_clause {_NAMES} @base))
(interface_declaration (base_clause {_NAMES} @base))
(enum_declaration (class_interface_clause {_NAMES} @base))
(assignment_expression right: (object_creation_expression
    (anonymous_class [(base_clause {_NAMES} @base) (class_interface_clause {_NAMES} @base)])))
(anonymous_class [(base_clause {_NAMES} @extended) (class_interface_clause {_NAMES} @extended)])

((variable_name) @this (#eq? @this "$this"))
((relative_scope) @super (#eq? @super "parent"))
(relative_scope) @this
((name) @this (#any-of? @this "self" "static"))
((name) @super (#eq? @super "parent"))
(member_call_expression object: (_) @of {_CALL})
(nullsafe_member_call_expression object: (_) @of {_CALL})
(scoped_call_expression scope: (_) @of {_CALL})
; The service container of Laravel and PSR-11 returns an instance of the class that it is given
((function_call_expression function: (name) @_resolve {_CLASS_ARGUMENT}) @instance
    (#any-of? @_resolve "app" "resolve") (#eq? @_class "class"))
([(member_call_expression object: {_CONTAINER} name: (name) @_resolve {_CLASS_ARGUMENT})
    (scoped_call_expression scope: {_CONTAINER} name: (name) @_resolve {_CLASS_ARGUMENT})] @instance
    (#match? @_container "^(?i:app|(get)?container)$")
    (#any-of? @_resolve "get" "make") (#eq? @_class "class"))
(member_call_expression name: (name) @of) @call
(nullsafe_member_call_expression name: (name) @of) @call
(scoped_call_expression name: (name) @of) @call
(function_call_expression function: (_) @of) @call
(object_creation_expression . {_NAMES} @of) @instance
(object_creation_expression . {_NAMES} @of) @call
(member_access_expression object: (_) @of name: (name) @attribute) @member
(nullsafe_member_access_expression object: (_) @of name: (name) @attribute) @member
(class_constant_access_expression . (_) @of (name) @attribute .) @member
(scoped_property_access_expression scope: (_) @of
    name: (variable_name (name) @attribute)) @member
(subscript_expression . (_) @of) @item
[(optional_type (_) @of) (named_type (_) @of) (parenthesized_expression (_) @of)] @same
(clone_expression (_) @of) @same
(assignment_expression right: (_) @of) @same
(union_type (_) @of (_) @of) @either
(conditional_expression body: (_) @of alternative: (_) @of) @either
(binary_expression left: (_) @of operator: "??" right: (_) @of) @either
[(variable_name) (name)] @name
(qualified_name) @qualified
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (qualified name, "", local name) of a `use`; a backslash becomes a dot.

    A namespace clause imports all names of its namespace.
    """
    parts = [captured.get("module", ""), captured.get("imported", "").strip("*")]
    module = ".".join(filter(None, parts)).replace("\\", ".").strip(".")
    if captured.get("imported") == "*":
        yield ImportedName(f"{module}.*", "*", "*")
    else:
        yield ImportedName(module, "", captured.get("alias") or module.rpartition(".")[2])


LANGUAGE = Language(
    name="php",
    member_by_value=re.compile(r"\$this->(?:\$|\{)"),
    suffixes=(".php", ".phtml", ".php5", ".php7", ".phpt"),
    grammar="php",
    interpreters=("php",),
    symbols="""
    (namespace_definition name: (_) @name body: (_)) @symbol.namespace
    (program (namespace_definition name: (_) @name !body) @symbol.namespace) @extent

    (class_declaration name: (name) @name) @symbol.class
    (interface_declaration name: (name) @name) @symbol.interface
    (trait_declaration name: (name) @name) @symbol.trait
    (enum_declaration name: (name) @name) @symbol.enum
    (enum_case name: (name) @name) @symbol.enum_member

    ((method_declaration name: (name) @name) @symbol.constructor (#eq? @name "__construct"))
    (method_declaration name: (name) @name) @symbol.method
    (function_definition name: (name) @name) @symbol.function
    ; Properties of an anonymous class belong to its variable, not to the class around it
    (assignment_expression left: (variable_name) right: (object_creation_expression
        (anonymous_class (declaration_list (property_declaration
            (property_element name: (variable_name (name) @name))) @symbol.property))))
    (anonymous_class (declaration_list (property_declaration
        (property_element name: (variable_name (name) @name)))))
    (anonymous_class (declaration_list (method_declaration (formal_parameters
        (property_promotion_parameter name: (variable_name (name) @name))))))
    (property_promotion_parameter name: (variable_name (name) @name)) @symbol.property
    (property_declaration
        (property_element name: (variable_name (name) @name))
        (property_hook_list)? @body) @symbol.property

    (const_declaration (const_element . (name) @name)) @symbol.constant
    ((function_call_expression function: (name) @_define
        arguments: (arguments . (argument (string (string_content) @name)))) @symbol.constant
        (#eq? @_define "define"))

    (assignment_expression
        left: (variable_name (name) @name)
        right: (anonymous_function body: (_) @body)) @symbol.function
    (assignment_expression
        left: (variable_name (name) @name)
        right: (arrow_function body: (_) @body)) @symbol.function
    (assignment_expression
        left: (variable_name (name) @name)
        right: (object_creation_expression (anonymous_class body: (_) @body))) @symbol.class
    (program (expression_statement
        (assignment_expression left: (variable_name (name) @name)) @symbol.variable))

    (namespace_definition body: (compound_statement (expression_statement
        (assignment_expression left: (variable_name (name) @name)) @symbol.variable)))

    ; Pest: it('does', function () { })
    ((function_call_expression function: (name) @_word
        arguments: (arguments
            . (argument (string (string_content) @name))
            . (argument [(anonymous_function) (arrow_function)]))) @symbol.test
        (#any-of? @_word "it" "test" "describe"))
    """,
    relations=_RELATIONS,
    imports=_imports,
    manifests=("composer.json",),
    locate=locate_by_file_name,
    names_in_tree=True,
    autoloads=True,
    imports_namespaces=True,
    call_method="__invoke",
    documented_variable=re.compile(
        r"@var\s+\??(\\?[A-Z]\w*(?:\\\w+)*)(?:\|null)?\s+(\$\w+)(?!.*@var)", re.DOTALL
    ),
    leading=("comment", "attribute_list"),
    tests=("test/**/*.php", "tests/**/*.php", "Tests/**/*.php", "*Test.php", "*.phpt"),
    excludes=("vendor/", ".phpunit.cache/", ".phpunit.result.cache", "bootstrap/cache/"),
    library_manifests=("composer.json",),
    passive_decorators=frozenset({"Deprecated", "Override"}),
    reflective_names=frozenset(
        {
            "call_user_func",
            "call_user_func_array",
            "function_exists",
            "is_callable",
            "method_exists",
        }
    ),
    visibility=Visibility(
        private=re.compile(r"\b(?:private|protected)\b"),
        shared_type=re.compile(r"^\s*trait\s", re.MULTILINE),
    ),
    complexity="""
    [(if_statement) (else_if_clause) (for_statement) (foreach_statement) (while_statement)
        (do_statement) (case_statement) (match_conditional_expression) (catch_clause)
        (conditional_expression)] @branch
    (binary_expression operator: ["&&" "||" "??" "and" "or" "xor"]) @branch
    [(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement)
        (switch_statement) (match_expression) (try_statement)] @nest
    (else_clause (if_statement) @flat)
    (formal_parameters) @parameters
    (formal_parameters [(simple_parameter) (variadic_parameter)
        (property_promotion_parameter)] @parameter)
    """,
    fragment_contexts=("<?php PATTERN", "<?php PATTERN;", "<?php class C { PATTERN }"),
    metavariable_forms=("$name", "name", "name;", "public $name;"),
)
