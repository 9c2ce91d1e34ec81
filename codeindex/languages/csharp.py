"""Define the language C#."""

import re
from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._csharp_projects import PROJECT_FILES, locate_in_namespaces
from codeindex.languages._overload_types import CSHARP_TYPES

_NAMED = "name: [(identifier) @attribute (generic_name . (identifier) @attribute)]"
_TYPES = "[(identifier) @{0} (generic_name . (identifier) @{0}) (qualified_name) @{0}]"
_VAR = "type: (implicit_type)"

_BLOCK_METHOD = """((constructor_declaration name: (identifier) @_extension
    body: (block (local_function_statement {0}) {1})) (#eq? @_extension "extension"){2})"""
"""A method in a block `extension(Cart cart) { … }`, which the grammar takes for a constructor."""

_RELATIONS = f"""
(file_scoped_namespace_declaration name: (_) @module @local @skip) @import @all
(namespace_declaration name: (_) @module @local @skip) @import @all
(using_directive name: (identifier) @alias (_) @module .) @import
(using_directive "global" @exported !name [(identifier) (qualified_name)] @module) @import @all
(using_directive !name [(identifier) (qualified_name)] @module) @import @all
(using_directive [(identifier) (qualified_name)] @skip)
(qualified_name (identifier) @skip)
(class_declaration name: (identifier) @skip)
(struct_declaration name: (identifier) @skip)
(interface_declaration name: (identifier) @skip)
(enum_declaration name: (identifier) @skip)
(record_declaration name: (identifier) @skip)
(delegate_declaration name: (identifier) @skip)
(constructor_declaration name: (identifier) @skip)
(destructor_declaration (identifier) @skip)
((method_declaration name: (identifier) @extending
    parameters: (parameter_list . (parameter (modifier) @_this))) (#eq? @_this "this"))
{_BLOCK_METHOD.format("name: (identifier) @extending", "", "")}
((constructor_declaration name: (identifier) @_extension) @scope (#eq? @_extension "extension"))
(method_declaration name: (identifier) @skip)
(property_declaration name: (identifier) @skip)
(event_declaration name: (identifier) @skip)
(local_function_statement name: (identifier) @skip)
(member_access_expression {_NAMED.replace("attribute", "skip")})
(member_binding_expression {_NAMED.replace("attribute", "skip")})
(argument name: (identifier) @skip)
(labeled_statement . (identifier) @skip)

[(lambda_expression) (anonymous_method_expression)] @scope
[(block) (foreach_statement) (using_statement) (switch_section)] @block

(type_parameter name: (identifier) @parameter @skip)
(enum_member_declaration name: (identifier) @self)
(variable_declaration {_VAR} (variable_declarator name: (identifier) @bind (_) @value .))
(variable_declaration {_VAR} (variable_declarator
    (tuple_pattern name: (identifier) @bind @nth) (_) @value .))
(variable_declaration {_VAR} (variable_declarator name: (identifier) @bind))
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @bind))
(property_declaration type: (_) @type name: (identifier) @field)
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @field @skip)))
(lambda_expression parameters: (implicit_parameter) @bind) @expected
(lambda_expression parameters: (parameter_list
    (parameter !type name: (identifier) @bind) @positional)) @expected
(invocation_expression function: (_) @callee
    arguments: (argument_list (argument (lambda_expression) @passed) @positional))
((parameter type: (generic_name (identifier) @_delegate) @type) @positional
    (#any-of? @_delegate "Action" "Func" "Predicate" "Expression"))
((parameter (modifier) @_out type: (_) @type) @positional (#eq? @_out "out"))
((parameter (modifier) @_this) @receiver (#eq? @_this "this"))
(parameter type: (_) @type name: (identifier) @bind)
(parameter name: (identifier) @bind)
(parameter_list name: (identifier) @bind)
(implicit_parameter) @bind
(foreach_statement {_VAR} left: (identifier) @bind right: (_) @each)
(foreach_statement type: (_) @type left: (identifier) @bind)
(declaration_pattern type: (_) @type name: (identifier) @bind)
(recursive_pattern type: (_) @type name: (identifier) @bind)
(invocation_expression function: (_) @called arguments: (argument_list
    (argument (declaration_expression {_VAR} name: (identifier) @bind)) @positional))
(declaration_expression {_VAR} name: (identifier) @bind)
(declaration_expression type: (_) @type name: (identifier) @bind)
(catch_declaration type: (_) @type name: (identifier) @bind)

(method_declaration returns: (_) @result)
(local_function_statement type: (_) @result)
(class_declaration (base_list {_TYPES.format("base")}))
(struct_declaration (base_list {_TYPES.format("base")}))
(interface_declaration (base_list {_TYPES.format("base")}))
(record_declaration (base_list {_TYPES.format("base")}))

(member_access_expression expression: _ @of {_NAMED}) @member
(conditional_access_expression condition: (_) @of
    (member_binding_expression {_NAMED})) @member
(invocation_expression function: (generic_name . (identifier) @of (type_argument_list) @applied)
    arguments: (_) @arguments) @call
(invocation_expression function: (member_access_expression
    name: (generic_name (type_argument_list) @applied)) @of arguments: (_) @arguments) @call
(invocation_expression function: (conditional_access_expression (member_binding_expression
    name: (generic_name (type_argument_list) @applied))) @of arguments: (_) @arguments) @call
(invocation_expression function: (_) @of arguments: (_) @arguments) @call
(argument !name (_) @of .) @same
(argument name: (identifier) @attribute (_) @of .) @labelled
(object_creation_expression type: (_) @of) @instance
(object_creation_expression type: {_TYPES.format("of")}) @call
(cast_expression type: (_) @of) @instance
(as_expression right: (_) @of) @instance
(generic_name . (_) @of (type_argument_list (_) @argument .)) @generic
(array_type type: (_) @argument rank: (_) @of) @generic
[(predefined_type) (array_rank_specifier)] @builtin
[(integer_literal) (real_literal) (character_literal) (string_literal) (verbatim_string_literal)
    (raw_string_literal) (interpolated_string_expression) (boolean_literal) (null_literal)
    (is_pattern_expression) (is_expression) (typeof_expression)] @literal
(nullable_type type: (predefined_type)) @builtin
(nullable_type type: (_) @of) @same
(element_access_expression expression: (_) @of) @item
[(await_expression (_) @of) (parenthesized_expression (_) @of)
    (postfix_unary_expression (_) @of "!")] @same
[(tuple_expression) (tuple_type)] @parts
(tuple_element type: (_) @of) @instance
(array_creation_expression type: (_) @of) @instance
(conditional_expression consequence: (_) @of alternative: (_) @of) @either
(binary_expression left: (_) @of operator: "??" right: (_) @of) @either
(binary_expression left: (_) @of operator: ["==" "!=" "<" ">" "<=" ">=" "&&" "||" "+"] @attribute
    right: (_) @of) @operation
(prefix_unary_expression "!" @attribute (_) @of) @operation
[(lambda_expression) (anonymous_method_expression)] @closure
(qualified_name) @quoted
"this" @this
"base" @super
(identifier) @name
"""


