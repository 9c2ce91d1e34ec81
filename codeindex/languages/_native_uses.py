"""Tell which definitions of C, C++ and Rust are used by a toolchain or by other programs.

No code has to name them: a loader runs them, the line that defines them uses them, or a program
that links them calls them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeindex.types import Node, SymbolKind

FOREIGN_ENTRY = re.compile(
    r".*?\b(?:PyMODINIT_FUNC|PyInit_|luaopen_|JNIEXPORT|JNI_On|NAPI_|LLVMFuzzer|DllMain|dllexport)",
    re.DOTALL,
)
"""Matches the signatures of functions that another language, a loader or a fuzzer calls."""
TOOLCHAIN_MACROS = re.compile(r"_[_A-Z]")
"""Matches the names of macros that the compiler or its headers read."""
HEADER_SUFFIXES = (".h", ".hh", ".hpp", ".hxx")
_EXTERN = re.compile(r'^\s*extern\s+"C"')
_RUN_BY_LOADER = re.compile(
    r"(?:__attribute__\s*\(\(|\[\[)"
    r"(?:\((?:[^()]|\([^()]*\))*\)|(?!\)\)|\]\])[^;{(])*?\b(?:gnu::)?_*"
    r"(?:constructor|destructor|used|retain|section|interrupt|signal|alias|ifunc|init_priority)_*\b"
    r"|\b__declspec\s*\(\s*dllexport\b"
)
"""Matches attributes of C and C++ functions and variables that the loader, the linker or the
hardware uses. The second line matches the attributes before it, with their arguments."""
_OTHER_CODE = re.compile("[;{}]")
"""Matches a line above a C function that is not only attributes: it has a statement or a body."""
_TYPEDEF = re.compile(r"^\s*typedef\b")
_DECLARATOR = re.compile(r"\s*\**\s*\w")
_NAMED_BEHIND = frozenset({SymbolKind.ENUM, SymbolKind.STRUCT, SymbolKind.UNION})
"""Types whose definition can be followed by the name of a variable."""
_SETTING = re.compile(r"^#\s*define\s+\w+\s*(?:1\s*)?$")
_INCLUDE = re.compile(r"^\s*#\s*include\b")


def is_linked_by_name(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a function has C's linkage, so that a program that links it can call it."""
    head = lines[max(0, node.start_line - 2) : node.line]
    is_function = node.kind in {SymbolKind.FUNCTION, SymbolKind.METHOD}
    return is_function and any(_EXTERN.search(line) for line in head)


def is_used_where_defined(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a definition of C or C++ needs no other code to be used."""
    return (
        _is_type_of_its_statement(node, lines)
        or _configures_headers(node, lines)
        or _is_run_by_loader(node, lines)
    )


def _is_type_of_its_statement(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a `typedef` or a variable uses a type in the statement that defines it."""
    if node.kind not in _NAMED_BEHIND:
        return False
    head = lines[max(0, node.line - 2) : node.line]
    after = lines[node.end_line - 1].rpartition("}")[2] if node.end_line <= len(lines) else ""
    return _DECLARATOR.match(after) is not None or any(map(_TYPEDEF.match, head))


def _configures_headers(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether a macro without a value is defined above an `#include`.

    The included header may read the macro.
    """
    line = lines[node.line - 1] if node.line <= len(lines) else ""
    is_setting = node.kind == SymbolKind.MACRO and _SETTING.match(line) is not None
    return is_setting and any(map(_INCLUDE.match, lines[node.line :]))


def _is_run_by_loader(node: Node, lines: Sequence[str]) -> bool:
    """Tell whether an attribute of a function or variable has it used without a call."""
    above = lines[max(0, node.start_line - 2) : node.line - 1]
    above = [line for line in above if not _OTHER_CODE.search(line)]
    head = "\n".join((*above, lines[node.line - 1].partition("{")[0]))
    return _RUN_BY_LOADER.search(head) is not None
