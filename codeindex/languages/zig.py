"""Zig."""

from codeindex.languages._base import Language


def _container(keyword: str, kind: str) -> str:
    return f"""
    ((VarDecl variable_type_function: (IDENTIFIER) @name (ErrorUnionExpr (SuffixExpr (ContainerDecl
        (ContainerDeclType) @_container "{{" @body)))) @symbol.{kind}
        (#match? @_container "^{keyword}"))
    """


LANGUAGE = Language(
    name="zig",
    suffixes=(".zig",),
    grammar="zig",
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

    ; A function that returns a type is a generic type: what it holds are members.
    ((Decl (FnProto function: (IDENTIFIER) @name
        (ErrorUnionExpr (SuffixExpr (BuildinTypeExpr) @_type))) (Block) @body) @symbol.type
        (#eq? @_type "type"))

    (Decl (FnProto function: (IDENTIFIER) @name) (Block)? @body) @symbol.function
    (FnProto function: (IDENTIFIER) @name) @symbol.function

    (Decl (VarDecl "const" variable_type_function: (IDENTIFIER) @name)) @symbol.constant
    (Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @symbol.variable

    (TestDecl [(STRINGLITERALSINGLE) (IDENTIFIER)] @name (Block) @body) @symbol.test
    """,
    leading=("doc_comment", "line_comment"),
    tests=("*_test.zig", "test_*.zig", "**/test/**/*.zig", "**/tests/**/*.zig"),
    excludes=(".zig-cache/", "zig-cache/", "zig-out/"),
)
