"""Define the language Rust."""

import re
from collections.abc import Iterable, Iterator

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._native_uses import is_linked_by_name
from codeindex.languages._rust_modules import locate_rust_module
from codeindex.types import SymbolKind

_TYPE = """[
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: [
        (type_identifier) @name
        (scoped_type_identifier name: (_) @name)
    ])
    [
        (array_type) (bounded_type) (dynamic_type) (function_type) (metavariable) (never_type)
        (pointer_type) (tuple_type) (unit_type)
    ] @name
]"""
"""Pattern of the type of an `impl`: its name without path and arguments, otherwise its text."""

_ITEM = r"""(?x: (?:pub(?:\([^()\n]*\))?\s+)? (?: (?:(?:async|const|unsafe|extern)\s+)*fn\s
    | struct\s+\w+\b(?!\s*:) | (?:enum|mod|trait|type|union|use)\s | static\s+(?!ref\b)
    | (?:unsafe\s+)?impl\b | cfg_\w+!))"""
_BEFORE_ITEM = r"(?:(?://[^\n]*|#!?\[(?:[^\n]*|[^\[\]]*)\])\s*)*"
_AROUND_ITEMS = rf"(?m)^(?P<kept>[ \t]*)(?:\w+::)*\w{{5,}}!(?=[ \t]*\{{\s*{_BEFORE_ITEM}{_ITEM})"
"""Matches a macro around items, such as `cfg_unix! {`, whose content the grammar parses as loose
tokens. The name is replaced by `extern`, so name and `!` must be at least six characters."""

_LOWER = '(#match? @bind "^[a-z_]")'
_HOLDS = "[(type_identifier) (scoped_type_identifier)] @of"
_SOME = '(#any-of? @_some "Some" "Ok")'
_EACH = """(#any-of? @_each "all" "and_then" "any" "filter" "filter_map" "find" "find_map"
    "flat_map" "for_each" "inspect" "is_some_and" "map" "map_or" "position" "retain" "skip_while"
    "take_while")"""
"""Methods that call a closure with the elements of the receiver."""
_TABLES = '(#any-of? @of "BTreeMap" "Entry" "HashMap" "IndexMap")'

