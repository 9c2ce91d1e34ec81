"""Which symbols count as unused, and why; which uses the graph does not see."""

from __future__ import annotations

from codeindex import Index
from tests.conftest import Repository

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "",
    "shop/cart.py": (
        "def offered():\n    pass\n\n\n"
        "def _spare():\n    pass\n\n\n"
        "def _on_add():\n    pass\n\n\n"
        "def act(kind):\n    return globals()[f'_on_{kind}']()\n\n\n"
        "class _Sink:\n    def write(self, text):\n        pass\n\n"
        "    def _drop(self):\n        pass\n\n\n"
        "@implementer(IBody)\nclass _Body:\n    def startProducing(self):\n        pass\n\n\n"
        "act(_Sink)\nact(_Body)\n"
    ),
    "web/page.ts": (
        "import fs from 'node:fs'\n\n"
        "function lonely() { return fs }\n"
        "// lonely is called by nobody\n"
        "export const _Story = 1\n"
        "declare global {\n  interface Window { x: string }\n}\n"
    ),
    "web/other.ts": "// lonely\nexport const a = 'lonely'\n",
    "Cache.java": (
        "public class Cache extends Outer {\n  @Override void computeValue() {}\n"
        "  private void dropped() {}\n  private Object writeReplace() { return this; }\n}\n"
    ),
    "composer.json": "{}",
    "Wrap.php": (
        "<?php\nclass Wrap {\n  private function _open() {}\n"
        "  public function __call($name, $given) { return $this->{'_' . $name}(); }\n}\n"
    ),
    "go/log.go": (
        "package log\n\ntype sink struct{}\n\nfunc (s sink) WithGroup() {}\n\n"
        "func (s sink) shut() {}\n\nfunc New() any { return sink{} }\n"
    ),
    "go/log_test.go": "package log\n",
}


def test_each_has_a_reason_and_what_others_may_call_is_only_counted(
    repository: Repository,
) -> None:
    with Index.open(repository(FILES)) as index:
        index.sync(structure_only=True)
        likely = index.graph.unused()
        every = index.graph.unused(include_possible=True)
    assert {symbol.name for symbol in likely.symbols} == {
        *("_spare", "_Sink._drop", "lonely", "Cache.dropped", "sink.shut")
    }
    assert {symbol.confidence for symbol in likely.symbols} == {"likely"}
    assert likely.total == every.total == len(every.symbols)
    reasons = {symbol.name: symbol.reason for symbol in every.symbols}
    assert reasons["lonely"].startswith("not exported")
    assert reasons["Cache.dropped"].startswith("private")
    assert reasons["Wrap._open"] == "its type answers calls by name"
    assert reasons["offered"] == "it is public in a library"
    assert reasons["_on_add"] == "code builds names like this one"
    assert reasons["sink.WithGroup"] == "it may satisfy an interface of other code"
    assert "the runtime or a library may call it" in reasons["_Sink.write"]
    assert "the runtime or a library may call it" in reasons["Cache.writeReplace"]
    assert {"_Body.startProducing", "Cache.computeValue", "_Story", "Window"}.isdisjoint(reasons)


