"""Find out which files of a project a question asks for: its licence, the settings of a tool.

The file names are those that the tools publish. A question asks for such files only if nothing
else is in it: "license key validation" and "parse configuration" ask for code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class _Names(NamedTuple):
    """File names that answer a question; globs, separated by blanks.

    Files in `names` answer by their name, with `is_whole` by their beginning. A manifest answers if
    it has a section for `word`; a manifest or guide that only contains `word` answers less well.
    """

    names: str
    manifests: str = ""
    guides: str = ""
    word: str = ""
    is_whole: bool = False


class _Subject(NamedTuple):
    """A subject of questions about a project, told by words that are separated by blanks.

    A question has the subject if it has one of the words `topic` and one of `about`, unless this is
    empty, and else only words in `also` and `_FILLERS`. A file that defines a function `symbol`
    answers, too.
    """

    topic: str
    about: str
    also: str
    names: _Names
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """Files that answer a question about a project, as patterns of whole paths.

    Files in `named` answer by their name. A manifest answers if `section` matches in it, a guide
    or, if there are `guides`, a README if `heading` does; a manifest or guide that only contains
    `word` answers less well. A file that defines a function `symbol` answers, too, unless this is
    "". With `is_whole` the beginning of a file answers, not the part with the question's words.
    """

    named: re.Pattern[str]
    manifests: re.Pattern[str]
    guides: re.Pattern[str]
    word: str
    section: re.Pattern[str]
    heading: re.Pattern[str]
    has_guides: bool
    symbol: str = ""
    is_whole: bool = False


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
_MANIFESTS = {keys: manifests for keys, (manifests, _) in _LANGUAGES.items()}
_VERSION_FILES = {keys: files for keys, (_, files) in _LANGUAGES.items()}
_ALL_MANIFESTS = _Names(" ".join((*_MANIFESTS.values(), "Directory.Packages.props")))
_BUILDS = ".github/workflows/*.y*ml .travis.y*ml .gitlab-ci.yml appveyor.yml Dockerfile"
"""Names of files that name the versions with which a project is built and tested."""
_VERSION_MANAGERS = ".tool-versions mise.toml .mise.toml"
_CI = (
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
_TOOLS: Mapping[str, str] = {
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
_IN_MANIFESTS: Mapping[str, str] = {
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
_SUFFIX = (
    r"(?:\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|hcl|neon|xml|properties|plist|dist|example|sample"
    r"|template))+"
)
_CODE_SUFFIX = r"\.(?:[cm]?[jt]s|rb|php|exs|py|kts|lua|hs)"
_QUALIFIER = r"(?:[-_.]?(?:config|conf|cfg|rc|settings|ignore|todo|baseline|base|local|dev|prod))*"
_CONFIG_FOLDER = r"(?:(?:.*/)?(?:config|conf|etc|settings|\.[\w-]+)/(?:.*/)?|(?:[^/]+/)?)"
_GUIDES = "CONTRIBUTING* contributing.* HACKING* DEVELOP* development.*"
_MAIN = _Names(
    "__main__.py main.py main.go main.rs main.c main.cc main.cpp main.js main.ts main.tsx main.jsx"
    " main.mjs main.swift main.dart main.zig main.lua main.ml main.kt Main.java Main.kt Main.hs"
    " Main.scala Program.cs manage.py app.py app.js app.ts server.js server.ts index.js index.php"
    " application.ex *Application.java *Application.kt src/bin/*.rs"
)
_RELEASES = _Names(
    "RELEASE*.* RELEASING* release*.md releasing.* release.sh release .goreleaser*"
    " .releaserc* release.config.* .github/workflows/*release*"
    " .github/workflows/*publish* .github/workflows/*deploy*",
    guides=_GUIDES,
    word="release",
)
_FILLERS = frozenset(
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
_SUBJECTS = (
    _Subject(
        "ci ci/cd continuous",
        "",
        "integration pipeline pipelines workflow workflows job jobs build config configuration"
        " setup checks run runs github actions gitlab test tests deployment file files settings"
        " backend frontend lint",
        _Names(_CI),
    ),
    _Subject("checks", "pull prs merge", "run runs request requests", _Names(_CI)),
    _Subject(
        "github gitlab gitea",
        "actions action workflow workflows pipeline pipelines job jobs ci",
        "config configuration setup file files settings",
        _Names(_CI),
    ),
    _Subject(
        "licence license licenses licences licensed licensing",
        "",
        "file files text terms mit apache bsd gpl lgpl agpl mpl code released distributed"
        " published available source open a an",
        _Names(
            "LICENSE* LICENCE* license license.txt license.md license.rst licence licence.txt"
            " licence.md COPYING* MIT-LICENSE* UNLICENSE*",
            is_whole=True,
        ),
    ),
    _Subject(
        "dependencies dependency requirements libraries packages gems crates modules",
        "project it what which frontend backend third-party third external runtime development dev"
        " direct optional package library version versions python pypi pip node npm yarn pnpm"
        " javascript js go golang rust cargo java maven gradle kotlin scala ruby gem php composer"
        " elixir hex dart pub swift nuget haskell cabal opam ocaml lua julia perl zig",
        "party extras depend depends module other pulled",
        _ALL_MANIFESTS,
    ),
    _Subject(
        "style lint linter linters linting formatting indentation standards conventions",
        "code coding rules rule standard standards convention conventions guideline guidelines"
        " guide settings config configuration checks editor",
        "source tool tools whitespace naming files",
        _Names(_STYLE, guides=f"{_GUIDES} CODING* STYLE*", word="style"),
    ),
    _Subject("dependency dependencies", "where list version versions", "", _ALL_MANIFESTS),
    _Subject("package packages library libraries", "versions", "", _ALL_MANIFESTS),
    _Subject(
        "docker container oci dockerfile containerfile",
        "image images file files build built dockerfile containerfile",
        "made release production base",
        _Names(_DOCKER),
    ),
    _Subject(
        "compose docker-compose",
        "docker file files stack services docker-compose",
        "setup config configuration",
        _Names(_COMPOSE),
    ),
    _Subject(
        "database db sql",
        "schema tables structure",
        "look like definition",
        _Names(
            "schema.rb schema.sql schema.prisma structure.sql schema.ex schema.ts schema.graphql"
        ),
    ),
    _Subject(
        "routes urls endpoints",
        "where what which http url api web rest defined declared registered",
        "mapped routed patterns",
        _Names("routes.* routes/*.* urls.py router.* router/*.* routing.*"),
    ),
    _Subject(
        "release releases releasing",
        "process procedure made make cut publish published workflow steps checklist script"
        " pipeline instructions done",
        "a new maintainers version binaries",
        _RELEASES,
    ),
    _Subject(
        "environment env",
        "variables variable vars file template sample example",
        "list reads supported supports available",
        _Names(".env.example .env.sample .env.dist .env.template .env.*example example.env"),
    ),
    _Subject(
        "build built building compile compiled compiling",
        "how script scripts instructions file files setup system steps source config configuration"
        " settings options",
        "scratch locally frontend everything code",
        _Names(
            f"{_TASKS} {_NATIVE} {_JVM} build.sh build.ps1 build.zig build.cake configure setup.py"
            " .goreleaser* Dockerfile INSTALL* BUILDING* webpack.*.js vite.config.*"
            " rollup.config.*",
            "package.json composer.json mix.exs pyproject.toml",
            _GUIDES,
            "build",
        ),
    ),
    _Subject(
        "test tests testing specs",
        "how running",
        "command run execute unit integration locally suite",
        _Names(
            f"{_TASKS} phpunit.xml* pytest.ini jest.config.* vitest.config.* karma.conf.*"
            " .github/workflows/*test* .github/workflows/ci.y*ml .github/workflows/*build*"
            " .travis.y*ml",
            "package.json composer.json mix.exs",
            f"{_GUIDES} TESTING* testing.*",
            "test",
        ),
    ),
    _Subject(
        "config configuration settings properties",
        "app application server site project",
        "file files",
        _Names(_SETTINGS_FILES),
    ),
    _Subject(
        "config configuration settings",
        "sample example shipped ships",
        "default file files a",
        _Names(
            "*.example.* *.sample.* *.example *.sample *.dist *.default.* config.toml config.y*ml"
            " *rc"
        ),
    ),
    _Subject(
        "connection",
        "string strings settings config configuration",
        "database db",
        _Names(
            "appsettings*.json application*.properties application*.y*ml database.y*ml web.config"
            " .env.example"
        ),
    ),
    _Subject(
        "test tests testing",
        "framework config configuration settings",
        "runner setup unit file files",
        _Names(
            "pytest.ini tox.ini jest.config.* vitest.config.* karma.conf.* .mocharc* ava.config.*"
            " phpunit.xml* .rspec .busted conftest.py playwright.config.* cypress.config.*",
            "pyproject.toml package.json",
            word="test",
        ),
    ),
    _Subject(
        "tests",
        "command",
        "run execute unit integration",
        _Names(_TASKS, "package.json composer.json mix.exs", f"{_GUIDES} TESTING*", "test"),
    ),
    _Subject("entry", "point points program", "main binary code", _MAIN, "main"),
    _Subject(
        "main entrypoint entry-point",
        "function method program file module class package binary where",
        "",
        _MAIN,
        "main",
    ),
    _Subject(
        "start starts begin begins",
        "where",
        "execution everything code command line tool cli server binary",
        _MAIN,
        "main",
    ),
    _Subject("publish publishing", "version package crate gem", "a new", _RELEASES),
    _Subject(
        "contribute contributing contribution contributions",
        "how guidelines guide rules",
        "code",
        _Names("CONTRIBUTING* contributing.*", is_whole=True),
    ),
    _Subject(
        "development dev contributor contributors developer developers",
        "environment setup install started up",
        "a start local locally machine new guide instructions",
        _Names(
            f"{_GUIDES} .devcontainer/* Vagrantfile flake.nix shell.nix devbox.json bin/setup"
            " script/setup script/bootstrap",
            guides=f"{_GUIDES} README*",
            word="development",
        ),
    ),
    _Subject(
        "architecture design",
        "overview document documents documentation docs described high-level",
        "system code a",
        _Names(
            "ARCHITECTURE* architecture*.md architecture*.rst DESIGN* design*.md", is_whole=True
        ),
    ),
    _Subject(
        "changelog notes history",
        "release releases changelog",
        "a file version versions earlier last",
        _Names("CHANGELOG* CHANGES* ChangeLog* HISTORY* NEWS* changelog*", is_whole=True),
    ),
)
_VERSION_WORDS = frozenset(
    {
        *("version", "versions", "minimum", "min", "minimal", "supported", "supports", "support"),
        *("oldest", "lowest", "sdk", "msrv", "edition", "requirement", "requirements", "target"),
        *("targets", "targeted", "build", "compile", "run", "install", "develop", "tools"),
    }
)
_SETTINGS = "(?:config|configs|configuration|configurations|settings|setup|rules|options)"
_OTHERWISE = "(?:build|checks|hooks|manifest|recipes?|scripts|targets)"
"""Files that a tool has besides its settings, but not every word: "cache file" asks for code."""
_FIND = (
    "(?:(?:find|show|show me|give me|list|where (?:are|is)|where's|what (?:are|is)|what's|which"
    " (?:are|is)|where (?:do|can) (?:i|we) (?:change|edit|find|set)) )?(?:the |all |its )?"
)
_TOOL = r"(\S+(?: \S+){0,2}?)"
_CONFIGURED = (
    rf"{_FIND}{_TOOL} (?:build )?{_SETTINGS}(?: files?)?"
    rf"(?: (?:of|for|in) (?:it|(?:the|this) project))?"
    rf"|(?:where|how) (?:is|are) (?:the )?{_TOOL} (?:configured|set up)"
    rf"|{_FIND}{_SETTINGS}(?: files?)? (?:of|for) (?:the )?{_TOOL}"
    rf"|(?:how (?:to|do i|do we|can i) )?(?:configure|set up) (?:the )?{_TOOL}"
)
_OF_TOOL = rf"{_FIND}{_TOOL} (?:build )?{_OTHERWISE}(?: files?)?"
_WORKFLOW_FOR = (
    rf"{_FIND}(?:github|gitlab|gitea|ci|ci/cd) (?:actions?|jobs?|pipelines?|workflows?)"
    " (?:for|of|that|which) .+"
)
_WHOLE = (
    "(?:app|application|codebase|library|package|program|project|repo|repository|software|tool)"
)
_OVERVIEW = (
    rf"what (?:does (?:this|the) {_WHOLE}(?: actually| really)? do|is (?:this|the) {_WHOLE}"
    rf"(?: about| for)?)|(?:what is the )?(?:overview|introduction|purpose|summary) of (?:this|the)"
    rf" {_WHOLE}|{_WHOLE} (?:overview|introduction|purpose|summary)"
)
_PHRASES = (
    (_WORKFLOW_FOR, _Names(_CI)),
    (_OVERVIEW, _Names("README*", is_whole=True)),
)
_HEADING = r"^(?:#+|=+) .*\b{0}|^.*\b{0}.*\n[-=~^\"'+*#]{{3,}}$"
"""A heading with a word in Markdown, AsciiDoc or reStructuredText."""
_LONGEST = 80
"""Most characters of such a question."""
_WORD = re.compile(r"\.?\w[\w.+#/'-]*[\w+#]|\w")


def project_files(shape: str) -> ProjectFiles | None:
    """Return the files of a project that a question asks for; None if it asks for anything else.

    `shape` has the words of the question in lower case.
    """
    if len(shape) > _LONGEST:
        return None
    words = frozenset(_WORD.findall(shape))
    rest = words - _FILLERS
    for subject in _SUBJECTS:
        if _has_subject(subject, words, rest):
            return _compile(_of_languages(subject.names, rest), symbol=subject.symbol)
    if language := _versioned_language(shape, rest):
        return _versions_of(language)
    for pattern, names in _PHRASES:
        if re.fullmatch(pattern, shape):
            return _compile(names)
    has_settings = re.fullmatch(_CONFIGURED, shape)
    phrase = has_settings or re.fullmatch(_OF_TOOL, shape)
    tool = next(filter(None, phrase.groups())) if phrase else ""
    if not re.search(r"\w", tool) or tool == "git" or not _FILLERS.isdisjoint(tool.split()):
        return None  # "git hooks" asks for code: `.gitignore` has no settings
    return _settings_of(tool, is_tool=not has_settings)


def _has_subject(subject: _Subject, words: frozenset[str], rest: frozenset[str]) -> bool:
    """Tell whether a question has a subject; `rest` are its words without fillers."""
    topic, about = subject.topic.split(), subject.about.split()
    if words.isdisjoint(topic) or (about and words.isdisjoint(about)):
        return False
    return rest <= {*topic, *about, *subject.also.split()}


def _of_languages(names: _Names, words: frozenset[str]) -> _Names:
    """Return the manifests of the languages among the words; without one, `names` as they are."""
    if names is not _ALL_MANIFESTS:
        return names
    manifests = filter(None, (_names_for(_MANIFESTS, word) for word in sorted(words)))
    return _Names(" ".join(manifests) or names.names)


def _versioned_language(shape: str, rest: frozenset[str]) -> str:
    """Return the language for whose version a question asks; "" for any other question."""
    if rest == {"msrv"}:
        return "rust"
    if rest.isdisjoint({"version", "versions", "msrv"}):
        return ""
    asking = re.search(r"\bdoes (\S+)", shape)  # a name, as in "does shop support"
    others = rest - _VERSION_WORDS - {asking[1] if asking else ""}
    language = next(iter(others)) if len(others) == 1 else ""
    return language if language and _names_for(_MANIFESTS, language) else ""


def _compile(
    names: _Names, *, named: str = "", section: str = "", symbol: str = ""
) -> ProjectFiles:
    """Return `names` as patterns of paths; `named` is one for further files that answer by name.

    Without `section`, a section is a heading in brackets, a key or a tag with the word.
    """
    word = re.escape(names.word)
    section = section or (
        rf"^[ \t]*\[.*\b{word}\b|^[ \t]*{word}\w*[ \t]*[:=]|<[\w.-]*{word}[\w.-]*>"
        rf'|"{word}[\w:-]*"\s*:\s*(?:[\[{{]|"[^~^\d"])'
    )
    by_name = _paths(names.names)
    return ProjectFiles(
        re.compile(f"{by_name}|{named}", re.IGNORECASE) if named else re.compile(by_name),
        re.compile(_paths(names.manifests)),
        re.compile(_paths(names.guides)),
        names.word,
        re.compile(section, re.IGNORECASE | re.MULTILINE),
        re.compile(
            _HEADING.format(re.escape(names.word.removesuffix("e"))), re.IGNORECASE | re.MULTILINE
        ),
        bool(names.guides),
        symbol,
        names.is_whole,
    )


def _versions_of(language: str) -> ProjectFiles:
    """Return the files that declare which versions of a language a project needs."""
    manifests = _names_for(_MANIFESTS, language)
    files = f"{_names_for(_VERSION_FILES, language)} {_VERSION_MANAGERS}"
    return _compile(_Names(files, manifests, _BUILDS, language), section=re.escape(language))


def _settings_of(tool: str, *, is_tool: bool) -> ProjectFiles:
    """Return the files with the settings of a tool, or of any other part of a program.

    They are the files that are named after it, those of `_TOOLS`, and manifests with a section.
    `is_tool` excludes files that may belong to a part of the program, such as `config/cache.php`.
    """
    spelt = r"[-_. ]?".join(map(re.escape, re.findall(r"\w+", tool)))
    forms = [
        rf"(?:.*/)?\.{spelt}{_QUALIFIER}(?:{_SUFFIX})?(?:{_CODE_SUFFIX})?",
        rf"(?:.*/)?{spelt}(?:[-_.](?:config|conf|rc)|rc)(?:{_SUFFIX}|{_CODE_SUFFIX})?",
        rf"{spelt}{_QUALIFIER}{_SUFFIX}",
    ]
    if not is_tool:
        forms.append(rf"{_CONFIG_FOLDER}{spelt}{_QUALIFIER}{_SUFFIX}")
        forms.append(rf"(?:.*/)?config/(?:.*/)?{spelt}{_CODE_SUFFIX}")
    named = "|".join(forms)
    names = _Names(_names_for(_TOOLS, tool), _names_for(_IN_MANIFESTS, tool), word=tool)
    return _compile(names, named=named)


def _names_for(table: Mapping[str, str], key: str) -> str:
    """Return the file names of all rows of a table whose pattern matches `key`."""
    return " ".join(names for keys, names in table.items() if re.fullmatch(keys, key))


def _paths(names: str) -> str:
    """Return a pattern of the paths that end in one of the globs `names`; "" matches none."""
    globs = (re.escape(name).replace(r"\*", ".*") for name in names.split())
    return rf"(?:.*/)?(?:{'|'.join(globs)})" if names else "(?!)"
