"""Calls of overloaded functions lead to the overload that they run, or to a set of overloads.

In the sources below, each overload has a mark like `@a`, and each call a mark of what it may run:
`>a` if it certainly runs that overload, `>?ab` if it runs one of these. `~?ab` marks a use without
a call.
"""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from codeindex.graph.resolve import resolve_references
from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import language_for_path
from codeindex.types import SafeText
from tests.unit.graph.related import view_of

_CSHARP = {
    "Cart.cs": """namespace Shop {
class Item { }
class Book : Item { }
class Amount { public static implicit operator Amount(int n) => null; }
interface ILog { }
class Hose : Pipe { public override int Peek(int n) { return 1; } } // @i
class Base {
  public void Put(object o) { } // @p
  public void Put(int a, int b) { } // @q
}
class Cart : Base {
  Item last;
  Item Last => last;
  public void Add(int n) { } // @a
  public void Add(string s) { } // @b
  public void Add(Item i) { } // @c
  public void Add(int n, string s = "") { } // @d
  public void Log(string s, params object[] all) { } // @e
  public void Log(string s) { } // @f
  public void Same<T>(T one) { } // @g
  public void Same(string one) { } // @h
  public void Put(Item i) { } // @r
  public void Pay(Amount a) { } // @s
  public void Pay(string s) { } // @t
  public void Opt(int? n) { } // @u
  public void Opt(int n) { } // @v
  public Item Find(int n) { return null; } // @w
  public string Find(string s) { return s; } // @x
  void Run(int n, int? maybe, string s, Unknown u, Book b, dynamic d) {
    new Hose().Peek(u); // >i
    Add(n); // >a
    Add("x" + n); // >b
    Add(last); // >c
    this.Add(Last); // >c
    Add(new Book()); // >c
    Add((string)d); // >b
    Add(u); // >?abcd
    Add(n, s); // >d
    Add(n: 1, s: "x"); // >d
    Log("x"); // >f
    Log("x", 1, 2); // >e
    Same("x"); // >h
    Same(1); // >g
    Same<string>("x"); // >g
    this.Same<string>(u); // >g
    Put(new Item()); // >r
    Put(1, 2); // >q
    Put(u); // >?pr
    Pay(1); // >s
    Pay(u); // >?st
    Opt(maybe); // >u
    Opt(1); // >v
    Add(Find(1)); // >c >w
    Add(Find("x")); // >b >x
    Add(u is Item); // >?abcd
    var all = new[] { u }.Select(Add); // ~?abcd
  }
}
}
"""
}
_CSHARP_PARTS = {
    "Cart.cs": "partial class Cart {\n  public void Add(int n) { } // @a\n}\n",
    "Cart.More.cs": """partial class Cart {
  public void Add(string s) { } // @b
  void Run(Unknown u) {
    Add(1); // >a
    Add("x"); // >b
    Add(u); // >?ab
  }
}
""",
}
_CSHARP_USE = {
    **_CSHARP,
    "Pipe.cs": """namespace Shop {
class Pipe : Stream {
  public override int Read(byte[] to, int at, int count) { return 0; } // @y
  private int Read(Memory<byte> to, int at, bool now) { return 0; } // @z
  public virtual int Peek(int n) { return 0; }
}
}
""",
    "Use.cs": """namespace Shop {
class Use {
  void Run(Pipe pipe, byte[] to, Unknown u) {
    pipe.Read(to, 0, 1); // >y
    pipe.Read(u, 0, 1); // >?y
    pipe.Read(u, 0, true); // >?yz
  }
}
}
""",
}
_CSHARP_KINDS = {
    "Kinds.cs": """namespace Shop;
interface IItem { }
class Item : IItem { }
class Other { }
enum Size { Small }
class Text { public static implicit operator Text(string s) => null; }
class Cart<T> {
  public void Sort(string name, Text by, bool down = false) { } // @a
  public void Sort(Text by, bool down = false) { } // @b
  public void Sort<K>(Expression<Func<T, K>> by, bool down = false) { } // @c
  public void Put(IItem item) { } // @d
  public void Put(Other other) { } // @e
  public void Put(CancellationToken token) { } // @f
  public U Get<U>(string name) => default; // @g
  public Item Get(string name, Size size = Size.Small) => null; // @h
  public U Get<U>(Size size) => default; // @i
  public U Get<U, V>(string name) => default; // @j
  public void Any(dynamic value) { } // @k
  public void Any(Other other) { } // @l
}
class Use {
  void Run(Cart<Item> cart, Item item, CancellationToken token, Unknown u) {
    cart.Sort(x => x.Name); // >c
    cart.Sort("n", "m"); // >a
    cart.Sort("n", true); // >b
    cart.Put(item); // >d
    cart.Put(new Other()); // >e
    cart.Put(token); // >f
    cart.Put(u); // >?def
    cart.Get<Item>("x"); // >g
    cart.Get<Item>(Size.Small); // >i
    cart.Get<Item, Other>("x"); // >j
    cart.Get("x"); // >h
    cart.Any(item); // >k
    cart.Any(u); // >?kl
  }
}
""",
}
_CPP = {
    "cart.h": """#pragma once
#include <string>
namespace shop {
class Item { };
enum Color { RED };
typedef int Id;
class Text { public: Text(const char* s); };
class Cart {
 public:
  void add(int n);
  void add(const std::string& s, bool loud = true);
  void add(const Item& item) { } // @c
  int size() const;
  int size();
  void log(const char* format, ...); // @k
  template <typename T> void put(T&& value) { } // @t
  void put(int value) { } // @u
  void set(bool on) { } // @v
  void set(const Text& text) { } // @w
  void* none(void) { return nullptr; } // @x
  void* none(int n) { return nullptr; } // @y
  void take(int n) { } // @g
  void take(int n, int m) { } // @h
};
inline int make(int n) { return n; }
inline Item make(int n, int m) { return Item(); }
void pay(int n);
inline void pay(double d) { } // @p
void pay(Item* item);
}
""",
    "cart.cpp": """#include "cart.h"
namespace shop {
void Cart::add(int count) { } // @a
void Cart::add(const std::string& text, bool loud) { } // @b
int Cart::size() const { return 1; } // @e
int Cart::size() { return 2; } // @f
void pay(int number) { } // @q
void pay(Item* one) { } // @r
#if BIG
static int build(int n) { return n; } // @m
#else
static int build(int n) { return 1; } // @n
#endif
void inside() {
  build(1); // >?mn
  pay(1); // >q
  pay(2.5); // >p
}
}
""",
    "main.cpp": """#include "cart.h"
using namespace shop;
template <typename... A> void all(Cart& cart, A... rest) {
  cart.add(rest...); // >?abc
  cart.take(rest...); // >?gh
  cart.add(make(rest...)); // >?abc
}
void more(Cart& cart, Color color, Id id, Cart* other) {
  cart.add(color); // >?abc
  cart.add(id); // >?abc
  cart.set(other); // >?vw
}
void run(Cart& cart, int n, unsigned long many, std::string s, Item* item, Unknown u) {
  cart.add(1); // >a
  cart.add(n); // >a
  cart.add("x"); // >b
  cart.add(s); // >b
  cart.add(s, false); // >b
  cart.add(*item); // >c
  cart.add(Item()); // >c
  cart.add(u); // >?abc
  cart.add(many); // >a
  cart.size(); // >?ef
  cart.log("x", 1, 2); // >k
  cart.put(1); // >?tu
  cart.put<int>(1); // >?tu
  cart.set("x"); // >?vw
  cart.none(); // >x
  cart.none(3); // >y
  cart.add(static_cast<int>(many)); // >a
  pay(3); // >q
  pay(item); // >r
  pay(0); // >?pqr
  shop::pay(1.5); // >p
}
""",
}
_SCALA = {
    "shop/Cart.scala": """package shop
class Item
class Book extends Item
class Base {
  def put(o: Any): Unit = {} // @p
}
class Cart extends Base {
  def add(n: Int): Unit = {} // @a
  def add(s: String): Unit = {} // @b
  def add(i: Item): Unit = {} // @c
  def add(n: Int, s: String = ""): Unit = {} // @d
  def log(s: String, all: Any*): Unit = {} // @e
  def log(s: String): Unit = {} // @f
  def pay(n: Int)(implicit c: Item): Unit = {} // @g
  def pay(s: String)(n: Int): Unit = {} // @h
  def same[T](one: T): Unit = {} // @i
  def same(one: String): Unit = {} // @j
  def put(i: Item): Unit = {} // @q
  def each(f: Int => Unit): Unit = {} // @k
  def each(n: Int): Unit = {} // @l
  def run(n: Int, s: String, u: Unknown, b: Book, xs: Seq[Int]) = {
    add(n) // >a
    add("x") // >b
    add(s"a $n") // >b
    add(new Item) // >c
    this.add(b) // >c
    add(u) // >?abcd
    add(1, "x") // >d
    log("x") // >f
    log("x", 1, 2) // >e
    pay(1) // >g
    pay("x")(2) // >h
    same("x") // >j
    same(1) // >i
    same[String]("x") // >i
    put(new Item) // >q
    put(u) // >?pq
    each(x => ()) // >k
    each { x => () } // >k
    each(3) // >l
    List(u).map(add) // ~?abcd
  }
}
"""
}
_SWIFT = {
    "Sources/Shop/Cart.swift": """class Cart {
  func add(_ n: Int) { } // @a
  func add(_ n: Int, to list: String) { } // @b
  func add(_ n: Int, at place: Int) { } // @c
  func run(u: Unknown) {
    add(1) // >a
    add(1, to: "x") // >?bc
    add(1, at: 2) // >?bc
  }
}
"""
}


