"""Which questions ask for files of the project, and for which ones."""

import pytest

from codeindex.query.classify import QueryType, classify
from codeindex.query.project_files import project_files


def fits(question: str, path: str) -> bool:
    """Tell whether a file fits a question by its name, or may fit it by its text."""
    wanted = project_files(question)
    assert wanted, question
    patterns = (wanted.named, wanted.manifests, wanted.guides)
    return any(pattern.fullmatch(path) for pattern in patterns)


@pytest.mark.parametrize(
    ("question", "path", "other"),
    [
        ("what dependencies does it have", "web/package.json", "src/package.py"),
        ("which gems does it use", "Gemfile", "package.json"),
        ("which python version is required", "pyproject.toml", "go.mod"),
        ("what node versions does shop support", ".nvmrc", ".ruby-version"),
        ("minimum supported rust version", "core/Cargo.toml", "pom.xml"),
        (".net version", "src/Shop.csproj", "Gemfile"),
        ("where is the entry point", "shop/__main__.py", "shop/entry.py"),
        ("docker image", "deploy/Dockerfile", "docker/client.go"),
        ("docker compose services", "compose.yaml", "compose.go"),
        ("what runs in ci", ".github/workflows/check.yml", ".github/FUNDING.yml"),
        ("which licence does it have", "COPYING.LESSER", "license_check.py"),
        ("how do i build it", "Makefile", "src/build.c"),
        ("how are the tests run", "tox.ini", "tests/test_cart.py"),
        ("where is the changelog", "CHANGELOG.md", "lib/history.rb"),
        ("release history", "HISTORY.rst", "src/history.c"),
        ("database schema", "db/schema.rb", "lib/schema.py"),
        ("where are the routes defined", "config/routes.rb", "app/route.rb"),
        ("what does this project do", "README.md", "PROJECT.md"),
        ("purpose of this library", "README", "lib/purpose.c"),
        ("architecture overview", "docs/ARCHITECTURE.md", "src/architecture.c"),
        ("release process", "RELEASING.md", "lib/release.c"),
        ("set up for local development", "docs/DEVELOPMENT.md", "lib/setup.c"),
        ("code style rules", ".rubocop.yml", "css/style.css"),
        ("environment variables it reads", ".env.example", "env.go"),
        ("eslint configuration", ".eslintrc.js", "src/eslint.js"),
        ("settings of playwright", "config/playwright.config.ts", "playwright.ts"),
        ("mypy settings", "mypy.ini", "src/mypy.py"),
        ("how to configure php-cs-fixer", ".php-cs-fixer.dist.php", "src/fixer.php"),
        ("where is logging configured", "config/packages/monolog.yaml", "src/monologue.php"),
        ("typescript config", "web/tsconfig.build.json", "src/config.ts"),
        ("pytest settings", "pyproject.toml", "package.json"),
        ("retry configuration", "config/retry.yml", "src/retry.yml/main.go"),
    ],
)
def test_a_question_asks_for_files_of_the_project(question: str, path: str, other: str) -> None:
    assert fits(question, path)
    assert not fits(question, other)


@pytest.mark.parametrize(
    "question",
    [
        "license key validation",
        "docker client retries",
        "test runner implementation",
        "run tests for a package",
        "how to build a package",
        "build the client",
        "resolve dependencies",
        "compare versions",
        "check for a new release version",
        "main event loop",
        "start the application",
        "environment variable expansion",
        "database connection pool",
        "register a route",
        "format code",
        "parse a version string",
        "how does test discovery work",
        "where are the notes stored",
        "where is the history kept",
        "history file",
        "what does this function do",
        "what does the package manager do",
        "project overview page",
        "git hooks",
        "development server",
        "set up the environment of a task",
        "git config",
        "create release",
        "list packages",
        "package version",
        "where are the modules registered",
        "",
        "!?",
        "config",
        "eslint configuration " * 20,
    ],
)
def test_other_questions_ask_for_code(question: str) -> None:
    assert project_files(question) is None


def test_dependencies_of_the_project_are_no_edges_of_a_symbol() -> None:
    assert classify("dependencies of the project").type is QueryType.CONCEPT
    assert classify("what depends on Cart").type is QueryType.RELATIONSHIP
