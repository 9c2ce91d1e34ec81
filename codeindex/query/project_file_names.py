"""Names of the files that answer questions about a project, by the words of the questions.

The file names are those that the tools publish.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class FileNames(NamedTuple):
    """File names that answer a question; globs, separated by blanks.

    Files in `names` answer by their name, with `is_whole` by their beginning. A manifest answers if
    it has a section for `word`, one of `documents` if it has a heading with it; a manifest or guide
    that only contains `word` answers less well.
    """

    names: str
    manifests: str = ""
    guides: str = ""
    word: str = ""
    documents: str = ""
    is_whole: bool = False


class ProjectSubject(NamedTuple):
    """A subject of questions about a project, told by words that are separated by blanks.

    A question has the subject if it has one of the words `topic` and one of `about`, unless this is
    empty, and else only words in `also` and `FILLER_WORDS`. A file that defines a function `symbol`
    answers, too.
    """

    topic: str
    about: str
    also: str
    names: FileNames
    symbol: str = ""


_PYTHON = "pyproject.toml setup.py setup.cfg"
_JAVASCRIPT = "package.json"
_JVM = "pom.xml build.gradle build.gradle.kts build.sbt build.mill"
_DOTNET = "*.csproj *.fsproj *.vbproj Directory.Build.props"
_NATIVE = "CMakeLists.txt meson.build configure.ac conanfile.* vcpkg.json"
_LANGUAGES: Mapping[str, tuple[str, str]] = {
    "python|pypi|pip": (
        f"{_PYTHON} requirements*.txt Pipfile environment.y*ml",
        ".python-version runtime.txt",
    ),
    "node(?:\\.?js)?|javascript|js|npm|yarn|pnpm|typescript": (
        _JAVASCRIPT,
        ".nvmrc .node-version",
    ),
    "go(?:lang)?": ("go.mod", ".go-version go.work"),
    "rust|cargo|crates?": ("Cargo.toml", "rust-toolchain rust-toolchain.toml"),
    "java|jdk|jvm|maven|gradle": (
        f"{_JVM} gradle.properties libs.versions.toml",
        ".java-version .sdkmanrc",
    ),
    "kotlin|scala|sbt": (f"{_JVM} libs.versions.toml", ""),
    "ruby|gems?": ("Gemfile *.gemspec", ".ruby-version"),
    "php|composer": ("composer.json", ""),
    "elixir|erlang|otp|hex": ("mix.exs rebar.config", ""),
    "dart|flutter|pub": ("pubspec.yaml", ""),
    "swift|xcode|cocoapods": ("Package.swift Podfile *.podspec", ".swift-version"),
    r"dot ?net|\.net|c#|nuget": (_DOTNET, f"global.json {_DOTNET}"),
    "haskell|ghc|cabal|stack": ("*.cabal package.yaml stack.yaml cabal.project", ""),
    r"c|c\+\+|cpp|cmake": (_NATIVE, ""),
    "ocaml|opam": ("dune-project *.opam", ""),
    "perl": ("cpanfile Makefile.PL dist.ini", ""),
    "lua": ("*.rockspec", ""),
    "zig": ("build.zig.zon build.zig", ""),
    "julia": ("Project.toml", ""),
}
"""{languages and package managers: (names of the files that declare packages and versions, of those
that only declare versions)}."""
MANIFESTS = {keys: manifests for keys, (manifests, _) in _LANGUAGES.items()}
VERSION_FILES = {keys: files for keys, (_, files) in _LANGUAGES.items()}
ALL_MANIFESTS = FileNames(" ".join((*MANIFESTS.values(), "Directory.Packages.props")))
BUILD_FILES = ".github/workflows/*.y*ml .travis.y*ml .gitlab-ci.yml appveyor.yml Dockerfile"
"""Names of files that name the versions with which a project is built and tested."""
VERSION_MANAGERS = ".tool-versions mise.toml .mise.toml"
CI_FILES = (
    ".github/workflows/*.y*ml .github/actions/*.y*ml .gitea/workflows/* .forgejo/workflows/*"
    " .circleci/* .buildkite/* .gitlab-ci* .travis.y*ml azure-pipelines* Jenkinsfile* appveyor.y*ml"
    " .appveyor.y*ml .cirrus.y*ml .woodpecker* .drone.y*ml bitbucket-pipelines.y*ml .semaphore/*"
    " .builds/*"
)
_DOCKER = "*Dockerfile* *.dockerfile dockerfile Containerfile"
_COMPOSE = "docker-compose*.y*ml compose.y*ml compose.*.y*ml"
_STYLE = (
    ".editorconfig .clang-format .rubocop*.yml .eslintrc* eslint.config.* .prettierrc*"
    " prettier.config.* biome.json* ruff.toml .ruff.toml .flake8 .pylintrc pylintrc rustfmt.toml"
    " .rustfmt.toml clippy.toml .clippy.toml .php-cs-fixer* .php_cs* phpcs.xml* pint.json"
    " checkstyle*.xml .golangci.* .credo.exs .formatter.exs .swiftformat .swiftlint.yml"
    " .stylelintrc* stylelint.config.* .hlint.yaml .luacheckrc stylua.toml .stylua.toml"
    " .scalafmt.conf .ocamlformat .jshintrc analysis_options.yaml detekt*.yml"
    " .pre-commit-config.y*ml"
)
_TASKS = (
    "Makefile makefile GNUmakefile Makefile.am Justfile justfile Taskfile.y*ml Rakefile noxfile.py"
    " tox.ini"
)
TOOL_FILES: Mapping[str, str] = {
    "c?make": f"{_TASKS} CMakeLists.txt CMakePresets.json",
    "cargo": "Cargo.toml .cargo/config*",
    "circle ?ci": ".circleci/*",
    "(?:code |test )?coverage": ".coveragerc codecov.y*ml .codecov.y*ml .nycrc* tarpaulin.toml",
    "composer": "composer.json",
    "deploy(?:ment)?": "deploy.* config/deploy* Procfile* app.json fly.toml k8s/* Capfile",
    "(?:docs?|documentation)(?: site)?": (
        "mkdocs.y*ml docusaurus.config.* book.toml .readthedocs.y*ml typedoc.json Doxyfile* conf.py"
        " _config.yml"
    ),
    "golangci[- ]?lint": ".golangci.*",
    "bundler": "Gemfile",
    "docker|container": f"{_DOCKER} {_COMPOSE} .dockerignore",
    "docker[- ]compose|compose": _COMPOSE,
    "doxygen": "Doxyfile*",
    "github actions?": ".github/workflows/* .github/actions/*",
    "gradle": "build.gradle* settings.gradle* gradle.properties",
    "helm": "Chart.yaml values.yaml",
    "just": "justfile Justfile",
    "kubernetes|k8s": "k8s/* kubernetes/* Chart.yaml kustomization.y*ml",
    "linter|lint|format(?:ter|ting)|indentation|editor": _STYLE,
    "log(?:ging|ger)?|log4j|logback": "logging.* logback*.xml log4j* monolog.* logger.*",
    "maven": "pom.xml",
    "meson": "meson.build meson.options meson_options.txt",
    "npm": "package.json .npmrc",
    "pytest": "pytest.ini .pytest.ini conftest.py",
    "rspec": ".rspec spec_helper.rb rails_helper.rb",
    "sphinx": "conf.py",
    "terraform": "*.tf",
    "typescript(?: compiler)?|tsc": "tsconfig*.json jsconfig.json",
    "vs ?code": ".vscode/*",
    "(?:web|http|application) ?server": (
        "puma.rb unicorn.rb nginx* uwsgi.ini gunicorn* Caddyfile Procfile httpd.conf"
    ),
    "yard": ".yardopts",
}
"""{tool: names of its files}, for tools whose files are not named after them."""
_SETTINGS_FILES = (
    "application*.properties application*.y*ml appsettings*.json settings.py settings/*.py"
    " config/application.* config/config.* config.toml config.y*ml config.json"
)
TOOL_MANIFESTS: Mapping[str, str] = {
    "bandit|black|bumpversion|codespell|commitizen|coverage|flake8|hatch|isort|mypy|pdm|poetry"
    "|pydocstyle|pylint|pyright|pytest|ruff|setuptools|towncrier|tox|uv": f"{_PYTHON} tox.ini",
    "ava|babel|browserslist|c8|commitlint|eslint|husky|jest|lint-staged|mocha|nodemon|nyc|prettier"
    "|semantic-release|stylelint|xo": _JAVASCRIPT,
    "checkstyle|detekt|dokka|enforcer|jacoco|javadoc|kover|ktlint|pmd|proguard|spotbugs|spotless"
    "|surefire": _JVM,
    "clippy|rustdoc": "Cargo.toml",
    "databases?|log(?:ging|ger)?": _SETTINGS_FILES,
    "credo|dialy(?:zer|xir)|ex_?doc|excoveralls": "mix.exs",
}
"""{tools: names of the manifests that may have a section with their settings}."""
_GUIDES = "CONTRIBUTING* contributing.* HACKING* DEVELOP* development.*"
_DOCUMENTS = f"{_GUIDES} TESTING* testing.* BUILDING* README*"
_MAIN = FileNames(
    "__main__.py main.py main.go main.rs main.c main.cc main.cpp main.js main.ts main.tsx main.jsx"
    " main.mjs main.swift main.dart main.zig main.lua main.ml main.kt Main.java Main.kt Main.hs"
    " Main.scala Program.cs manage.py app.py app.js app.ts server.js server.ts index.js index.php"
    " application.ex *Application.java *Application.kt src/bin/*.rs"
)
_RELEASES = FileNames(
    "RELEASE*.* RELEASING* release*.md releasing.* release.sh release .goreleaser*"
    " .releaserc* release.config.* .github/workflows/*release*"
    " .github/workflows/*publish* .github/workflows/*deploy*",
    guides=_GUIDES,
    word="release",
    documents=_DOCUMENTS,
)
FILLER_WORDS = frozenset(
    (
        *("all", "and", "any", "are", "be", "by", "can", "could", "did", "do", "does"),
        *("for", "from", "get", "give", "has", "have", "here", "how", "i", "in", "is", "it", "its"),
        *("me", "my", "of", "on", "our", "should", "show", "some", "that", "the", "their"),
        *("they", "this", "to", "under", "we", "what", "what's", "where", "where's", "which"),
        *("with", "you", "find", "see", "there", "used", "use", "uses", "using", "need", "needs"),
        *("needed", "require", "requires", "required", "app", "application", "codebase"),
        *("library", "package", "program", "project", "repo", "repository", "software"),
        *("configured", "declared", "defined", "described", "documented", "kept", "listed"),
        *("live", "located", "registered", "set", "specified", "stored"),
    )
)
"""Words that a question about a project may have besides those of its subject; not `a`, because
"how to build a package" is not about this one."""
PROJECT_SUBJECTS = (
    ProjectSubject(
        "ci ci/cd continuous",
        "",
        "integration pipeline pipelines workflow workflows job jobs build config configuration"
        " setup checks run runs github actions gitlab test tests deployment file files settings"
        " backend frontend lint",
        FileNames(CI_FILES),
    ),
    ProjectSubject("checks", "pull prs merge", "run runs request requests", FileNames(CI_FILES)),
    ProjectSubject(
        "github gitlab gitea",
        "actions action workflow workflows pipeline pipelines job jobs ci",
        "config configuration setup file files settings",
        FileNames(CI_FILES),
    ),
    ProjectSubject(
        "licence license licenses licences licensed licensing",
        "",
        "file files text terms mit apache bsd gpl lgpl agpl mpl code released distributed"
        " published available source open a an",
        FileNames(
            "LICENSE* LICENCE* license license.txt license.md license.rst licence licence.txt"
            " licence.md COPYING* MIT-LICENSE* UNLICENSE*",
            is_whole=True,
        ),
    ),
    ProjectSubject(
        "dependencies dependency requirements libraries packages gems crates modules",
        "project it what which frontend backend third-party third external runtime development dev"
        " direct optional package library version versions python pypi pip node npm yarn pnpm"
        " javascript js go golang rust cargo java maven gradle kotlin scala ruby gem php composer"
        " elixir hex dart pub swift nuget haskell cabal opam ocaml lua julia perl zig",
        "party extras depend depends module other pulled",
        ALL_MANIFESTS,
    ),
    ProjectSubject(
        "style lint linter linters linting formatting indentation standards conventions",
        "code coding rules rule standard standards convention conventions guideline guidelines"
        " guide settings config configuration checks editor",
        "source tool tools whitespace naming files",
        FileNames(_STYLE, guides=f"{_GUIDES} CODING* STYLE*", word="style"),
    ),
    ProjectSubject("dependency dependencies", "where list version versions", "", ALL_MANIFESTS),
    ProjectSubject("package packages library libraries", "versions", "", ALL_MANIFESTS),
    ProjectSubject(
        "docker container oci dockerfile containerfile",
        "image images file files build built dockerfile containerfile",
        "made release production base",
        FileNames(_DOCKER),
    ),
    ProjectSubject(
        "compose docker-compose",
        "docker file files stack services docker-compose",
        "setup config configuration",
        FileNames(_COMPOSE),
    ),
    ProjectSubject(
        "database db sql",
        "schema tables structure",
        "look like definition",
        FileNames(
            "schema.rb schema.sql schema.prisma structure.sql schema.ex schema.ts schema.graphql"
        ),
    ),
    ProjectSubject(
        "routes urls endpoints",
        "where what which http url api web rest defined declared registered",
        "mapped routed patterns",
        FileNames("routes.* routes/*.* urls.py router.* router/*.* routing.*"),
    ),
    ProjectSubject(
        "release releases releasing",
        "process procedure made make cut publish published workflow steps checklist script"
        " pipeline instructions done",
        "a new maintainers version binaries",
        _RELEASES,
    ),
    ProjectSubject(
        "environment env",
        "variables variable vars file template sample example",
        "list reads supported supports available",
        FileNames(".env.example .env.sample .env.dist .env.template .env.*example example.env"),
    ),
    ProjectSubject(
        "build built building compile compiled compiling",
        "how script scripts instructions file files setup system steps source config configuration"
        " settings options",
        "scratch locally frontend everything code",
        FileNames(
            f"{_TASKS} {_NATIVE} {_JVM} build.sh build.ps1 build.zig build.cake configure setup.py"
            " .goreleaser* Dockerfile INSTALL* BUILDING* webpack.*.js vite.config.*"
            " rollup.config.*",
            "package.json composer.json mix.exs pyproject.toml",
            _GUIDES,
            "build",
            _DOCUMENTS,
        ),
    ),
    ProjectSubject(
        "test tests testing specs",
        "how running",
        "command run execute unit integration locally suite",
        FileNames(
            f"{_TASKS} phpunit.xml* pytest.ini jest.config.* vitest.config.* karma.conf.*"
            " .github/workflows/*test* .github/workflows/ci.y*ml .github/workflows/*build*"
            " .travis.y*ml",
            "package.json composer.json mix.exs",
            f"{_GUIDES} TESTING* testing.*",
            "test",
            _DOCUMENTS,
        ),
    ),
    ProjectSubject(
        "config configuration settings properties",
        "app application server site project",
        "file files",
        FileNames(_SETTINGS_FILES),
    ),
    ProjectSubject(
        "config configuration settings",
        "sample example shipped ships",
        "default file files a",
        FileNames(
            "*.example.* *.sample.* *.example *.sample *.dist *.default.* config.toml config.y*ml"
            " *rc"
        ),
    ),
    ProjectSubject(
        "connection",
        "string strings settings config configuration",
        "database db",
        FileNames(
            "appsettings*.json application*.properties application*.y*ml database.y*ml web.config"
            " .env.example"
        ),
    ),
    ProjectSubject(
        "test tests testing",
        "framework config configuration settings",
        "runner setup unit file files",
        FileNames(
            "pytest.ini tox.ini jest.config.* vitest.config.* karma.conf.* .mocharc* ava.config.*"
            " phpunit.xml* .rspec .busted conftest.py playwright.config.* cypress.config.*",
            "pyproject.toml package.json",
            word="test",
        ),
    ),
    ProjectSubject(
        "tests",
        "command",
        "run execute unit integration",
        FileNames(
            _TASKS,
            "package.json composer.json mix.exs",
            f"{_GUIDES} TESTING*",
            "test",
            _DOCUMENTS,
        ),
    ),
    ProjectSubject("entry", "point points program", "main binary code", _MAIN, "main"),
    ProjectSubject(
        "main entrypoint entry-point",
        "function method program file module class package binary where",
        "",
        _MAIN,
        "main",
    ),
    ProjectSubject(
        "start starts begin begins",
        "where",
        "execution everything code command line tool cli server binary",
        _MAIN,
        "main",
    ),
    ProjectSubject("publish publishing", "version package crate gem", "a new", _RELEASES),
    ProjectSubject(
        "contribute contributing contribution contributions",
        "how guidelines guide rules",
        "code",
        FileNames("CONTRIBUTING* contributing.*", is_whole=True),
    ),
    ProjectSubject(
        "development dev contributor contributors developer developers",
        "environment setup install started up",
        "a start local locally machine new guide instructions",
        FileNames(
            f"{_GUIDES} .devcontainer/* Vagrantfile flake.nix shell.nix devbox.json bin/setup"
            " script/setup script/bootstrap",
            guides=f"{_GUIDES} README*",
            word="development",
            documents=_DOCUMENTS,
        ),
    ),
    ProjectSubject(
        "architecture design",
        "overview document documents documentation docs described high-level",
        "system code a",
        FileNames(
            "ARCHITECTURE* architecture*.md architecture*.rst DESIGN* design*.md", is_whole=True
        ),
    ),
    ProjectSubject(
        "changelog notes history",
        "release releases changelog",
        "a file version versions earlier last",
        FileNames("CHANGELOG* CHANGES* ChangeLog* HISTORY* NEWS* changelog*", is_whole=True),
    ),
)
