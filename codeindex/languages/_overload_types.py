"""Define the static types of C++, C# and Scala: literals, builtin types, texts of parameters.

Only builtin types and the compiler's conversions between them are listed, to choose between
overloads. Nothing is concluded about other types with different names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codeindex.languages._type_rules import (
    TypeRules,
    WrittenParameter,
    parse_hierarchy,
    parse_results,
)
from codeindex.text.signatures import ANGLES, without_default, without_nested
from codeindex.types import SymbolKind

_SQUARES = re.compile(r"\[[^][]*\]")


def _listed(text: str) -> frozenset[str]:
    """Return the names in a list of type parameters, like `T, in K` or `A <: B, C`."""
    parts = without_nested(_SQUARES, without_nested(ANGLES, text)).split(",")
    names = (re.findall(r"[A-Za-z_]\w*", re.split(r"<:|>:|:", part)[0]) for part in parts)
    return frozenset(each[-1] for each in names if each)


def _own_variables(signature: str, name: str) -> frozenset[str]:
    """Return the type parameters that follow a function's name, as in `Sum<T>(` and `sum[T](`."""
    found = re.search(rf"(?<!\w){re.escape(name)}\s*([<\[].*)", signature, re.DOTALL)
    if not found:
        return frozenset()
    text, depth = found[1].replace("<:", "  ").replace(">:", "  ").replace("=>", "  "), 0
    for at, letter in enumerate(text):
        depth += (letter in "<[") - (letter in ">]")
        if depth == 0:
            return _listed(text[1:at])
    return frozenset()


