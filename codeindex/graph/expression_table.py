"""Store the expressions of a file: operations over names, each stored once, with a number.

An expression is a tuple whose first item is the operation. Operands are numbers of earlier
expressions. Number 0 is the unknown value.

    name N          N, looked up in the module      self T      an instance of the local type T
    import I        what the I-th import binds      super T     the same, seen as T's base types
    define Q        the local definition Q          own T X N   member N of T, otherwise X
                                                    (T is a type name or an expression)
    member X N      X.N                             call X A    the result of X(), with arguments A
    item X          an element of X                 enter X     the value of X as a context manager
    instance X      an instance of the type X       either X…   any of these
    elsewhere       defined in another file         made X      the result of `new X()`
    holding X Y     X, whose elements are Y         arguments X…  what a call passes
    qualified N     N with its namespaces, absolute if it begins with a dot
    mapped X        members of any name are X       expects X K   what the function X gets as
    signature X Y…  a function with the result X                  its K-th argument
                    and the parameters Y…           numbered Q K  the K-th local definition Q
    invoked X       the method that runs if the instance X is called
    record N X…     an object whose member N is X, and so on
    parts X…        a tuple of these, in their order: a member is named by its position
    unsure X        X, in lines that the parser lost: what it means is only possible
    typed X K       X, which is a type with K type arguments, or any number of them for -1
    spelled X N     X, which the code writes in another Unicode form, as N

In languages with `type_rules`:

    builtin T       the builtin type T, or `[]`     closure N     a function with N parameters
    parameter T X   the type parameter T, bound X   operation O X…  O is an operator
    wrapper X Y     X, seen as its type argument Y  constructor X   the constructors of X
    labelled N X    the argument X for the parameter N
    applied K X…    K arguments of a call that also states type arguments, like `sum<int>(x)`; after
                    them come instances of the type arguments, if these are known

A name N that ends in `()` only matches methods and functions. A name that ends in `::` starts a
path, so it may also be a module that was not imported. A name that ends in ` !` is one of a macro,
in languages where macros have names of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from codeindex.types import Expression

PATH_SEPARATOR = "::"
"""Suffix of a name that starts a path, like `std::` in `std::fs`."""
MACRO_SUFFIX = " !"
"""Suffix of a name that only matches macros; no name of any language contains the blank."""
SETTER_SUFFIX = "="
"""Suffix of a member's name in an assignment that calls a method: `cart.name = x` of Ruby calls
`name=`."""
APPLIED = "applied"
"""Operation of the arguments of a call with type arguments; without these it is `arguments`."""
LOST_MARK = "?"
"""Prefix of a declared value's name if the name is in lines that the parser lost."""
SPELLING_MARK = "="
"""Prefix of a declared value that holds the spelling of a name: see `Language.other_spelling`."""
CLASS_MARK = "^"
"""Prefix of names of declarations. Before the `overload_key` of a method, as the name of a declared
value, it marks a method of a class itself, not of its instances: `def self.parse` of Ruby. Before a
type's name, in the declared base types, it marks the modules that extend the type."""
INCLUDER_MARK = 2 * CLASS_MARK
"""Prefix of a module's name in the declared base types: it marks the modules that extend each type
which includes this module."""
IMPLEMENTED = " ="
"""Suffix of the name under which the implementation of overloads is declared; no name of any
language contains the blank."""
CALLED = "()"
"""Name of the member that runs if an instance of a type is called."""
_MAX_ALTERNATIVES = 4
"""Maximum number of possible values of a name; a name with more values counts as unknown."""
LAMBDA_RECEIVER = 255
"""Pseudo-position among the parameters of a function: that of the receiver of the lambda which the
function takes."""
MAX_BOUNDS = 16
"""Maximum bounds of a type parameter."""


def parameter_name(function: str, position: int) -> str:
    """Return the key of a parameter's type in a file's table of declared values: `f.(0)`.

    That is the type of the first parameter of `f`; such keys are no names in source code.
    """
    return f"{function}.({position})"


class ExpressionTable:
    """The expressions of a file, each identified by its number; equal ones are stored once."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._numbers: dict[Expression, int] = {("unknown",): 0}
        self._expressions: list[Expression] = [("unknown",)]

    def __getitem__(self, number: int) -> Expression:
        return self._expressions[number]

    def add(self, *expression: str | int) -> int:
        """Return the number of an expression, and add the expression if it is new."""
        number = self._numbers.get(expression)
        if number is None:
            number = self._numbers[expression] = len(self._expressions)
            self._expressions.append(expression)
        return number

    def union(self, numbers: Iterable[int], *, limit: int = _MAX_ALTERNATIVES) -> int:
        """Return the number of the expression "any of these" for the expressions `numbers`.

        Unknown ones are ignored. It is 0 (unknown) if none or more than `limit` are left.
        """
        known = sorted({number for number in numbers if number})
        if len(known) > limit or not known:
            return 0
        return known[0] if len(known) == 1 else self.add("either", *known)

    def flush(self) -> tuple[Expression, ...]:
        """Return all expressions in the order of their numbers, and empty the table."""
        expressions = tuple(self._expressions)
        self._begin()
        return expressions
