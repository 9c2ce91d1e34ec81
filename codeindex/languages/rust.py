"""Rust."""

from codeindex.languages._base import Language

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
"""What an `impl` is for: its name without path and arguments, else as it is written."""

LANGUAGE = Language(
    name="rust",
    suffixes=(".rs",),
    grammar="rust",
    interpreters=("rust-script", "cargo"),
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
    (macro_invocation (token_tree "fn" . (identifier) @name @symbol.function))
    (macro_invocation (token_tree "struct" . (identifier) @name @symbol.struct))
    (macro_invocation (token_tree "enum" . (identifier) @name @symbol.enum))
    (macro_invocation (token_tree "trait" . (identifier) @name @symbol.trait))
    ((macro_invocation (token_tree
        "static" . (identifier) @ref . (identifier) @name @symbol.variable))
        (#eq? @ref "ref"))
    ((macro_invocation (token_tree "static" . (identifier) @name @symbol.variable))
        (#not-eq? @name "ref"))

    (source_file (const_item name: (_) @name) @symbol.constant)
    (declaration_list (const_item name: (_) @name) @symbol.constant)
    (source_file (static_item name: (_) @name) @symbol.variable)
    (declaration_list (static_item name: (_) @name) @symbol.variable)
    """,
    leading=("line_comment", "block_comment", "attribute_item"),
    tests=("**/tests/**/*.rs", "tests.rs", "test.rs", "*_test.rs", "*_tests.rs", "test_*.rs"),
    excludes=("target/",),
)
