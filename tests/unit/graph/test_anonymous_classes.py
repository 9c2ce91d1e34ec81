"""What members of anonymous classes refer to, in each language that has them."""

from __future__ import annotations

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES, language_for_path
from codeindex.types import SafeText, SymbolKind
from tests.unit.graph.related import edges, lines_called

_JAVA = """package a;
class X { void f() {} void g() {} }
class A {
  void run() {
    new X() { void f() {} }.f();
    new X() { void f() {} }.g();
    new X() { void f() {
        this.g(); } void g() {
        f(); } };
    var x = new X() {
        void f() {} };
    x.f();
    f();
  }
  void f() {}
}
"""
_KOTLIN = """package a
open class X { open fun f() {}; open fun g() {} }
class A {
  fun run() {
    object : X() { override fun f() {} }.f()
    object : X() { override fun f() {} }.g()
    val y = object : X() { override fun f() {
        this.g() }; override fun g() {
        f() } }
    val x = object : X() {
        override fun f() {} }
    x.f()
    f()
  }
  fun f() {}
}
"""
_SCALA = """package a
class X { def f() = {}; def g() = {} }
class A {
  def run() = {
    new X() { override def f() = {} }.f()
    new X() { override def f() = {} }.g()
    new X() { override def f() = {
        this.g() }; override def g() = {
        f() } }
    val x = new X() {
        override def f() = {} }
    x.f()
    f()
  }
  def f() = {}
}
"""
_PHP = """<?php
class X { function f() {} function g() {} }
class A {
  function run() {
    (new class extends X { function f() {} })->f();
    (new class extends X { function f() {} })->g();
    (new class extends X { function f() {
        $this->g(); } function g() {
        $this->f(); } });
    return (new class extends X {
        function f() {} })
    ->f();
    $this->f();
  }
  function f() {}
}
"""
_TYPESCRIPT = """
class X { f() {} g() {} }
class A {
  run() {
    (new (class extends X { f() {} })()).f();
    (new (class extends X { f() {} })()).g();
    (new (class extends X { f() {
        this.g(); } g() {
        this.f(); } })());
    const x = new (class extends X {
        f() {} })();
    x.f();
  }
  f() {}
}
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a/A.java", _JAVA),
        ("a/A.kt", _KOTLIN),
        ("a/A.scala", _SCALA),
        ("a/A.php", _PHP),
        ("a/a.ts", _TYPESCRIPT),
        ("a/a.js", _TYPESCRIPT),
    ],
)
def test_a_member_of_an_anonymous_class_hides_that_of_its_base_type(path: str, text: str) -> None:
    called = {
        (line, target)
        for line, (certainty, target) in lines_called({path: text}, path)
        if certainty == "resolved"
    }
    assert called >= {(5, 5), (6, 2), (8, 8), (9, 7), (12, 11)}
    assert called <= {
        *((5, 5), (6, 2), (8, 8), (9, 7), (12, 11), (13, 15)),  # the calls
        *((5, 2), (7, 2), (10, 2)),  # constructors
    }


def test_self_in_an_anonymous_class_of_ruby_is_no_instance_of_the_class_around_it() -> None:
    text = """class X
  def f; end
end
class A
  def f; end
  def g; end
  def run
    Class.new(X) do
      def h
        f
        g
      end
    end
    Class.new do
      def i
        f
      end
    end
  end
end
"""
    assert lines_called({"a.rb": text}, "a.rb") == {(10, ("resolved", 2))}


def test_a_singleton_method_of_ruby_hides_the_method_of_the_class() -> None:
    text = """class X
  def f; end
end
def run
  x = X.new
  def x.f
  end
  x.f
  X.new.f
end
"""
    called = lines_called({"a.rb": text}, "a.rb")
    assert {target for line, target in called if line in {8, 9}} >= {("resolved", 6)}
    assert (8, ("resolved", 2)) not in called


def test_properties_of_an_anonymous_class_of_php_are_none_of_the_class_around_it() -> None:
    text = """<?php
class A {
  private $own;
  function run() {
    return new class { private $inner; function __construct(private int $given) {} };
  }
}
$named = new class { private $part; };
"""
    symbols = parse_text(LANGUAGES["php"], SafeText(text), "a.php").symbols
    found = {each.qualified for each in symbols if each.kind is SymbolKind.PROPERTY}
    assert found == {"A.own", "named.part"}


_FIELDS = {
    "A.scala": (
        "trait Meta { def size: Int }\nclass A {\n"
        "  def made: Meta = new Meta { val size: Int = 1; def run = 2 }\n"
        "  val kept = new Meta { val size: Int = 3 }\n  def total = size\n}\n"
    ),
    "A.kt": (
        "class A {\n  fun made(): Meta = object : Meta { val size = 1\n    fun run() = 2 }\n"
        "  val kept = object : Meta { val size = 3 }\n  fun total() = this.size\n}\n"
    ),
    "A.ts": (
        "class A {\n  made() { return class { size = 1; run() { return this.size } } }\n"
        "  kept = new (class { size = 3 })()\n  total() { return this.size }\n}\n"
    ),
    "A.js": (
        "class A {\n  made() { return class { constructor() { this.size = 1 } } }\n"
        "  kept = new (class { size = 3 })()\n  total() { return this.size }\n}\n"
    ),
    "A.rb": (
        "class A\n  def made\n    Class.new do\n      attr_reader :size\n    end\n  end\n"
        "  def total\n    size\n  end\nend\nKept = Class.new do\n  attr_reader :size\nend\n"
    ),
}


@pytest.mark.parametrize("path", _FIELDS)
def test_fields_of_an_anonymous_class_are_none_of_the_class_around_it(path: str) -> None:
    language, text = language_for_path(path), _FIELDS[path]
    assert language
    symbols = parse_text(language, SafeText(text), path).symbols
    kept = "Kept" if path == "A.rb" else "A.kept"
    found = {each.qualified for each in symbols if each.name == "size"} - {"Meta.size"}
    assert found == {"A.made.size", f"{kept}.size"}
    assert not {
        target for _, _, target in edges({path: _FIELDS[path]}) if target.endswith("A.size")
    }


def test_a_class_expression_with_a_name_has_its_fields() -> None:
    text = (
        "const A = class { left = 1 }\nfunction of(Base) {\n"
        "  return class B extends Base { right = 2 }\n}\n"
    )
    symbols = parse_text(LANGUAGES["javascript"], SafeText(text), "a.js").symbols
    found = {each.qualified for each in symbols if each.kind is SymbolKind.FIELD}
    assert found == {"A.left", "of.B.right"}
