"""Python."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    grammar="python",
    interpreters=("python", "python3"),
    symbols="""
    (class_definition name: (identifier) @name
        body: (block . (string) @doc)?) @symbol.class

    (function_definition name: (identifier) @name
        body: (block . (string) @doc)?) @symbol.function

    (module (assignment left: (identifier) @name) @symbol.variable)
    """,
    wrappers=("decorated_definition",),
    tests=("test_*.py", "*_test.py", "tests/**/*.py", "conftest.py"),
    excludes=(
        "__pycache__/",
        "*.pyc",
        "*.egg-info/",
        "venv/",
        ".venv/",
        ".mypy_cache/",
        ".pytest_cache/",
        ".tox/",
        "site-packages/",
    ),
)
