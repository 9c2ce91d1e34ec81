"""Bash and the shells that its grammar reads well enough: sh, zsh, ksh, bats."""

from codeindex.languages._base import Language

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

    ; `@test "name" {` of bats is a command to this grammar, and its end another one.
    ((command
        name: (command_name (word) @_test)
        . argument: [(string (string_content) @name) (raw_string) @name]) @symbol.test
        (#eq? @_test "@test"))

    ((comment) @_leading (#not-match? @_leading "^#!"))
    """,
    leading=(),
    tests=("*.bats", "*_test.sh", "test_*.sh", "**/test/**/*.sh", "**/tests/**/*.sh"),
)