_RELATIONS = f"""
(source_file (use_declaration (visibility_modifier) argument: (_) @statement) @import @exported)
(source_file (use_declaration . argument: (_) @statement) @import)
(block (use_declaration argument: (_) @statement) @import)
(mod_item name: (_) @module body: (declaration_list
    (use_declaration argument: (_) @statement) @import))
(source_file (mod_item name: (_) @module !body) @import)
(foreign_mod_item (declaration_list
    (use_declaration (visibility_modifier) argument: (_) @statement) @import @exported))
(foreign_mod_item (declaration_list (use_declaration . argument: (_) @statement) @import))
(foreign_mod_item (declaration_list (mod_item name: (_) @module !body) @import))
(extern_crate_declaration name: (_) @module alias: (_) @alias) @import
(use_declaration (_ (identifier) @skip))
(use_as_clause (identifier) @skip)
(use_list (identifier) @skip)
(use_wildcard (identifier) @skip)
(scoped_use_list (identifier) @skip)
[(use_declaration (scoped_identifier) @skip) (use_as_clause (scoped_identifier) @skip)
    (use_list (scoped_identifier) @skip) (use_wildcard (scoped_identifier) @skip)
    (scoped_use_list (scoped_identifier) @skip)]
[(use_declaration (_ path: (_) @skip)) (use_list (_ path: (_) @skip))
    (use_declaration (_ path: (_ path: (_) @skip))) (use_list (_ path: (_ path: (_) @skip)))
    (use_declaration (_ path: (_ path: (_ path: (_) @skip))))
    (use_as_clause (_ path: (_) @skip)) (use_wildcard (_ path: (_) @skip))]
(mod_item name: (_) @skip)
(extern_crate_declaration (identifier) @skip)
(attribute (identifier) @skip)
(attribute (token_tree (identifier) @skip))
(lifetime (identifier) @skip)
(label (identifier) @skip)

(closure_expression) @scope
[(block) (match_arm) (for_expression) (if_expression) (while_expression)] @block

((type_identifier) @this (#eq? @this "Self"))
((identifier) @this (#eq? @this "Self"))

(type_parameter name: (_) @parameter @skip bounds: (trait_bounds) @type)
(where_predicate left: (type_identifier) @constrained bounds: (trait_bounds) @type)
(trait_bounds ":" ((_) @of "+"?)+) @bounds
(type_parameter name: (_) @parameter @skip)
(const_parameter name: (_) @parameter @skip)
(self_parameter (self) @self)
(parameter pattern: (self) @self)
(parameter pattern: (identifier) @bind type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @bind) type: (_) @type)
(parameter pattern: (ref_pattern (identifier) @bind) type: (_) @type)
(parameter pattern: (reference_pattern (identifier) @bind) type: (_) @type)
((call_expression function: (field_expression value: (_) @each field: (_) @_each)
    arguments: (arguments (closure_expression parameters: (closure_parameters . [
        (identifier) @bind (reference_pattern (identifier) @bind)])))) {_EACH})
(closure_parameters (identifier) @bind)
(let_declaration pattern: (identifier) @bind type: (_) @type)
(let_declaration pattern: (identifier) @bind value: (_) @value)
(let_declaration pattern: (identifier) @bind)
((let_declaration pattern: (tuple_struct_pattern type: (_) @_some . (identifier) @bind .)
    value: (_) @enter) {_SOME})
((let_condition pattern: (tuple_struct_pattern type: (_) @_some . (identifier) @bind .)
    value: (_) @enter) {_SOME})
((match_expression value: (_) @enter body: (match_block (match_arm pattern: (match_pattern
    (tuple_struct_pattern type: (_) @_some . (identifier) @bind .))))) {_SOME})
(for_expression pattern: (identifier) @bind value: (_) @each)
(for_expression pattern: (reference_pattern (identifier) @bind) value: (_) @each)
(struct_pattern type: (_) @value
    (field_pattern name: (shorthand_field_identifier) @bind @part))
(struct_pattern type: (_) @value
    (field_pattern name: (_) @part pattern: [(identifier) @bind
        (ref_pattern (identifier) @bind) (mut_pattern (identifier) @bind)]))
(tuple_struct_pattern type: (_) @value [(identifier) @bind @nth
    (ref_pattern (identifier) @bind) @nth (mut_pattern (identifier) @bind) @nth])
[(tuple_pattern (identifier) @bind) (slice_pattern (identifier) @bind)
    (captured_pattern . (identifier) @bind) (mut_pattern (identifier) @bind)
    (ref_pattern (identifier) @bind) (reference_pattern (identifier) @bind)]
((tuple_struct_pattern (identifier) @bind) {_LOWER})
((match_pattern . (identifier) @bind) {_LOWER})
((or_pattern (identifier) @bind) {_LOWER})
((field_pattern pattern: (identifier) @bind) {_LOWER})

(field_declaration name: (_) @field type: (_) @type)
(ordered_field_declaration_list) @tuple
(enum_variant name: (_) @self)
(const_item name: (_) @bind type: (_) @type)
(static_item name: (_) @bind type: (_) @type)
(type_item name: (_) @bind type: (_) @value)
(associated_type name: (_) @bind bounds: (trait_bounds) @value)
(function_item return_type: (_) @result)
(function_signature_item return_type: (_) @result)
(impl_item type: (generic_type type_arguments: (type_arguments [
    (array_type) (block) (dynamic_type) (function_type) (generic_type) (identifier)
    (pointer_type) (primitive_type) (reference_type) (scoped_type_identifier) (tuple_type)
    (type_identifier) (unit_type)] @owner_argument)))
(impl_item trait: {_HOLDS.replace("@of", "@base")})
(impl_item trait: (generic_type type: {_HOLDS.replace("@of", "@base")}))
(trait_item bounds: (trait_bounds {_HOLDS.replace("@of", "@base")}))
(trait_item bounds: (trait_bounds (generic_type type: {_HOLDS.replace("@of", "@base")})))

[(function_item name: (_) @skip) (function_signature_item name: (_) @skip)
    (struct_item name: (_) @skip) (enum_item name: (_) @skip) (union_item name: (_) @skip)
    (trait_item name: (_) @skip) (associated_type name: (_) @skip)
    (macro_definition name: (_) @skip) (type_binding name: (_) @skip)]
(token_binding_pattern (_) @skip)
(tuple_struct_pattern type: (identifier) @name @method)
(scoped_identifier !path name: (identifier) @name @path)
(scoped_identifier !path name: (identifier) @of) @same
(scoped_identifier name: (identifier) @skip)
(scoped_type_identifier name: (type_identifier) @skip)

(macro_invocation macro: (identifier) @name @macro)
(macro_invocation macro: (scoped_identifier path: (_) @of name: (_) @attribute) @member @macro)
(token_tree (identifier) @name @macro . "!")
(scoped_identifier path: [(identifier) (crate) (super) (self)] @name @path)
(scoped_type_identifier path: [(identifier) (crate) (super) (self)] @name @path)
(scoped_identifier path: (generic_type type: (type_identifier) @name @path))
(scoped_identifier path: (_) @of name: (_) @attribute) @member
(scoped_type_identifier path: (_) @of name: (_) @attribute) @member
(call_expression function:
    (field_expression value: (_) @of field: (field_identifier) @attribute) @member @method)
(call_expression function: (generic_function function:
    (field_expression value: (_) @of field: (field_identifier) @attribute) @member @method))
(field_expression value: (_) @of field: (field_identifier) @attribute) @member
(field_expression value: (_) @of field: (integer_literal) @attribute) @member
(struct_expression name: (_) @of body: (field_initializer_list
    (field_initializer field: (field_identifier) @member @attribute)))
(struct_pattern type: (_) @of (field_pattern name: (field_identifier) @member @attribute))
(struct_expression name: (_) @of) @instance
((call_expression function: (identifier) @_some arguments: (arguments . (_) @of .)) @holding
    (#any-of? @_some "Some" "Ok"))
(call_expression function: (generic_function function: (_) @of)) @call
(call_expression function: (_) @of) @call
((macro_invocation macro: (identifier) @_same (token_tree) @of) @same
    (#any-of? @_same "dbg" "vec"))
((macro_invocation macro: (identifier) @_content (token_tree) @of) @unwrapped
    (#any-of? @_content "ready" "tri" "try"))
(macro_invocation macro: (_) @of) @call
(macro_invocation (token_tree . ["(" "["]) @embedded)
(tuple_expression (assignment_expression left: (identifier) @skip))
(generic_function function: (_) @of) @same
((generic_type type: (_) @of type_arguments: (type_arguments (_) . (_) @argument .)) @generic
    {_TABLES})
(generic_type type: (_) @of
    type_arguments: (type_arguments . (type_binding type: (_) @argument))) @generic
(generic_type type: (_) @of type_arguments: (type_arguments . (lifetime) . (_) @argument)) @generic
(generic_type type: (_) @of type_arguments: (type_arguments . (lifetime) .)) @same
(generic_type type: (_) @of type_arguments: (type_arguments . (_) @argument)) @generic
(array_type element: (_) @argument) @generic
(reference_type type: (_) @of) @same
(pointer_type type: (_) @of) @same
(abstract_type trait: (_) @of) @same
(dynamic_type trait: (_) @of) @same
(bounded_type . (_) @of) @same
(bracketed_type (_) @of) @same
(qualified_type type: (_) @of) @same
(reference_expression value: (_) @of) @same
(unary_expression (_) @of) @same
(parenthesized_expression (_) @of) @same
(try_expression (_) @of) @unwrapped
(await_expression (_) @of) @same
(type_cast_expression type: (_) @of) @instance
(index_expression . (_) @of) @item
(array_expression (_) @of) @holding
(if_expression consequence: (block (_) @of .) alternative: (else_clause (block (_) @of .))) @either
(block (_) @of .) @same
(token_tree (self) @of . "." . (identifier) @member @attribute)
(token_tree (identifier) @of . "." . (identifier) @member @attribute)
(token_tree (identifier) @of . "::" . (identifier) @member @attribute)
(macro_rule right: (token_tree ["fn" "trait"] . (identifier) @produced))
(source_file (macro_invocation macro: (identifier) @invoked))
(source_file (expression_statement (macro_invocation macro: (identifier) @invoked)))
(token_tree ["." "enum" "fn" "mod" "static" "struct" "trait" "type"] . (identifier) @skip)
(token_tree "::" . (identifier) @skip)
(token_tree (identifier) @name @path . "::")
(token_tree (identifier) @skip . ":")
(token_tree (identifier) @skip . "=>")
(token_tree (identifier) @skip . "=")
(self) @name
[(identifier) (type_identifier)] @name
"""

