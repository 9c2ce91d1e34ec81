"""What names in PHP refer to."""

from __future__ import annotations

import pytest

from tests.unit.graph.related import calls, edges

_SOURCES = {
    "src/Model/Item.php": """<?php
namespace Shop\\Model;
class Item extends Base {
  private ?Item $next;
  public function next(): ?Item { return $this->next; }
  public static function free(): self { return new self(); }
}
""",
    "src/Model/Base.php": "<?php\nnamespace Shop\\Model;\nclass Base { function show() {} }\n",
    "src/App.php": """<?php
namespace Shop;
use Shop\\Model\\{Item, Base as B};
class App {
  public function __construct(private Item $item) {}
  public function run(Item $a, $b) {
    $this->item->next()->show();
    Item::free()->show();
    $c = new Item; $c->show();
    $b->show();
    $this->run($a, $b);
  }
}
""",
}
_SHOW = "src/Model/Base.php::Shop.Model.Base.show"


def test_members_of_typed_values() -> None:
    all_calls = calls(_SOURCES, "src/App.php")
    assert {(line, _SHOW) for line in (7, 8, 9)} <= all_calls
    assert (10, "?show") in all_calls
    assert (11, "src/App.php::Shop.App.run") in all_calls


def test_imports_in_groups() -> None:
    all_edges = edges(_SOURCES)
    assert ("src/App.php:3", "imports", "src/Model/Item.php::Shop.Model.Item") in all_edges
    assert ("src/App.php:3", "imports", "src/Model/Base.php::Shop.Model.Base") in all_edges


_NAMESPACES = {
    "src/Curl/Util.php": """\
<?php
namespace Acme\\Curl;
class Util { public static function f() {} public function g() {} }
""",
    "src/Handler/X.php": """\
<?php
namespace Acme\\Handler;
class X { public function __invoke($a) { return new \\Acme\\Curl\\Util(); } function run() {} }
""",
    "src/Root.php": "<?php\nnamespace Acme;\nclass Root { public function below() {} }\n",
    "src/Face.php": """\
<?php
namespace Acme;
interface Face { public function help(); public function below(); public function only(); }
""",
    "src/Helps.php": "<?php\nnamespace Acme;\ntrait Helps { public function help() {} }\n",
    "src/Base.php": """\
<?php
namespace Acme;
abstract class Base extends Root implements Face { use Helps; }
""",
}


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("Curl\\Util::f();", "src/Curl/Util.php::Acme.Curl.Util.f"),
        ("\\Acme\\Curl\\Util::f();", "src/Curl/Util.php::Acme.Curl.Util.f"),
        ("(new Handler\\X())->run();", "src/Handler/X.php::Acme.Handler.X.run"),
        ("(new Alias\\X())->run();", "src/Handler/X.php::Acme.Handler.X.run"),
        ("$x = new \\Acme\\Handler\\X(); $x(1);", "src/Handler/X.php::Acme.Handler.X.__invoke"),
        ("$typed(1)->g();", "src/Handler/X.php::Acme.Handler.X.__invoke"),
        ("$typed(1)->g();", "src/Curl/Util.php::Acme.Curl.Util.g"),
        ("$this->help();", "src/Helps.php::Acme.Helps.help"),
        ("$this->below();", "src/Root.php::Acme.Root.below"),
        ("$this->only();", "src/Face.php::Acme.Face.only"),
    ],
)
def test_names_with_namespaces_lead_to_their_classes(statement: str, target: str) -> None:
    main = (
        "<?php\nnamespace Acme\\Sub;\nuse Acme\\Curl;\nuse Acme\\Handler;\n"
        "use Acme\\Handler as Alias;\nclass Main extends \\Acme\\Base {\n"
        f"  function go(Alias\\X $typed) {{\n    {statement}\n  }}\n}}\n"
    )
    found = edges({**_NAMESPACES, "src/Sub/Main.php": main})
    assert ("src/Sub/Main.php:8", "calls", target) in found
    assert ("src/Sub/Main.php:6", "extends", "src/Base.php::Acme.Base") in found


@pytest.mark.parametrize(
    "statement",
    ["Other\\Util::f();", "\\Curl\\Util::f();", "$unknown(1);", "Curl\\Missing::f();"],
)
def test_names_with_other_namespaces_lead_nowhere(statement: str) -> None:
    main = (
        "<?php\nnamespace Acme\\Sub;\nuse Acme\\Curl;\n"
        f"function go($unknown) {{\n  {statement}\n}}\n"
    )
    found = edges({**_NAMESPACES, "src/Sub/Main.php": main})
    assert not {edge for edge in found if edge[0] == "src/Sub/Main.php:5" and "::" in edge[2]}