def _converting(*groups: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return {type: all types of its group}; a compiler converts the types of a group freely."""
    return {name: tuple(group) for group in map(tuple, groups) for name in group}


# C#

_CSHARP_NUMERIC = (
    *("sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "nint", "nuint"),
    *("float", "double", "decimal"),
)
_CSHARP_NULLABLE = tuple(f"{name}?" for name in (*_CSHARP_NUMERIC, "char"))
_CSHARP_LISTS = ("IEnumerable", "ICollection", "IList", "IReadOnlyCollection", "IReadOnlyList")
_CSHARP_LIMITS = frozenset({"class", "struct", "notnull", "unmanaged", "default"})
"""Words that limit a type parameter, and are no types."""
_CSHARP_HEAD = re.compile(r"^(?:\[[^][]*\]\s*|(?:this|params|ref|out|in|readonly|scoped)\s+)+")
_CSHARP_TYPE = re.compile(r"(?:global::)?([\w.]+)(\?)?((?:\[,*\])*)\??\s+@?\w+")


def _csharp_parameter(text: str) -> WrittenParameter | None:
    bare = _CSHARP_HEAD.sub("", without_default(text))
    match = _CSHARP_TYPE.fullmatch(without_nested(ANGLES, bare).strip())
    if not match:
        return None
    name, nullable, ranks = match.groups()
    if name == "dynamic":  # takes any value
        return None
    has_null = nullable and name in {*_CSHARP_NUMERIC, "char", "bool"} and not ranks
    return WrittenParameter(f"{name}?" if has_null else name, ranks.count("["))


def _csharp_literal(node_type: str, text: str) -> str:
    known = {
        "character_literal": "char",
        "boolean_literal": "bool",
        "null_literal": "null",
        "is_pattern_expression": "bool",
        "is_expression": "bool",
        "typeof_expression": "Type",
    }
    if "string" in node_type:
        return "" if text[-2:] in {"u8", "U8"} else "string"
    if node_type == "integer_literal":
        is_plain = not text.lower().startswith(("0x", "0b")) and len(text) < _INT_DIGITS
        return "int" if is_plain and text.replace("_", "").isdecimal() else ""
    if node_type == "real_literal":
        return {"f": "float", "m": "decimal"}.get(text[-1:].lower(), "double")
    return known.get(node_type, "")


def _csharp_bound(signature: str, variable: str) -> str:
    """Return the first type that limits a type parameter: `IShop` in `where T : class, IShop`.

    Return `object` without one.
    """
    found = re.search(rf"\bwhere\s+{re.escape(variable)}\s*:([^{{]*)", signature)
    limits = re.split(r"\bwhere\b", found[1])[0] if found else ""
    names = (part.strip().rstrip("?") for part in without_nested(ANGLES, limits).split(","))
    types = [name for name in names if re.fullmatch(r"[\w.]+", name)]
    return next((name for name in types if name not in _CSHARP_LIMITS), "object")


_INT_DIGITS = 10
"""A decimal literal with fewer digits fits into 32 bits."""

CSHARP_TYPES = TypeRules(
    literal_type=_csharp_literal,
    widening={
        **_converting((*_CSHARP_NUMERIC, *_CSHARP_NULLABLE)),
        "char": (*_CSHARP_NUMERIC, *_CSHARP_NULLABLE, "char"),
        "bool": ("bool", "bool?"),
        "bool?": ("bool?",),
        "string": ("string",),
    },
    top="object",
    null="null",
    text="string",
    truth="bool",
    conversions="operator",
    read_parameter=_csharp_parameter,
    own_variables=_own_variables,
    bound_of=_csharp_bound,
    parameter_name=re.compile(r"@?(\w+)\s*(?:=|$)"),
    closure_kinds=frozenset({SymbolKind.TYPE}),
    infers_from_arguments=True,
    array_bases=frozenset(_CSHARP_LISTS),
    common_bases={"enum": ("Enum", "ValueType"), "struct": ("ValueType",)},
    library=parse_hierarchy(
        """
        ICollection IReadOnlyCollection IQueryable IOrderedEnumerable ISet Queue Stack: IEnumerable
        IList: ICollection
        IReadOnlyList: IReadOnlyCollection
        List Collection ReadOnlyCollection: IList IReadOnlyList
        IDictionary: ICollection
        IReadOnlyDictionary: IReadOnlyCollection
        Dictionary SortedDictionary ConcurrentDictionary: IDictionary IReadOnlyDictionary
        HashSet SortedSet: ISet ICollection IReadOnlyCollection
        Action Func Predicate Expression Comparison EventHandler LambdaExpression: Delegate
        Delegate CancellationToken TimeSpan DateTime DateTimeOffset Guid Type Uri Encoding:
        IDisposable IAsyncDisposable IEquatable IComparable IFormattable ICloneable Attribute:
        INotifyPropertyChanged IEqualityComparer IComparer ISerializable:
        ValueType IConvertible:
        Enum: IComparable IFormattable IConvertible
        Exception: ISerializable
        Stream TextWriter: IDisposable IAsyncDisposable
        TextReader: IDisposable
        string: IEnumerable IComparable IEquatable ICloneable
        """
    ),
    results=parse_results("object string: ToString\nobject Type: GetType"),
    calls_construct=False,
)

# C++

_CPP_ARITHMETIC = (
    *("bool", "char", "wchar_t", "char8_t", "char16_t", "char32_t", "signedchar", "unsignedchar"),
    *("short", "unsignedshort", "int", "unsigned", "unsignedint", "long", "unsignedlong"),
    *("longlong", "unsignedlonglong", "float", "double", "longdouble", "size_t", "ssize_t"),
    *("ptrdiff_t", "intptr_t", "uintptr_t", "int8_t", "int16_t", "int32_t", "int64_t"),
    *("uint8_t", "uint16_t", "uint32_t", "uint64_t", "shortint", "longint", "longlongint"),
    *("unsignedlongint", "unsignedshortint", "unsignedlonglongint"),
)
_CPP_TEXT = ("string", "string_view")
_CPP_IGNORED = re.compile(
    r"\b(?:const|volatile|struct|class|enum|union|typename|register|constexpr)\b|\[\[.*?\]\]|&"
)
_CPP_SIZED = frozenset({"unsigned", "signed", "long", "short", "int", "char", "double", "float"})
_CPP_WORD = re.compile(r"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")


def _cpp_parameter(text: str) -> WrittenParameter | None:
    bare = _CPP_IGNORED.sub(" ", without_nested(ANGLES, without_default(text)))
    if "(" in bare or "..." in bare:
        return None
    depth = bare.count("*") + bare.count("[")
    words = _CPP_WORD.findall(re.sub(r"\[.*?\]", " ", bare))
    sized = [word for word in words if word in _CPP_SIZED]
    if sized:
        name = "".join(sized)
    elif words:
        name = re.sub(r"\s*::\s*", ".", words[0]).removeprefix("std.")
    else:
        return None
    if name == "char" and depth == 1:
        return WrittenParameter("char*")
    return WrittenParameter(name, depth)


def _cpp_literal(node_type: str, text: str) -> str:
    if node_type in {"true", "false"}:
        return "bool"
    if node_type == "char_literal":
        return "char" if text.startswith("'") else ""
    if node_type in {"string_literal", "raw_string_literal"}:
        return "char*" if text.startswith(('"', "R")) else ""
    if node_type != "number_literal" or text == "0":  # 0 is also a null pointer
        return ""
    if text.isdecimal() and len(text) < _INT_DIGITS:
        return "int"
    is_real = re.fullmatch(r"\d+\.\d*(?:[eE][+-]?\d+)?(f?)", text)
    return "" if not is_real else "float" if is_real[1] else "double"


CPP_TYPES = TypeRules(
    literal_type=_cpp_literal,
    widening={
        **_converting(_CPP_ARITHMETIC),
        "char*": ("char*", "bool", *_CPP_TEXT),
        **_converting(_CPP_TEXT),
    },
    top="",
    null="nullptr",
    text="string",
    truth="bool",
    read_parameter=_cpp_parameter,
    generic_wins=True,
    conversions="constructor",
    any_pointers=True,
)

# Scala

_SCALA_NUMERIC = ("Byte", "Short", "Int", "Long", "Float", "Double", "Char")
_SCALA_HEAD = re.compile(r"^(?:@\w+(?:\([^()]*\))?\s+|(?:implicit|using|inline|val|var)\s+)+")


def _scala_parameter(text: str) -> WrittenParameter | None:
    _, colon, type_text = _SCALA_HEAD.sub("", without_default(text)).partition(":")
    bare = without_nested(_SQUARES, type_text.strip().removeprefix("=>")).strip().removesuffix("*")
    is_name = colon and re.fullmatch(r"\w+(?:\.\w+)*", bare.strip())
    return WrittenParameter(bare.strip()) if is_name else None


def _scala_literal(node_type: str, text: str) -> str:
    known = {
        "character_literal": "Char",
        "boolean_literal": "Boolean",
        "null_literal": "Null",
        "string": "String",
    }
    if node_type == "interpolated_string_expression":
        return "String" if text.startswith(('s"', 'f"', 'raw"')) else ""
    if node_type == "integer_literal":
        return "Long" if text[-1:] in "lL" else "Int"
    if node_type == "floating_point_literal":
        return "Float" if text[-1:] in "fF" else "Double"
    return known.get(node_type, "")


SCALA_TYPES = TypeRules(
    literal_type=_scala_literal,
    widening={
        **_converting(_SCALA_NUMERIC),
        "Boolean": ("Boolean",),
        "String": ("String",),
        "Unit": ("Unit",),
    },
    top="Any",
    null="Null",
    text="String",
    truth="Boolean",
    read_parameter=_scala_parameter,
    own_variables=_own_variables,
    calls_construct=False,
)

# Kotlin

_KOTLIN_NUMERIC = ("Byte", "Short", "Int", "Long", "UByte", "UShort", "UInt", "ULong")
_KOTLIN_HEAD = re.compile(r"^(?:@[\w.:]+(?:\([^()]*\))?\s+|(?:vararg|noinline|crossinline)\s+)+")
_KOTLIN_LITERALS = {
    "integer_literal": "Int",
    "long_literal": "Long",
    "boolean_literal": "Boolean",
    "character_literal": "Char",
    "string_literal": "String",
}
_KOTLIN_FUNCTION = re.compile(r"\bfun\s+<(.*)", re.DOTALL)


def _kotlin_parameter(text: str) -> WrittenParameter | None:
    _, colon, type_text = _KOTLIN_HEAD.sub("", without_default(text).strip()).partition(":")
    bare = without_nested(ANGLES, type_text).strip().rstrip("?")
    is_name = colon and re.fullmatch(r"\w+(?:\.\w+)*", bare)
    return WrittenParameter(bare) if is_name else None


def _kotlin_literal(node_type: str, text: str) -> str:
    if node_type == "real_literal":
        return "Float" if text[-1:] in "fF" else "Double"
    return _KOTLIN_LITERALS.get(node_type, "")


def _kotlin_variables(signature: str, name: str) -> frozenset[str]:
    """Return the type parameters of a function, `fun <T> sum(`, or of a type, `class Box<T>`."""
    found = _KOTLIN_FUNCTION.search(signature)
    return _own_variables(f"{name}<{found[1]}", name) if found else _own_variables(signature, name)


KOTLIN_TYPES = TypeRules(
    literal_type=_kotlin_literal,
    widening={
        **_converting(_KOTLIN_NUMERIC),
        **_converting(("Float",), ("Double",), ("Char",), ("Boolean",), ("String",), ("Unit",)),
    },
    top="Any",
    null="Nothing",
    text="String",
    truth="Boolean",
    conversions="operator",
    read_parameter=_kotlin_parameter,
    own_variables=_kotlin_variables,
    parameter_name=re.compile(r"(\w+)\s*:"),
    closure_kinds=frozenset({SymbolKind.TYPE, SymbolKind.INTERFACE}),
    library=parse_hierarchy(
        """
        String: CharSequence Comparable
        Int Long Short Byte Float Double: Number Comparable
        Boolean Char UInt ULong UByte UShort: Comparable
        CharSequence Comparable Number Iterable Sequence Map Pair Throwable File Uri Regex:
        Collection: Iterable
        List Set: Collection
        MutableList: List
        MutableSet: Set
        MutableMap: Map
        """
    ),
)
