"""Workspaces of each kind, as `Index.members` lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codeindex import Index

pytestmark = pytest.mark.usefixtures("home")

_CARGO = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*", "xtask"]\nexclude = ["crates/old"]\n',
    "crates/core/Cargo.toml": '[package]\nname = "shop-core"\n',
    "crates/core/src/lib.rs": "pub fn total() {}\n",
    "crates/old/Cargo.toml": '[package]\nname = "old"\n',
    "xtask/Cargo.toml": '[package]\nname = "xtask"\n',
}
_NPM = {
    "package.json": '{"name": "root", "workspaces": {"packages": ["packages/*"]}}',
    "packages/cart/package.json": '{"name": "@shop/cart"}',
    "packages/cart/index.js": "export const total = 1;\n",
}
_PNPM = {
    "pnpm-workspace.yaml": "packages:\n  # ours\n  - 'packages/**'\n  - '!packages/old'\n",
    "packages/a/b/package.json": '{"name": "b"}',
    "packages/old/package.json": '{"name": "old"}',
}
_GO = {
    "go.work": "go 1.22\n\nuse (\n\t./cart // first\n\t./pay\n)\n",
    "cart/go.mod": "module example.org/cart\n",
    "pay/go.mod": "module example.org/pay\n",
}
_UV = {
    "pyproject.toml": '[project]\nname = "shop"\n[tool.uv.workspace]\nmembers = ["libs/*"]\n',
    "libs/pay/pyproject.toml": '[project]\nname = "shop-pay"\n',
}


@pytest.mark.parametrize(
    ("files", "kind", "expected"),
    [
        (_CARGO, "cargo", [("shop-core", "crates/core"), ("xtask", "xtask")]),
        (_NPM, "npm", [("@shop/cart", "packages/cart")]),
        (_PNPM, "pnpm", [("b", "packages/a/b")]),
        (_GO, "go", [("example.org/cart", "cart"), ("example.org/pay", "pay")]),
        (_UV, "uv", [("shop-pay", "libs/pay"), ("shop", ".")]),
        ({"a.py": "x = 1\n"}, "single", [("shop", ".")]),
        ({"package.json": "{", "a.js": ""}, "single", [("shop", ".")]),
    ],
    ids=["cargo", "npm", "pnpm", "go", "uv", "one project", "a broken manifest"],
)
def test_members_are_named_by_their_own_manifests(
    repository: Callable[..., Path],
    files: Mapping[str, str],
    kind: str,
    expected: list[tuple[str, str]],
) -> None:
    with Index.open(repository(files)) as index:
        index.sync(structure_only=True)
        found = index.overview.members()
    assert found.as_dict()["workspace_type"] == kind
    assert sorted((one.name, one.path) for one in found.members) == sorted(expected)