_ASSIGNED_CALL = r"[ \t]*(?:set =>[ \t]*)?[\w.]+(?:<[^()\n]*>)?\([^;\n]*\)"
_REPAIRS = (
    (
        # *(int*)(target + 1) = 2
        r"(?m)^[ \t]*\*\(\w+\*\)\((?P<kept>\w+)[^()\n]*\)(?=[ \t]*=)",
        # *(uint*)source, *(int*)&value
        r"\*\(\w+\*\)(?=[\w(&])",
        # Unsafe.Add(ref first, (uint)i) = 2, also after `set =>`, becomes Unsafe.Add(…)._=2
        rf"(?m)^(?P<kept>{_ASSIGNED_CALL})(?P<dot> )(?P<wildcard>=)(?P<assign> )(?=\S)",
        # $""
        r'\$(?=""(?!"))',
        # extension<T>(IEnumerable<T> items) where T : class
        r"(?P<kept>\bextension)[ \t]*<[^()]*>(?=[ \t]*\()",
        r"(?P<kept_block>\bextension\b[^\n{};]*\))\s*where\b[^{};]*(?=\{)",
        # customer?.Order = order
        r"\?(?=\.\w+[ \t]*(?:[-+*/%&|^]|\?\?|<<|>>)?=[^=>])",
    ),
)
"""Match valid expressions that the grammar rejects: see `Language.repairs`."""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of a `using` directive or namespace clause.

    A `using` of a namespace imports all its names. A namespace clause imports the names of the
    namespace and of its parents.
    """
    module = captured["module"]
    if "imported" not in captured:
        yield ImportedName(module, "", captured.get("alias") or module)
        return
    if "local" not in captured:
        yield ImportedName(module, "", "")
        yield ImportedName(f"{module}.*", "*", "*")
        return
    while module:
        yield ImportedName(f"{module}.*", "*", "*")
        module = module.rpartition(".")[0]


LANGUAGE = Language(
    name="csharp",
    suffixes=(".cs", ".csx"),
    grammar="csharp",
    grammar_package="tree_sitter_c_sharp",
    symbols=f"""
    (namespace_declaration name: (_) @name) @symbol.namespace
    (compilation_unit (file_scoped_namespace_declaration
        name: (_) @name) @symbol.namespace) @extent
    (using_directive name: (identifier) @name) @symbol.type

    (class_declaration name: (identifier) @name) @symbol.class
    (struct_declaration name: (identifier) @name) @symbol.struct
    (interface_declaration name: (identifier) @name) @symbol.interface
    (enum_declaration name: (identifier) @name) @symbol.enum
    (enum_member_declaration name: (identifier) @name) @symbol.enum_member
    (delegate_declaration name: (identifier) @name) @symbol.type
    (record_declaration "struct" name: (identifier) @name) @symbol.struct
    (record_declaration name: (identifier) @name) @symbol.class
    (record_declaration (parameter_list
        (parameter name: (identifier) @name) @symbol.property))

    ((constructor_declaration name: (identifier) @name) (#eq? @name "extension"))
    (constructor_declaration name: (identifier) @name) @symbol.constructor
    (destructor_declaration "~" . (identifier) @name) @symbol.method
    {
        _BLOCK_METHOD.format(
            "(modifier) @_static name: (identifier) @name",
            "@symbol.method",
            '(#eq? @_static "static")',
        )
    }
    ((constructor_declaration name: (identifier) @_extension
        parameters: (parameter_list . (parameter) @receiver) body: (block
            (local_function_statement name: (identifier) @name) @symbol.method))
        (#eq? @_extension "extension"))
    (method_declaration (explicit_interface_specifier (_) @scope)
        name: (identifier) @name) @symbol.method
    (method_declaration name: (identifier) @name) @symbol.method
    (operator_declaration ["+" "-" "*" "/" "%" "!" "~" "++" "--" "true" "false" "&" "|" "^"
        "<<" ">>" ">>>" "==" "!=" "<" ">" "<=" ">="] @name) @symbol.method
    (conversion_operator_declaration type: (_) @name) @symbol.method
    (local_function_statement name: (identifier) @name) @symbol.function

    (property_declaration (explicit_interface_specifier (_) @scope) name: (identifier) @name
        [accessors: (_) value: (_)] @body) @symbol.property
    (property_declaration name: (identifier) @name
        [accessors: (_) value: (_)] @body) @symbol.property
    (indexer_declaration "this" @name [accessors: (_) value: (_)] @body) @symbol.property
    (event_declaration name: (identifier) @name accessors: (_) @body) @symbol.property
    (event_field_declaration
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field

    ((field_declaration (modifier) @_const
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.constant
        (#eq? @_const "const"))
    (field_declaration
        (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field
    """,
    conditional_directives=True,
    repairs=_REPAIRS,
    relations=_RELATIONS,
    imports=_imports,
    manifests=PROJECT_FILES,
    locate=locate_in_namespaces,
    names_in_tree=True,
    partial_types=True,
    file_private=r"using\b",
    imports_namespaces=True,
    default_package="*",
    implicit_receiver=True,
    overloads=True,
    inherited_overloads="nearest",
    repeated_parameter=re.compile(r"^\s*(?:\[[^][]*\]\s*)*params\b|__arglist"),
    extension_parameter=re.compile(r"\s*(?:\[[^][]*\]\s*)*(?:ref\s+|in\s+)?this\b"),
    type_rules=CSHARP_TYPES,
    generic_node="generic_name",
    element_lambdas=frozenset(
        [
            *("All", "Any", "Average", "Count", "Exists", "Find", "FindAll", "First"),
            *("FirstOrDefault", "ForEach", "GroupBy", "Last", "LastOrDefault", "Max", "MaxBy"),
            *("Min", "MinBy", "OrderBy", "OrderByDescending", "RemoveAll", "Select"),
            *("SelectMany", "Single", "SingleOrDefault", "SkipWhile", "Sum", "TakeWhile"),
            *("ThenBy", "ToDictionary", "ToLookup", "Where"),
        ]
    ),
    stated_results=frozenset(
        [
            *("GetService", "GetRequiredService", "GetKeyedService", "GetRequiredKeyedService"),
            "Resolve",
        ]
    ),
    delegates={"Action": False, "Predicate": False, "Func": True},
    transparent=("Expression", "Lazy", "Nullable", "Task", "ValueTask"),
    leading=("comment", "attribute_list"),
    tests=(
        *("*Test.cs", "*Tests.cs", "*Spec.cs", "*Specs.cs", "test/**/*.cs", "tests/**/*.cs"),
        *("**/*.Tests/**/*.cs", "**/*.Test/**/*.cs"),
        *("**/*.UnitTests/**/*.cs", "**/*.IntegrationTests/**/*.cs"),
    ),
    lock_files=("packages.lock.json", "project.assets.json"),
    excludes=("obj/", "bin/Debug/", "bin/Release/", ".vs/", "TestResults/", "*.Designer.cs"),
    result_first=True,
    reflective_names=frozenset({"GetMethod"}),
    visibility=Visibility(
        public=re.compile(r"\bpublic\b"),
        is_explicit=True,
        shared_type=re.compile(r"\bpartial\s+(?:class|struct|interface|record)\b"),
    ),
    implicit_method=re.compile(r"[^(]*[\w>]\.\w+\s*(?:<[^()]*>)?\s*\("),
    platform_namespace="System.",
    used_unnamed=re.compile(r"\(\s*this\s|\bstatic\b.*\bclass\s+\w*Extensions\b"),
    complexity="""
    [(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement)
        (catch_clause) (conditional_expression) (switch_expression_arm)] @branch
    (switch_expression_arm . (discard)) @default
    (switch_section "case" @branch)
    (binary_expression operator: ["&&" "||" "??"]) @branch
    [(if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement)
        (switch_statement) (switch_expression) (try_statement)] @nest
    (if_statement alternative: (if_statement) @flat)
    [(parameter_list) (bracketed_parameter_list)] @parameters
    (parameter) @parameter
    (parameter_list "params" @parameter)
    """,
    fragment_contexts=(
        "PATTERN",
        "class C { PATTERN }",
        "PATTERN class C { }",
        "class C { void F() { PATTERN } }",
        "class C { void F() { PATTERN; } }",
        "class C { object F() { return PATTERN; } }",
        "class C { object F() { try { } PATTERN } }",
    ),
    metavariable_forms=("name", "Name name", "name;", "Name name;"),
)
