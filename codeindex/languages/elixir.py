"""Elixir. Everything is a call, so the patterns tell definitions by the name that is called."""

from codeindex.languages._base import Language

_HEADS = """[
        (call target: (identifier) @name)
        (identifier) @name
        (binary_operator left: [(call target: (identifier) @name) (identifier) @name]
            operator: "when")
    ]"""
"""How `def` and its kin name what they define: with or without arguments and guards."""

_SPECS = """[
        (call target: (identifier) @name)
        (identifier) @name
        (binary_operator left: [(call target: (identifier) @name) (identifier) @name]
            operator: "::")
        (binary_operator
            left: (binary_operator left: [(call target: (identifier) @name) (identifier) @name])
            operator: "when")
    ]"""
"""How `@type` and `@callback` name theirs: `name :: type`, perhaps `when variable: type`."""

_NOTES = """
    "after_compile" "after_verify" "before_compile" "behaviour" "callback" "compile" "deprecated"
    "derive" "describetag" "dialyzer" "doc" "enforce_keys" "external_resource" "fallback_to_any"
    "file" "impl" "macrocallback" "moduledoc" "moduletag" "on_definition" "on_load" "opaque"
    "optional_callbacks" "since" "spec" "tag" "type" "typedoc" "typep" "vsn"
"""
"""Attributes that describe a module or a function and hold no value of their own."""

LANGUAGE = Language(
    name="elixir",
    suffixes=(".ex", ".exs"),
    grammar="elixir",
    interpreters=("elixir", "iex"),
    symbols=f"""
    ; Modules, protocols and implementations
    ((call target: (identifier) @_def
        (arguments . (alias) @name)
        (do_block (unary_operator operand: (call target: (identifier) @_doc
            (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))) @body
        ) @symbol.module
        (#eq? @_def "defmodule") (#eq? @_doc "moduledoc"))

    ((call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body) @symbol.module
        (#eq? @_def "defmodule"))

    ((call target: (identifier) @_def
        (arguments . (alias) @name)
        (do_block (unary_operator operand: (call target: (identifier) @_doc
            (arguments [(string (quoted_content) @doc) (sigil (quoted_content) @doc)])))) @body
        ) @symbol.interface
        (#eq? @_def "defprotocol") (#eq? @_doc "moduledoc"))

    ((call target: (identifier) @_def (arguments . (alias) @name) (do_block)? @body
        ) @symbol.interface
        (#eq? @_def "defprotocol"))

    ((call target: (identifier) @_def
        (arguments . (_) @scope (keywords (pair
            key: (keyword) @_for value: [(_) @name (list (alias) @name)])))
        (do_block)? @body) @symbol.impl
        (#eq? @_def "defimpl") (#match? @_for "^for:") (#not-match? @name "^\\\\["))

    ((call target: (identifier) @_def (arguments . (alias) @name .) (do_block)? @body) @symbol.impl
        (#eq? @_def "defimpl"))

    ; Functions and macros
    ((call target: (identifier) @_def
        (arguments . {_HEADS} (keywords)? @body) (do_block)? @body) @symbol.function @clause
        (#any-of? @_def "def" "defp" "defn" "defnp"))

    ((call target: (identifier) @_def (arguments . (call target: (identifier) @name))
        ) @symbol.function @clause
        (#eq? @_def "defdelegate"))

    ((call target: (identifier) @_def
        (arguments . {_HEADS} (keywords)? @body) (do_block)? @body) @symbol.macro @clause
        (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))

    ((call target: (identifier) @_def
        (arguments . [
            (binary_operator operator: _ @name)
            (unary_operator operator: _ @name)
            (binary_operator left: [
                (binary_operator operator: _ @name)
                (unary_operator operator: _ @name)
            ] operator: "when")
        ] (keywords)? @body) (do_block)? @body) @symbol.function @clause
        (#any-of? @_def "def" "defp" "defmacro" "defmacrop") (#not-eq? @name "when"))

    ; Types, callbacks, attributes with a value
    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.type
        (#any-of? @_type "type" "typep" "opaque"))

    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.method
        (#eq? @_type "callback"))

    ((unary_operator operand: (call target: (identifier) @_type (arguments . {_SPECS}))
        ) @symbol.macro
        (#eq? @_type "macrocallback"))

    ((unary_operator operand: (call target: (identifier) @name)) (#any-of? @name {_NOTES}))

    ((unary_operator operator: "@"
        operand: (call target: (identifier) @name (arguments . (_)))) @symbol.constant)

    ; Fields of structs, exceptions, records and Ecto schemas
    ((call target: (identifier) @_def (arguments [
        (list [(atom) @name @symbol.field (keywords (pair key: (keyword) @name) @symbol.field)])
        (keywords (pair key: (keyword) @name) @symbol.field)
    ])) (#any-of? @_def "defstruct" "defexception"))

    ((call target: (identifier) @_def (arguments . (atom) @name)) @symbol.field
        (#any-of? @_def "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one"
            "embeds_many"))

    ; ExUnit
    ((call target: (identifier) @_test
        (arguments . (string (quoted_content) @name)) (do_block)? @body) @symbol.test
        (#any-of? @_test "test" "describe" "property" "feature"))

    ; Attributes that belong to the definition below
    ((unary_operator operand: (call target: (identifier) @_doc (arguments [
        (string (quoted_content) @doc)
        (sigil (quoted_content) @doc)
    ]))) @_leading (#any-of? @_doc "doc" "typedoc"))

    ((unary_operator operand: (call target: (identifier) @_doc
        (arguments . [(boolean) (keywords)]))) @_leading (#any-of? @_doc "doc" "typedoc"))

    ((unary_operator operand: (call target: (identifier) @_note)) @_leading
        (#any-of? @_note "deprecated" "describetag" "dialyzer" "impl" "since" "spec" "tag"))
    """,
    tests=("*_test.exs", "**/test/support/**/*.ex", "test_helper.exs"),
    excludes=("_build/", ".elixir_ls/", "deps/**/*.ex", "deps/**/*.exs"),
)
