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
