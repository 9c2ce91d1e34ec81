"""A method that a type inherits implements a method of another of its base types."""

import pytest

from codeindex import Index
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("home")
PHP = {
    "src/Pays.php": "<?php\ninterface Pays { public function pay(int $sum): bool; }\n",
    "src/PaysByCard.php": (
        "<?php\ntrait PaysByCard {\n  public function pay(int $sum): bool { return $sum > 0; }\n}\n"
    ),
    "src/Till.php": "<?php\nclass Till implements Pays {\n  use PaysByCard;\n}\n",
    "src/Desk.php": (
        "<?php\nclass Desk {\n  function close(Pays $till) { return $till->pay(3); }\n}\n"
    ),
}
JAVA = {
    "a/Pays.java": "package a;\ninterface Pays {\n  boolean pay(int sum);\n}\n",
    "a/Card.java": (
        "package a;\nclass Card {\n  public boolean pay(int sum) { return sum > 0; }\n}\n"
    ),
    "a/Till.java": "package a;\nclass Till extends Card implements Pays {\n}\n",
    "a/Desk.java": (
        "package a;\nclass Desk {\n  boolean close(Pays till) { return till.pay(3); }\n}\n"
    ),
}
OVERRIDING = {
    **JAVA,
    "a/Till.java": (
        "package a;\nclass Till extends Card implements Pays {\n"
        "  public boolean pay(int sum) { return false; }\n}\n"
    ),
}
REDECLARING = {
    "a/Pays.java": "package a;\ninterface Pays {\n  default void pay() { System.exit(1); }\n}\n",
    "a/Owes.java": "package a;\ninterface Owes extends Pays {\n  void pay();\n}\n",
    "a/Lends.java": "package a;\ninterface Lends extends Owes {\n  void lend();\n}\n",
}
RUST = {
    "src/lib.rs": (
        "trait Pays {\n    fn pay(&self) -> bool;\n}\n"
        "trait Card {\n    fn pay(&self) -> bool {\n        true\n    }\n}\n"
        "struct Till;\nimpl Card for Till {}\nimpl Pays for Till {\n"
        "    fn pay(&self) -> bool {\n        false\n    }\n}\n"
        "fn close(till: &dyn Pays) -> bool {\n    till.pay()\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("files", "implementation", "declaration"),
    [(PHP, "PaysByCard.pay", "Pays.pay"), (JAVA, "Card.pay", "Pays.pay")],
    ids=["php", "java"],
)
def test_calls_of_the_declaration_may_run_the_inherited_method(
    repository: Repository, files: dict[str, str], implementation: str, declaration: str
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        (caller,) = index.graph.callers(implementation).callers
        assert (caller.name, caller.certainty) == ("Desk.close", "ambiguous")
        (dependant,) = index.graph.impact(implementation).dependants
        assert dependant.name == "Desk.close"
        implementers = index.graph.implementers(declaration).implementers
        assert any(each.name.endswith(implementation) for each in implementers)
        flow = index.search(f"path from Desk.close to {implementation}")
    assert "flow" in flow.meta


@pytest.mark.parametrize("files", [OVERRIDING, RUST], ids=["overriding", "rust"])
def test_no_call_runs_a_method_that_is_overridden_or_of_another_trait(
    repository: Repository, files: dict[str, str]
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        assert not index.graph.callers("Card.pay").callers


def test_a_method_does_not_implement_one_that_declares_it_again(repository: Repository) -> None:
    with Index.open(repository(REDECLARING)) as index:
        index.sync(structure_only=True)
        assert not index.graph.implementers("Owes.pay").implementers
