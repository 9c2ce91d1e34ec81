"""Define Bash, and other shells that its grammar parses well enough: sh, zsh, ksh, bats."""

import re
from collections.abc import Iterable

from codeindex.languages._base import ImportCaptures, ImportedName, Language
from codeindex.languages.source_tree import (
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
    resolve_dots,
)

_RELATIONS = """
((command name: (command_name (word) @_source)
    . argument: [(word) (string) (raw_string) (concatenation)] @module @all) @import @exported
    (#any-of? @_source "." "source" "load"))
(command name: (command_name (word) @name @of)) @call
((command name: (command_name (word) @_run) . argument: (word) @name @of) @call
    (#eq? @_run "run"))
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (path, `*`, `*`) for the file that a script sources: all of its names.

    A variable or command at the start of the path, as in `"$DIR/lib.sh"`, stands for a folder and
    is dropped.
    """
    path = re.sub(r"^.*[)}]/|^\$\w+/", "", captured["module"].strip("\"'"))
    if "$" not in path:
        yield ImportedName(path, "*", "*")


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return a script by its path from the sourcing file's folder, or from a folder above."""
    around: str | None = path.rpartition("/")[0]
    while around is not None and module:
        target = resolve_dots(join_path(around, module))
        file = tree.first(target, f"{target}.bash", f"{target}.sh")
        if file:
            return ModuleLocation((file,))
        around = ancestor_folder(around, 1)
    return None


LANGUAGE = Language(
    name="bash",
    suffixes=(".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild", ".eclass"),
    grammar="bash",
    filenames=(
        *(".bash_aliases", ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".envrc"),
        *(".profile", ".zlogin", ".zprofile", ".zshenv", ".zshrc", "APKBUILD", "PKGBUILD"),
    ),
    interpreters=("ash", "bash", "bats", "dash", "ksh", "mksh", "sh", "zsh"),
    symbols="""
    (function_definition name: (word) @name) @symbol.function

    (program (declaration_command "readonly" (variable_assignment
        name: (variable_name) @name)) @symbol.constant)

    (program (declaration_command (word) @_flags (variable_assignment
        name: (variable_name) @name)) @symbol.constant
        (#match? @_flags "^-[a-zA-Z]*r"))

    (program (declaration_command (variable_assignment
        name: (variable_name) @name)) @symbol.variable)

    (program (declaration_command ["declare" "typeset"] (variable_name) @name) @symbol.variable)

    (program (variable_assignment name: (variable_name) @name "=") @symbol.variable)

    ; The grammar parses `@test "name" {` of bats as a command, and `}` as another one.
    ((command
        name: (command_name (word) @_test)
        . argument: [(string (string_content) @name) (raw_string) @name]) @symbol.test
        (#eq? @_test "@test"))

    ((comment) @_leading (#not-match? @_leading "^#!"))
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    leading=(),
    tests=("*.bats", "*_test.sh", "test_*.sh", "**/test/**/*.sh", "**/tests/**/*.sh"),
    complexity="""
    [(if_statement) (elif_clause) (for_statement) (c_style_for_statement) (while_statement)
        (case_item) (ternary_expression)] @branch
    ((case_item . value: (_) @_rest . ")") @default (#eq? @_rest "*"))
    (list ["&&" "||"] @branch)
    (binary_expression operator: ["&&" "||"]) @branch
    [(if_statement) (for_statement) (c_style_for_statement) (while_statement)
        (case_statement)] @nest
    """,
    metavariable_forms=("name", "name;"),
)