_UNNAMED_USES = {
    "Polyfill.cs": (
        "namespace System.Runtime.CompilerServices;\n\ninternal static class IsExternalInit {}\n"
    ),
    "Lock.cs": (
        "namespace Shop;\ninternal static class LockExtensions {\n"
        "  internal static string ToName(this Lock at) { return at.ToString(); }\n}\n"
        "internal class Health : IHealth {\n"
        "  Task IHealth.CheckAsync() { return null; }\n  private void Spare() { }\n}\n"
        "public class Desk { object name = new Lock().ToName(new Health()); }\n"
        "internal static class Program { static void Main() { } }\n"
    ),
    "lib/shape.ex": (
        "defprotocol Shape do\n  def round?(of)\nend\n"
        "defmodule Circle do\n  use Timer\n  @impl true\n  def tick(x), do: x\n"
        "  defp idle(x), do: x\n  defp stop!(x), do: x\nend\n"
        "defimpl Shape, for: Circle do\n  def round?(_), do: true\nend\n"
        "defimpl Jason.Encoder, for: Circle do\n  def encode_it(_), do: true\nend\n"
    ),
    "go.mod": "module shop\n",
    "colors.go": (
        "package shop\n\nconst (\n\tred = iota\n\tgreen\n)\n\nconst lost = 1\n\n"
        "func nailMain() {}\n"
    ),
    "src/api.h": "#define API_LIMIT 3\nint api_open(void);\nstruct api_spare { int a; };\n",
    "src/tool.c": (
        "typedef struct tag_of_item {\n  int a;\n} item_t;\nenum unnamed_use { ONE };\n"
        "struct lost_struct { int b; };\nint wmain(void) { item_t i; return ONE + i.a; }\n"
        "struct response_tag { int c; } response;\nint *PyInit_tool(void) { return 0; }\n"
        "#define ALLOW_PRIVATE\n#include <mbedtls/ssl.h>\n"
        "static const int TOOL_ALPHA_TABLE[2] = {0};\n#define READ(name) TOOL_##name##_TABLE[0]\n"
        "static int shown_by_macro(void) { return READ(ALPHA); }\n#  define SHOW shown_by_macro\n"
    ),
    "linked.go": "package shop\n\nfunc resetEntry() {}\n",
    "reset_test.go": (
        'package test\n\nimport _ "unsafe"\n\n//go:linkname reset shop.resetEntry\nfunc reset()\n'
    ),
    "tool.d.ts": "export const x: number;\ndeclare const ambient: string;\n",
    "pyproject.toml": '[project]\nname = "shop"\n',
    "listed.py": (
        "__all__ = ['USED']\nUSED = 1\nUNLISTED = 2\n_PRIVATE_ONE = 3\nprint(USED)\n"
        "_A, _B = range(2)\n"
    ),
    "lib/visitor.rb": (
        "class Visitor\n  def visit(it)\n"
        '    send("#{@first}_#{it.class}") if respond_to?(:visit)\n  end\nend\n'
    ),
    "src/fuzz.cc": 'extern "C" int FuzzerInitialize(int *n) { return 0; }\n',
    "src/api.c": "#define _GNU_SOURCE\n#define OWN_LIMIT 3\n",
    "complete.sh": (
        "_shop_add() { :; }\n_shop_done() { :; }\n_shop_complete_pay() { :; }\n"
        "next='shop_done'\neval _shop_complete_${1}\ncase $1 in 'shop_add') ;; esac\n"
    ),
    "view.ts": (
        "export const none = new (class NoneView { x = 1 })()\n"
        "declare module 'tree' {\n  interface Leaf { x: string }\n"
        "  namespace Inner { interface Branch { y: string } }\n}\nfunction spare() {}\n"
    ),
    "View.swift": (
        "class View: Base {\n  @IBAction private func pressed(_ x: Int) {}\n"
        "  func layout() {}\n  private func spare() {}\n}\n"
        "public extension Node {\n  func place() {}\n}\n"
    ),
    "shop.gemspec": "",
    "lib/shop.rb": (
        "class Shop\n  def offered; end\n\n  private\n\n  def hidden; end\n"
        "  def handled\n    super\n    Visitor.new(self, 'judge')\n  end\n"
        "  def judge_Integer; end\nend\n"
    ),
    "Rules.scala": (
        "package shop\nprivate[shop] object Wide {}\n"
        "object Rules extends Low\n"
        "abstract class Low { implicit def rule(x: Int): Long = x }\n"
    ),
    "Use.scala": "package shop\nimport shop.Wide._\nobject Use { val rules = Rules }\n",
    "Demo.cs": (
        "namespace Shop;\ninternal class Demo {\n  [Test]\n  public void Pay() { }\n}\n"
        "internal class Idle { }\npublic interface ISpell { bool IsRight(string word); }\n"
    ),
    "Bytes.kt": (
        "package shop\nactual open class Bytes\ninternal actual constructor(val size: Int) {\n"
        "  private fun readObject(from: Int) {}\n"
        "  private fun spare() {}\n}\n"
    ),
    "fs.lua": "local T = {}\nfunction T.__gc() end\nlocal function alone() end\n",
}