def test_a_class_can_have_the_name_of_its_namespace() -> None:
    sources = {
        "src/Command/Command.php": (
            "<?php\nnamespace Acme\\Command;\n"
            "abstract class Command implements Face { function run() {} }\n"
        ),
        "src/Command/Face.php": (
            "<?php\nnamespace Acme\\Command;\ninterface Face { function run(); }\n"
        ),
        "src/Command/Get.php": (
            "<?php\nnamespace Acme\\Command;\n"
            "class Get extends Command implements Face { function go() { $this->run(); } }\n"
        ),
    }
    found = edges(sources)
    assert (
        "src/Command/Get.php:3",
        "extends",
        "src/Command/Command.php::Acme.Command.Command",
    ) in (found)
    assert calls(sources, "src/Command/Get.php") == {
        (3, "src/Command/Command.php::Acme.Command.Command.run")
    }


_REQUIRED = {
    "lib/billing.php": (
        "<?php\nclass Billing { static function charge() {} }\nclass Db {}\nfunction ab() {}\n"
    ),
    "tests/fakes.php": "<?php\nnamespace Web;\nfunction time() {}\n",
}


def test_global_names_are_found_whatever_their_file_is_called() -> None:
    main = "<?php\nrequire_once 'lib/billing.php';\nBilling::charge();\nnew Db();\nab();\n"
    assert calls({**_REQUIRED, "main.php": main}, "main.php") == {
        (3, "lib/billing.php::Billing.charge"),
        (4, "lib/billing.php::Db"),
        (5, "lib/billing.php::ab"),
    }


def test_code_in_a_namespace_uses_global_functions_but_no_global_classes() -> None:
    main = "<?php\nnamespace Web;\nab();\n\\Billing::charge();\nBilling::charge();\ntime();\n"
    assert calls({**_REQUIRED, "main.php": main}, "main.php") == {
        (3, "lib/billing.php::ab"),
        (4, "lib/billing.php::Billing.charge"),
        (5, "?charge"),
    }


def test_a_name_that_two_files_define_is_only_possible() -> None:
    twice = {
        **_REQUIRED,
        "lib/other.php": "<?php\nfunction ab() {}\n",
        "main.php": "<?php\nab();\n",
    }
    assert calls(twice, "main.php") == {(2, "?lib/billing.php::ab"), (2, "?lib/other.php::ab")}


def test_a_checked_value_has_the_type_that_it_was_checked_for() -> None:
    main = """<?php
class Base { function go() {} }
class Sub extends Base { function own() {} function base(): parent { return $this; } }
function run(Base $base, $other) {
    if ($base instanceof Sub) {
        $base->own();
    } elseif ($other instanceof Sub) {
        $other->own();
    }
    $base->go();
    $other->go();
    (new Sub())->base()->go();
}
"""
    assert calls({"main.php": main}, "main.php") == {
        (6, "main.php::Sub.own"),
        (8, "main.php::Sub.own"),
        (10, "main.php::Base.go"),
        (11, "?go"),
        (12, "main.php::Base.go"),
        (12, "main.php::Sub"),
        (12, "main.php::Sub.base"),
    }


def test_anonymous_classes_extend_what_they_name() -> None:
    main = """<?php
interface Rule { function go(); }
class Cart {
    function make() {
        $one = new class implements Rule { function go() {} };
        return new class implements Rule { function go() {} };
    }
}
"""
    extended = {edge for edge in edges({"main.php": main}) if edge[1] == "extends"}
    assert extended == {(f"main.php:{line}", "extends", "main.php::Rule") for line in (5, 6)}


def test_a_class_with_the_name_of_its_namespace_is_not_looked_up_in_itself_forever() -> None:
    sources = {
        "Shop.php": "<?php\nnamespace Shop;\nclass Shop {}\n",
        "Cart.php": (
            "<?php\nnamespace Shop;\nuse Shop\\Shop;\n"
            "class Cart extends Shop\\None { function f() { return Shop\\None::make(); } }\n"
        ),
    }
    assert ("Cart.php:3", "imports", "Shop.php::Shop.Shop") in edges(sources)
    assert calls(sources, "Cart.php") == {(4, "?make")}


def test_a_comment_declares_the_type_of_a_variable() -> None:
    cart = "<?php\nnamespace App;\nclass Cart { function add($n) {} }\nclass Big extends Cart {}\n"
    use = """<?php
namespace App;
function f($all, $given) {
  /** @var Cart $made */
  $made = find();
  $made->add(6);
  /** @var \\App\\Cart|null $each */
  foreach ($all as $each) { $each->add(8); }
  /** @var Cart $given */
  if ($all) { $given->add(10); }
  $given = find();
  $given->add(12);
  /** @var Cart[] $list */
  $list = find();
  $list->add(15);
  /** @var Cart|Other $either */
  $either = find();
  $either->add(18);
  /** @var Other $big */
  $big = new Big();
  $big->add(21);
}
"""
    sources = {"src/Cart.php": cart, "src/use.php": use}
    called = calls(sources, "src/use.php")
    assert {line for line, target in called if target == "src/Cart.php::App.Cart.add"} == {
        6,
        8,
        10,
        21,
    }
    assert {line for line, target in called if target == "?add"} == {12, 15, 18}