@pytest.mark.parametrize(
    "sources",
    [_CSHARP_USE, _CSHARP_PARTS, _CSHARP_KINDS, _CPP, _SCALA, _SWIFT],
    ids=["cs", "parts", "kinds", "cpp", "scala", "swift"],
)
def test_calls_run_the_overload_that_their_arguments_select(sources: dict[str, str]) -> None:
    assert _found(sources) == _marked(sources)


def _marked(sources: dict[str, str]) -> dict[tuple[str, int], set[str]]:
    """Return {(path, line): marks of the calls in that line}."""
    return {
        (path, number): set(marks)
        for path, text in sources.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if (marks := re.findall(r"[>~](\??\w*)", line.partition("//")[2]))
    }


def _found(sources: dict[str, str]) -> dict[tuple[str, int], set[str]]:
    """Return {(path, line): what the calls and references in the marked lines lead to}."""
    files = {
        path: parse_text(language_for_path(path), SafeText(text), path)  # type: ignore[arg-type]
        for path, text in sources.items()
    }
    letters = {
        (path, number): mark[1]
        for path, text in sources.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if (mark := re.search(r"@(\w)", line))
    }
    certain: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    possible: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for path in sources:
        references, _ = resolve_references(view_of(sources, files), path, files[path].relations)
        for (_, target), lines in references.items():
            if target.file and target.symbol:
                symbol = files[target.file].symbols[target.symbol - 1]
                letter = letters.get((target.file, symbol.line), "")
                found = certain if target.certainty == "resolved" else possible
                for line in lines:
                    found[path, line].add(letter)
    marked = _marked(sources)
    return {
        place: {*filter(None, certain[place])}
        | ({"?" + "".join(sorted(possible[place]))} if possible[place] else set())
        for place in marked
    }
