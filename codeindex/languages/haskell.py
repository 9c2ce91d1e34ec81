"""Haskell."""

from codeindex.languages._base import Language

_NAME = "[(variable) @name (prefix_id (_) @name)]"
_TYPE_NAME = """[
        (name) @name
        (qualified id: (name) @name)
        (apply constructor: (name) @name)
        (apply constructor: (qualified id: (name) @name))
        (apply constructor: (apply constructor: (name) @name))
        (parens type: (apply constructor: (name) @name))
        (parens type: (apply constructor: (qualified id: (name) @name)))
        (parens type: (apply constructor: (apply constructor: (name) @name)))
        (list) @name
        (tuple) @name
        (unit) @name
    ]"""
"""The type that an instance is for; without its arguments, where they are a few."""

LANGUAGE = Language(
    name="haskell",
    suffixes=(".hs", ".hs-boot", ".hsc"),
    grammar="haskell",
    interpreters=("runghc", "runhaskell", "stack"),
    symbols=f"""
    (haskell (header module: (module) @name) @symbol.module) @extent

    ; Types: data, classes, families
    (data_type name: [(name) (prefix_id (_)) (qualified)] @name "where" @body) @symbol.struct
    (data_type name: [(name) (prefix_id (_)) (qualified)] @name
        constructors: (_)? @body) @symbol.struct
    (newtype name: [(name) (prefix_id (_))] @name constructor: (_)? @body) @symbol.struct

    (data_constructor constructor: [
        (prefix name: [(constructor) @name (prefix_id (_) @name)])
        (record name: [(constructor) @name (prefix_id (_) @name)])
        (infix operator: (_) @name)
    ]) @symbol.constructor
    (newtype_constructor name: [(constructor) @name (prefix_id (_) @name)]) @symbol.constructor
    (gadt_constructor name: [(constructor) @name (prefix_id (_) @name)]) @symbol.constructor
    (gadt_constructor names: (binding_list (constructor) @name)) @symbol.constructor

    (field name: (field_name (variable) @name)) @symbol.field

    (type_synomym name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (type_family name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (data_family name: [(name) @name (prefix_id (_) @name)]) @symbol.type
    (kind_signature name: [(name) @name (prefix_id (_) @name)]) @symbol.type

    (class name: [(name) @name (prefix_id (_) @name)] declarations: (_)? @body) @symbol.trait

    (instance name: (_) @scope patterns: (type_patterns . {_TYPE_NAME})
        declarations: (_)? @body) @symbol.impl
    (deriving_instance name: (_) @scope patterns: (type_patterns . {_TYPE_NAME})) @symbol.impl

    ; A signature and the equations below it are one function.
    (foreign_import signature: (signature name: {_NAME})) @symbol.function
    (foreign_export signature: (signature name: {_NAME}))

    (declarations (signature name: {_NAME}) @symbol.function @clause)
    (declarations (signature names: (binding_list {_NAME})) @symbol.function @clause)
    (class_declarations [
        (signature name: {_NAME})
        (signature names: (binding_list {_NAME}))
        (default_signature signature: (signature name: {_NAME}))
    ] @symbol.function @clause)

    (function name: {_NAME} match: (_) @body) @symbol.function @clause
    (function (infix operator: [(operator) @name (infix_id (variable) @name)])
        match: (_) @body) @symbol.function @clause

    (declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (class_declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (instance_declarations (bind name: {_NAME} match: (_) @body) @symbol.function @clause)
    (declarations (bind pattern: (tuple element: (variable) @name)) @symbol.variable)

    (pattern_synonym (signature synonym: (constructor) @name)) @symbol.constructor @clause
    (pattern_synonym (equation synonym: [
        (constructor) @name
        (apply function: (constructor) @name)
        (apply function: (apply function: (constructor) @name))
        (apply function: (apply function: (apply function: (constructor) @name)))
        (infix operator: (_) @name)
        (record name: (constructor) @name)
    ])) @symbol.constructor @clause

    (local_binds (signature) @_leading)
    (haddock) @_leading @doc
    """,
    tests=("*Spec.hs", "*Test.hs", "*Tests.hs", "**/test/**/*.hs", "**/tests/**/*.hs"),
    excludes=("dist-newstyle/", ".stack-work/", ".cabal-sandbox/"),
)
