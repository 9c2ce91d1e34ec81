"""Define the language Zig."""

import re
from collections.abc import Iterable

from codeindex.languages._base import (
    ImportCaptures,
    ImportedName,
    Language,
    Visibility,
    plain_import,
)
from codeindex.languages.source_tree import ModuleLocation, SourceTree, join_path, resolve_dots


def _container(keyword: str, kind: str) -> str:
    return f"""
    ((VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl
        (ContainerDeclType) @_container "{{" @body)))) @symbol.{kind}
        (#match? @_container "^{keyword}"))
    """


_IMPORT = """(SuffixExpr (BUILTINIDENTIFIER) @_import . (FnCallArguments
    (ErrorUnionExpr (SuffixExpr (STRINGLITERALSINGLE) @module))) {0} .)"""
_FIELD = ". (FieldOrFnCall field_access: (IDENTIFIER) @imported)"
_ITSELF = """(VarDecl variable_type_function: (IDENTIFIER) {0}
    (ErrorUnionExpr (SuffixExpr (BUILTINIDENTIFIER) @_this))) {1}"""

_RELATIONS = f"""
((VarDecl variable_type_function: (IDENTIFIER) @alias
    (ErrorUnionExpr {_IMPORT.format("")})) @import @exported (#eq? @_import "@import"))
((VarDecl variable_type_function: (IDENTIFIER) @alias
    (ErrorUnionExpr {_IMPORT.format(_FIELD)})) @import @exported (#eq? @_import "@import"))
((source_file (Decl {_ITSELF.format("@alias", "@import")})) @statement (#eq? @_this "@This"))
({_ITSELF.format("@cls", "")} (#eq? @_this "@This"))
(Block) @block

(ParamDecl parameter: (IDENTIFIER) @bind (ParamType (ErrorUnionExpr) @type))
(ParamDecl parameter: (IDENTIFIER) @bind)
(ContainerField field_member: (IDENTIFIER) @bind (ErrorUnionExpr) @type)
(VarDecl variable_type_function: (IDENTIFIER) @bind ":" . (ErrorUnionExpr) @type)
(VarDecl variable_type_function: (IDENTIFIER) @bind ":" . (PrefixTypeOp) . (ErrorUnionExpr) @type)
(VarDecl variable_type_function: (IDENTIFIER) @bind "=" . (ErrorUnionExpr) @type . (InitList))
(VarDecl variable_type_function: (IDENTIFIER) @bind "=" . [(ErrorUnionExpr) (UnaryExpr)] @value)
(VarDecl variable_type_function: (IDENTIFIER) @bind)
(_ variable: (IDENTIFIER) @bind)
(FnProto (ErrorUnionExpr) @result .)

(SuffixExpr variable_type_function: (IDENTIFIER) @name)
(SuffixExpr (_) @of . (FieldOrFnCall field_access: (IDENTIFIER) @attribute) @member)
(SuffixExpr (_) @of . (FieldOrFnCall function_call: (IDENTIFIER) @member))
(SuffixExpr (_) @of . (FnCallArguments) @call)
(FieldOrFnCall function_call: (IDENTIFIER) @of) @call
(SuffixExpr (_) @of .) @same
(ErrorUnionExpr (SuffixExpr) @of .) @same
(UnaryExpr left: (_) @of) @same
"""


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (module, imported name, local name) of the import of a file.

    A top-level `const Self = @This()` imports the file itself, as the module `.`.
    """
    if "module" in captured:
        yield from plain_import(captured)
    else:
        yield ImportedName(".", "", captured["alias"])


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the imported file; None for a named package, which is external."""
    if module == ".":
        return ModuleLocation((path,))
    file = resolve_dots(join_path(path.rpartition("/")[0], module))
    return ModuleLocation((file,)) if file.endswith(".zig") and file in tree.files else None


_REPAIRS = (
    (
        # again: switch (x), continue :again next
        r"\b\w+:[ \t]*(?=switch\b)",
        r"(?<=\bcontinue)[ \t]+:\w+[ \t]+[^,;\n]+",
    ),
)
"""Match valid expressions that the grammar rejects: see `Language.repairs`."""

LANGUAGE = Language(
    name="zig",
    suffixes=(".zig",),
    grammar="zig",
    repairs=_REPAIRS,
    symbols=f"""
    ; Imports and names for a part of the standard library
    ((VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr) @_value .)
        (#match? @_value "^(@import|@This|@cImport)\\\\b|^(std|builtin)(\\\\.\\\\w+)+$"))

    {_container("struct", "struct")}
    {_container("enum", "enum")}
    {_container("union", "union")}
    {_container("opaque", "struct")}

    (VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr
        (ErrorSetDecl "{{" @body)))) @symbol.enum

    (VarDecl (ErrorUnionExpr (SuffixExpr
        (ErrorSetDecl field_constant: (IDENTIFIER) @name @symbol.enum_member))))

    ((ContainerDecl (ContainerDeclType) @_container (ContainerField . (doc_comment)? .
        (ErrorUnionExpr . (SuffixExpr
            . variable_type_function: (IDENTIFIER) @name @symbol.enum_member))) @extent)
        (#match? @_container "^(enum|union)") (#not-eq? @name "_"))

    (ContainerField field_member: (IDENTIFIER) @name @symbol.field) @extent

    ; A function that returns a type is a generic type; its definitions are members.
    ((Decl (FnProto function: (IDENTIFIER) @name
        (ErrorUnionExpr (SuffixExpr (BuildinTypeExpr) @_type))) (Block) @body) @symbol.type
        (#eq? @_type "type"))

    (Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @symbol.function
    (FnProto function: (IDENTIFIER) @name) @symbol.function

    (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name)) @symbol.constant
    (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @symbol.variable

    (TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @symbol.test
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    implicit_receiver=True,
    block_scoped=True,
    leading=("doc_comment", "line_comment"),
    inline_tests=True,
    tests=("*_test.zig", "test_*.zig", "**/test/**/*.zig", "**/tests/**/*.zig"),
    excludes=(".zig-cache/", "zig-cache/", "zig-out/"),
    visibility=Visibility(public=re.compile(r"^(?:pub|export)\b"), is_explicit=True),
    complexity="""
    [(IfPrefix) (ForPrefix) (WhilePrefix)] @branch
    (SwitchProng (SwitchCase (SwitchItem))) @branch
    (BinaryExpr operator: (BitwiseOp ["orelse" "catch"])) @branch
    (BinaryExpr ["and" "or"]) @branch
    [(IfStatement) (ForStatement) (WhileStatement) (SwitchExpr)] @nest
    (IfStatement (Statement (IfStatement) @flat))
    (FnProto (ParamDeclList) @parameters)
    (ParamDeclList (ParamDecl) @parameter)
    """,
    fragment_contexts=(
        "PATTERN",
        "fn f() void { PATTERN }",
        "fn f() void { PATTERN; }",
        "const x = PATTERN;",
    ),
    metavariable_forms=("name", "name: Name", "name;"),
)
