"""Questions about a project are answered by its own files: settings, manifests, the licence."""

from collections.abc import Iterator

import pytest

from codeindex import Filters, Index
from tests.conftest import made_repository, own_data

FILES = {
    "shop/configuration.py": "class Configuration:\n"
    '    """Settings, rules and dependencies of the shop, read from the environment."""\n\n'
    "    def load(self):\n        return self.settings\n",
    "shop/dependencies.py": "def resolve_dependencies(cart):\n"
    '    """Return the dependencies of a cart in the project."""\n    return cart.dependencies\n',
    "shop/licence.py": 'def licence():\n    """Return the licence key."""\n    return "key"\n',
    "shop/linter.py": 'def lint(code):\n    """Check the style by rules."""\n    return code\n',
    "shop/cache.py": 'def cache_configuration():\n    """Cache settings."""\n    return {}\n',
    "shop/__main__.py": "from shop.terminal import main\n\nmain()\n",
    "shop/terminal.py": "import sys\n\n\ndef main():\n    return run(sys.argv)\n",
    "tests/test_cart.py": "def test_main_function():\n    assert main()\n",
    "tests/pyproject.toml": '[project]\nname = "stand-in"\nrequires-python = ">=3.8"\n',
    "web/package.json": '{"devDependencies": {"eslint": "^9.0.0", "prettier": "^3.0.0"},\n'
    ' "prettier": {"semi": false}}\n',
    "web/eslint.config.mjs": "export default [];\n",
    "pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.12"\n'
    'dependencies = ["httpx"]\n\n[tool.mypy]\nstrict = true\n',
    "tox.ini": "[testenv]\ncommands = mypy shop\n",
    "COPYING": "GNU GENERAL PUBLIC LICENSE\n",
    ".github/workflows/check.yml": "jobs:\n  check:\n    steps: [ruff]\n",
    ".editorconfig": "[*]\nindent_size = 4\n",
    "guide/configuring.md": "# How to configure things\n\nTo configure eslint, ask the team.\n",
    "README.rst": "Shop\n====\n\nTests, builds and carts.\n\nRunning the tests\n"
    "-----------------\n\nStart the database, then run ``tox -e py``.\n",
    "CONTRIBUTING.md": "# Contributing\n\nBe kind.\n\n## Development setup\n\n"
    "Install uv, run `uv sync`.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("project")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync(structure_only=True)
        yield index


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("which licence is it released under?", "COPYING"),
        ("dependencies of the project", "pyproject.toml"),
        ("which Python version is required", "pyproject.toml"),
        ("What Python versions does shop support?", "pyproject.toml"),
        ("eslint configuration", "web/eslint.config.mjs"),
        ("how to configure eslint", "web/eslint.config.mjs"),
        ("prettier settings", "web/package.json"),
        ("mypy settings", "pyproject.toml"),
        ("CI pipeline", ".github/workflows/check.yml"),
        ("code style rules", ".editorconfig"),
        ("how do I run the tests", "README.rst"),
        ("how do I set up a development environment", "CONTRIBUTING.md"),
        ("cache configuration", "shop/cache.py"),
        ("resolve dependencies", "shop/dependencies.py"),
        ("licence key", "shop/licence.py"),
    ],
)
def test_the_first_hit_is_what_the_question_asks_for(shop: Index, question: str, path: str) -> None:
    assert shop.search(question).hits[0].path == path


def test_the_entry_point_is_a_main_module_or_function(shop: Index) -> None:
    paths = [hit.path for hit in shop.search("where is the entry point", limit=2).hits]
    assert set(paths) == {"shop/__main__.py", "shop/terminal.py"}


def test_files_of_the_project_that_a_filter_excludes_are_not_shown(shop: Index) -> None:
    hits = shop.search("eslint configuration", filters=Filters(paths=("shop",))).hits
    assert all(hit.path.startswith("shop/") for hit in hits)


def test_a_file_that_is_asked_for_by_its_kind_is_not_called_absent_or_weak(shop: Index) -> None:
    answer = shop.search("continuous integration")
    assert answer.absence is None
    assert answer.hits[0].path == ".github/workflows/check.yml"
    assert answer.confidence != "weak"