def test_symbols_used_without_their_name_are_not_listed(repository: Repository) -> None:
    with Index.open(repository(_UNNAMED_USES)) as index:
        index.sync(structure_only=True)
        likely = index.graph.unused()
    assert {(symbol.file, symbol.name) for symbol in likely.symbols} == {
        ("Lock.cs", "Shop.Health.Spare"),
        ("lib/shape.ex", "Circle.idle"),
        ("lib/shape.ex", "Circle.stop!"),
        ("colors.go", "lost"),
        ("src/api.c", "OWN_LIMIT"),
        ("src/tool.c", "lost_struct"),
        ("src/tool.c", "SHOW"),
        ("listed.py", "_PRIVATE_ONE"),
        ("view.ts", "spare"),
        ("View.swift", "View.spare"),
        ("lib/shop.rb", "Shop.hidden"),
        ("fs.lua", "alone"),
        ("Bytes.kt", "Bytes.spare"),
        ("Demo.cs", "Shop.Idle"),
    }


_FRAMEWORKS_AND_NAMES = {
    "lib/tasks/deploy.rake": "task :publish_all do\n  puts 1\nend\n",
    "db/migrate/1_make_users.rb": (
        "class MakeUsers < ActiveRecord::Migration[4.2]\n  def change; end\nend\n"
    ),
    "config/initializers/liquid.rb": (
        "module Liquid\n  class Tokenizer\n    private\n\n    def next_token; end\n  end\nend\n"
        "module ActiveRecord\n  class Patched; end\nend\n"
    ),
    "app/controllers/base_controller.rb": "class BaseController < ActionController::Base\nend\n",
    "app/controllers/home_controller.rb": "class HomeController < BaseController\nend\n",
    "app/models/user.rb": (
        "class User < ActiveRecord::Base\n  def find_for_login; end\n\n  private\n\n"
        "  def reset\n    super.tap { 1 }\n  end\nend\n"
    ),
    "app/models/import.rb": (
        'class Import\n  def run(name)\n    send :"#{name}_after", 1\n  end\n\n  private\n\n'
        "  def add_after; end\nend\n"
    ),
    "app/models/shop/cart.rb": (
        "module Shop\n  class Cart\n    SIZE_LIMIT = 3\n    def public_spare; end\n\n"
        "    private\n\n    def private_spare; end\n  end\nend\n"
    ),
    "bin/rails": "#!/usr/bin/env ruby\nAPP_PATH = 1\nrequire 'rails/commands'\n",
    "types.ts": (
        "export type A = 1\ntype _ATest = AssertTrue<IsExact<A, 1>>\ntype _Lost = 2\n"
        "export class Converter {\n  convert(kind: string) { return this[kind]() }\n"
        "  private heading() { return 1 }\n}\n"
        "export class Other {\n  private body() { return 1 }\n}\n"
    ),
    "Schema.php": (
        "<?php\nnamespace Shop\\Schema;\nfunction version_12($db) {}\nfunction other_12($db) {}\n"
    ),
    "Migrate.php": (
        "<?php\n$name = '\\Shop\\Schema\\version_' . $i;\n"
        "if (function_exists($name)) { $name($db); }\n"
    ),
    "stream.py": (
        "class _Sink:\n    def seekable(self):\n        return False\n\n\n"
        "class _Job:\n    def run_it(self, name):\n        return getattr(self, name)()\n\n"
        "    def _start(self):\n        pass\n\n\nprint(_Sink(), _Job().run_it('x'))\n"
    ),
}


def test_what_frameworks_and_computed_names_reach_is_not_listed(repository: Repository) -> None:
    with Index.open(repository(_FRAMEWORKS_AND_NAMES)) as index:
        index.sync(structure_only=True)
        likely = index.graph.unused()
    assert {symbol.name for symbol in likely.symbols} == {
        *("_Lost", "Other.body", "Import", "Shop.Cart"),
        *("Shop.Cart.SIZE_LIMIT", "Shop.Cart.private_spare", "Shop.Schema.other_12"),
    }
