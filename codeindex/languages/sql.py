"""Define SQL; its grammar covers PostgreSQL, MySQL and SQLite best."""

from collections.abc import Sequence
from functools import lru_cache

from codeindex.languages._base import Language
from codeindex.languages.source_tree import SourceTree

_NAME = "(object_reference schema: (identifier)? @scope name: (identifier) @name)"

_RELATIONS = """
(relation (object_reference) @name)
(from (object_reference) @name)
(insert (object_reference) @name)
(alter_table (object_reference) @name)
(create_index (object_reference) @name)
(column_definition (object_reference) @name)
(constraint (object_reference) @name)
(invocation (object_reference) @name @of) @call
"""

_SUFFIXES = (".sql", ".ddl", ".dml", ".mysql", ".pgsql", ".psql")


@lru_cache(maxsize=4)
def _scripts(tree: SourceTree) -> tuple[str, ...]:
    return tuple(sorted(path for path in tree.files if path.endswith(_SUFFIXES)))


def _visible_files(tree: SourceTree, path: str) -> Sequence[str]:
    """Return all other SQL files, since SQL scripts share one namespace."""
    return [script for script in _scripts(tree) if script != path]


_REPAIRS = (
    (
        # SQLite: name TEXT COLLATE NOCASE, ) STRICT;
        r"(?i)\bCOLLATE[ \t]+\w+",
        r"(?i)(?<=\))[ \t]*(?:STRICT|WITHOUT[ \t]+ROWID)\b(?:[ \t]*,[ \t]*\w+)?",
        r"(?im)^[ \t]*PRAGMA\b[^;\n]*;?",
        r"(?i)\bAUTOINCREMENT\b",
    ),
    (
        # a comment of MySQL, which begins with this sign
        r"(?m)^[ \t]*#[^\n]*",
    ),
    (
        # SQL Server: [Id] INT IDENTITY (1, 1), CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id])
        r"\[(?P<name>\w+)\]",
        r"(?i)\b(?:NON)?CLUSTERED\b",
        r"(?i)\bIDENTITY\b(?:[ \t]*\([\d, \t]*\))?",
    ),
)
"""Match valid clauses that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="sql",
    suffixes=(".sql", ".ddl", ".dml", ".mysql", ".pgsql", ".psql"),
    grammar="sql",
    repairs=_REPAIRS,
    symbols=f"""
    (create_table {_NAME} . [(column_definitions) (keyword_as)]? @body) @symbol.table

    (create_view {_NAME} . (keyword_as)? @body) @symbol.view
    (create_materialized_view {_NAME} . (keyword_as)? @body) @symbol.view

    (alter_table (object_reference name: (identifier) @scope)
        (add_column (column_definition name: (_) @name))) @symbol.field
    (column_definition name: (_) @name) @symbol.field

    ; A schema is not a type, so it does not qualify functions.
    (create_function (keyword_function)
        . (object_reference name: (identifier) @name) (function_body)? @body) @symbol.function

    (create_type {_NAME} (keyword_enum)) @symbol.enum
    (create_type {_NAME}) @symbol.type
    (enum_elements enum_element: (literal) @name @symbol.enum_member)

    (create_schema (identifier) @name) @symbol.namespace
    (create_database (identifier) @name) @symbol.namespace

    (create_index column: (identifier) @name) @symbol.object
    (create_trigger (keyword_trigger) . {_NAME}) @symbol.object
    (create_sequence {_NAME}) @symbol.object

    (marginalia) @_leading @doc
    """,
    relations=_RELATIONS,
    visible_files=_visible_files,
    conditional_definitions=True,
    tests=("*_test.sql", "test_*.sql", "**/test/**/*.sql", "**/tests/**/*.sql"),
    complexity="""
    (case (keyword_when) @branch)
    (case) @nest
    (function_arguments) @parameters
    (function_arguments (function_argument) @parameter)
    """,
    fragment_contexts=("PATTERN", "PATTERN;", "SELECT PATTERN"),
    metavariable_forms=("name", "name int"),
)