_BRACES = re.compile(r"[{},]|[^{},]+")


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of `mod a;`, or of each path in a `use` tree."""
    if "statement" not in captured:
        module = captured["module"]
        alias = captured.get("alias")
        yield (
            ImportedName(f"self::{module}", "", module)
            if alias is None
            else ImportedName(module, "", alias)
        )
        return
    for path, alias in _leaves(re.sub(r"/\*.*?\*/|//[^\n]*", "", captured["statement"]), captured):
        module, _, name = path.removeprefix("::").rpartition("::")
        if module:
            prefix = "self::" if module[0].isupper() else ""  # a type of this file
            yield ImportedName(prefix + module, name, alias or name)
        else:
            yield ImportedName(name, "", alias or name)


def _leaves(tree: str, captured: ImportCaptures) -> Iterator[tuple[str, str]]:
    """Yield (path, alias) for each path in a `use` tree; the alias is '' without one."""
    prefixes, prefix = [""], ""
    for part in (group.strip() for group in _BRACES.findall(tree)):
        if part == "{":
            prefixes.append(prefix)
        elif part == "}":
            prefixes.pop()
        elif part not in {"", ","}:
            path, _, alias = (prefixes[-1] + part).partition(" as ")
            prefix = path
            if not path.endswith("::"):
                yield _outer(path.removesuffix("::self"), captured), alias.strip()


def _outer(path: str, captured: ImportCaptures) -> str:
    """Convert a path inside of an inline module to the same path as seen from its file.

    In `mod inner { ... }`, `self::x` becomes `self::inner::x`.
    """
    first, _, rest = path.partition("::")
    if "module" not in captured or first not in {"self", "super"}:
        return path
    return f"self::{captured['module']}::{rest}" if first == "self" else f"self::{rest}"


_REPAIRS = ((r"\bsafe(?=[ \t]+(?:fn|static)\b)",),)  # in `unsafe extern`
"""Match valid modifiers that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="rust",
    unicode_form="NFC",
    suffixes=(".rs",),
    grammar="rust",
    repairs=_REPAIRS,
    interpreters=("rust-script", "cargo"),
    unparsable=_AROUND_ITEMS,
    replacement="extern",
    symbols=f"""
    ((const_item name: (identifier) @name) (#eq? @name "_"))

    (mod_item name: (_) @name body: (_)) @symbol.module
    (struct_item name: (_) @name body: (ordered_field_declaration_list) ";" @body) @symbol.struct
    (struct_item name: (_) @name) @symbol.struct
    (union_item name: (_) @name) @symbol.union
    (enum_item name: (_) @name) @symbol.enum
    (enum_variant_list (enum_variant name: (_) @name) @symbol.enum_member . "," @body)
    (enum_variant name: (_) @name) @symbol.enum_member
    (trait_item name: (_) @name) @symbol.trait
    (field_declaration name: (_) @name) @symbol.field
    (type_item name: (_) @name) @symbol.type
    (associated_type name: (_) @name) @symbol.type
    (macro_definition name: (_) @name (macro_rule) @body) @symbol.macro

    (impl_item type: {_TYPE}) @symbol.impl
    (impl_item type: (reference_type type: {_TYPE})) @symbol.impl

    (function_item name: (_) @name) @symbol.function
    (function_signature_item name: (_) @name) @symbol.function

    ((macro_invocation macro: (identifier) @macro
        (token_tree . (identifier) @name . "," . "|")) @symbol.test
        (#match? @macro "test"))
    ; quickcheck! {{ fn sums(x: u32) -> bool {{ … }} }}, proptest! {{ fn sums(x in 0..9) {{ … }} }}
    ((macro_invocation macro: (identifier) @_macro (token_tree "fn" @symbol.test
        . (identifier) @name . (token_tree) . "->" . (_) . (token_tree) @extent))
        (#any-of? @_macro "quickcheck" "proptest"))
    ((macro_invocation macro: (identifier) @_macro (token_tree "fn" @symbol.test
        . (identifier) @name . (token_tree) . (token_tree) @extent))
        (#any-of? @_macro "quickcheck" "proptest"))
    (macro_invocation (token_tree "fn" . (identifier) @name @symbol.function))
    (macro_invocation (token_tree "struct" . (identifier) @name @symbol.struct))
    (macro_invocation (token_tree "enum" . (identifier) @name @symbol.enum))
    (macro_invocation (token_tree "trait" . (identifier) @name @symbol.trait))
    ((macro_invocation (token_tree
        "static" . (identifier) @ref . (identifier) @name @symbol.variable))
        (#eq? @ref "ref"))
    ((macro_invocation (token_tree "static" . (identifier) @name @symbol.variable))
        (#not-eq? @name "ref"))

    (macro_rule right: (token_tree
        "trait" @symbol.trait . (identifier) @name (token_tree "fn") @extent))
    (macro_rule right: (token_tree "trait" . (identifier)
        (token_tree "fn" @symbol.function . (identifier) @name (token_tree) @extent)))
    (macro_rule right: (token_tree
        "fn" @symbol.function . (identifier) @name (token_tree) @extent))
    ((macro_rule right: (token_tree
        (identifier) @keyword . "!" . (identifier) @name @symbol.macro))
        (#eq? @keyword "macro_rules"))

    (source_file (const_item name: (_) @name) @symbol.constant)
    (declaration_list (const_item name: (_) @name) @symbol.constant)
    (source_file (static_item name: (_) @name) @symbol.variable)
    (declaration_list (static_item name: (_) @name) @symbol.variable)
    """,
    relations=_RELATIONS,
    imports=_imports,
    manifests=("Cargo.toml",),
    locate=locate_rust_module,
    nested_modules=True,
    uncallable=frozenset({SymbolKind.ENUM, SymbolKind.MODULE, SymbolKind.TRAIT}),
    inherited_implementations=False,
    conditional_definitions=True,
    block_scoped=True,
    transparent=("Arc", "Box", "Cow", "Pin", "Rc"),
    leading=("line_comment", "block_comment", "attribute_item"),
    inline_tests=True,
    tests=("**/tests/**/*.rs", "tests.rs", "test.rs", "*_test.rs", "*_tests.rs", "test_*.rs"),
    outputs=(("target", ("Cargo.toml",)),),
    is_linked_by_name=is_linked_by_name,
    passive_decorators=frozenset(
        {"allow", "cold", "deprecated", "derive", "doc", "inline", "must_use"}
    ),
    visibility=Visibility(public=re.compile(r"^pub(?!\s*\()"), is_explicit=True),
    complexity="""
    [(if_expression) (while_expression) (for_expression) (loop_expression) (match_arm)] @branch
    ((match_arm pattern: (match_pattern !condition) @_rest) @default (#eq? @_rest "_"))
    (binary_expression operator: ["&&" "||"]) @branch
    (let_chain "&&" @branch)
    [(if_expression) (while_expression) (for_expression) (loop_expression)
        (match_expression)] @nest
    (else_clause (if_expression) @flat)
    (parameters) @parameters
    (parameters [(parameter) (variadic_parameter)] @parameter)
    """,
    fragment_contexts=(
        "PATTERN",
        "fn f() { PATTERN }",
        "fn f() { PATTERN; }",
        "impl T { PATTERN }",
        "type T = PATTERN;",
    ),
    metavariable_forms=("name", "name;", "name: Name", "name => name,", "fn name() {}"),
    package_manifests=("Cargo.toml",),
    package_separator="::",
)
