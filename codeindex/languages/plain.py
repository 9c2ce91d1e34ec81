"""Define languages without a symbols query: documents, data, markup and rarer code.

Files that are no documents are cut into line windows. If two languages share a suffix, the one that
is more common in repositories has it: `.m` is Objective-C (not MATLAB), `.pl` Perl (not Prolog),
`.v` Verilog (not Coq), `.d` D (not make's dependency lists, which git ignores), `.fs` F# (not Forth
or a fragment shader), `.pp` Puppet (not Pascal), `.cls` LaTeX (not Apex), `.re` Reason (not re2c),
`.r` R (not Rebol).
"""

from dataclasses import replace

from codeindex.languages._base import Language

_ES = ("javascript", "typescript", "tsx")

_DOCUMENTS = (
    Language("asciidoc", (".adoc", ".asciidoc"), headings="equals"),
    Language(
        "markdown",
        (".md", ".markdown", ".mdx", ".rmd", ".qmd"),
        headings="hash",
        indented_code=True,
    ),
    Language("notebook", (".ipynb",), document="cell", calls=("python", "julia")),
    Language("org", (".org",), headings="stars"),
    Language("pdf", (".pdf",), document="page"),
    Language("pod", (".pod",), headings="commands", indented_code=True),
    Language("rst", (".rst",), headings="underline"),
    Language(
        "text",
        (".txt", ".text"),
        filenames=(
            *("AUTHORS", "CHANGELOG", "CHANGES", "CODEOWNERS", "CONTRIBUTING", "COPYING"),
            *("HACKING", "INSTALL", "LICENSE", "MAINTAINERS", "NEWS", "NOTICE", "README", "TODO"),
        ),
    ),
)
_DATA = (
    Language(
        "json",
        (".json", ".json5", ".webmanifest", ".avsc"),
        filenames=(".arcconfig", ".watchmanconfig"),
    ),
    Language(
        "jsonc",
        (".jsonc", ".code-workspace"),
        filenames=(".babelrc", ".eslintrc", ".jshintrc", ".prettierrc", ".swcrc", "tsconfig.json"),
    ),
    Language("yaml", (".yaml", ".yml", ".cff"), filenames=(".clang-format", ".clang-tidy")),
    Language("toml", (".toml",), filenames=("Pipfile",)),
    Language(
        "ini",
        (".ini", ".cfg", ".conf", ".properties", ".service", ".socket", ".timer", ".desktop"),
        filenames=(".editorconfig", ".flake8", ".gitattributes", ".gitmodules", ".pylintrc"),
    ),
    Language(
        "xml",
        (
            *(".xml", ".xsd", ".xsl", ".xslt", ".dtd", ".wsdl", ".plist", ".xaml", ".axaml"),
            *(".csproj", ".fsproj", ".vbproj", ".vcxproj", ".props", ".targets", ".nuspec"),
            *(".xlf", ".xliff", ".resx", ".resw"),
        ),
    ),
    Language(
        "requirements",
        (),
        filenames=("constraints.txt", "requirements-dev.txt", "requirements.txt"),
    ),
    Language("gomod", (), filenames=("go.mod", "go.work")),
    Language("gettext", (".po", ".pot")),
    Language("edn", (".edn",)),
    Language("zon", (".zon",)),
)

_MARKUP = (
    Language(
        "html",
        (".html", ".htm", ".xhtml", ".cshtml", ".razor", ".jsp"),
        headings="elements",
        calls=(*_ES, "csharp", "java", "python", "go", "php"),
    ),
    Language("css", (".css", ".pcss")),
    Language("scss", (".scss", ".sass"), excludes=(".sass-cache/",)),
    Language("less", (".less",)),
    Language("stylus", (".styl",)),
    Language("astro", (".astro",), excludes=(".astro/",), calls=_ES),
    Language("handlebars", (".hbs", ".handlebars", ".mustache"), calls=_ES),
    Language("jinja", (".j2", ".jinja", ".jinja2"), calls=("python",)),
    Language("erb", (".erb",), calls=("ruby",)),
    Language("ejs", (".ejs",), calls=_ES),
    Language("heex", (".heex", ".eex", ".leex"), calls=("elixir",)),
    Language("haml", (".haml",), calls=("ruby",)),
    Language("slim", (".slim",), calls=("ruby",)),
    Language("pug", (".pug", ".jade"), calls=_ES),
    Language("twig", (".twig",), calls=("php",)),
    Language("liquid", (".liquid",), calls=("ruby",)),
    Language("latex", (".tex", ".ltx", ".sty", ".cls", ".bib")),
    Language("typst", (".typ",)),
    Language("mermaid", (".mmd", ".mermaid")),
    Language("plantuml", (".puml", ".plantuml")),
    Language("dot", (".dot", ".gv")),
)

_SCHEMAS = (
    Language("graphql", (".graphql", ".graphqls", ".gql")),
    Language("proto", (".proto",)),
    Language("thrift", (".thrift",)),
    Language("capnp", (".capnp",)),
    Language("flatbuffers", (".fbs",)),
    Language("smithy", (".smithy",)),
    Language("avdl", (".avdl",)),
    Language("prisma", (".prisma",)),
    Language("cypher", (".cypher", ".cyp")),
    Language("sparql", (".rq", ".sparql")),
    Language("http", (".http", ".rest")),
)

_BUILDS = (
    Language("dockerfile", (".dockerfile",), filenames=("Containerfile", "Dockerfile")),
    Language(
        "makefile",
        (".mk", ".mak", ".make"),
        filenames=("GNUmakefile", "Makefile", "Makefile.am", "Makefile.in", "makefile"),
        interpreters=("make",),
    ),
    Language("just", (".just",), filenames=("Justfile", "justfile"), interpreters=("just",)),
    Language(
        "cmake",
        (".cmake",),
        filenames=("CMakeLists.txt",),
        excludes=("CMakeFiles/", "cmake-build-*/"),
    ),
    Language("meson", (), filenames=("meson.build", "meson.options", "meson_options.txt")),
    Language(
        "starlark",
        (".bzl", ".bazel", ".star"),
        filenames=("BUCK", "BUILD", "Tiltfile", "WORKSPACE"),
        excludes=("/bazel-bin/", "/bazel-out/", "/bazel-testlogs/"),
    ),
    Language("gn", (".gn", ".gni")),
    Language("ninja", (".ninja",)),
    Language(
        "groovy",
        (".groovy", ".gradle", ".gvy"),
        filenames=("Jenkinsfile",),
        interpreters=("groovy",),
        tests=("*Spec.groovy", "*Test.groovy", "*Tests.groovy", "**/src/test/**"),
        excludes=(".gradle/",),
        calls=("java", "kotlin"),
    ),
    Language(
        "terraform",
        (".tf", ".tfvars", ".hcl", ".nomad"),
        tests=("*.tftest.hcl",),
        excludes=(".terraform/",),
        lock_files=(".terraform.lock.hcl",),
    ),
    Language("bicep", (".bicep",)),
    Language("puppet", (".pp",)),
    Language("nix", (".nix",)),
    Language("jsonnet", (".jsonnet", ".libsonnet")),
    Language("cue", (".cue",)),
    Language("dune", (), filenames=("dune", "dune-project", "dune-workspace")),
    Language("rego", (".rego",), tests=("*_test.rego",)),
    Language("dhall", (".dhall",)),
)

_SCRIPTS = (
    Language(
        "perl",
        (".pl", ".pm", ".psgi", ".t"),
        filenames=("cpanfile",),
        interpreters=("perl",),
        tests=("*.t",),
    ),
    Language("raku", (".raku", ".rakumod", ".rakutest"), interpreters=("raku",)),
    Language(
        "r",
        (".r",),
        filenames=(".Rprofile",),
        interpreters=("Rscript",),
        tests=("**/tests/testthat/**",),
    ),
    Language(
        "powershell", (".ps1", ".psm1", ".psd1"), interpreters=("pwsh",), tests=("*.Tests.ps1",)
    ),
    Language("batch", (".bat", ".cmd")),
    Language("fish", (".fish",), interpreters=("fish",)),
    Language("nushell", (".nu",), interpreters=("nu",)),
    Language("awk", (".awk",), interpreters=("awk", "gawk", "mawk")),
    Language("tcl", (".tcl", ".tk"), interpreters=("tclsh", "wish")),
    Language("vim", (".vim",), filenames=(".vimrc", "_vimrc")),
    Language("coffeescript", (".coffee",), interpreters=("coffee",), calls=_ES),
    Language("crystal", (".cr",), interpreters=("crystal",), tests=("*_spec.cr",)),
    Language("gdscript", (".gd",), excludes=(".godot/",)),
    Language("applescript", (".applescript",), interpreters=("osascript",)),
    Language("gherkin", (".feature",), tests=("*.feature",)),
    Language("robotframework", (".robot", ".resource"), tests=("*.robot",), calls=("python",)),
)

_FUNCTIONAL = (
    Language(
        "fsharp",
        (".fs", ".fsi", ".fsx"),
        tests=("*Test.fs", "*Tests.fs", "**/tests/**/*.fs"),
        calls=("csharp",),
    ),
    Language("ocamllex", (".mll",), calls=("ocaml",)),
    Language("menhir", (".mly",), calls=("ocaml",)),
    Language("reason", (".re", ".rei"), tests=("*_test.re",), calls=("ocaml",)),
    Language("rescript", (".res", ".resi"), tests=("*_test.res",)),
    Language("elm", (".elm",), tests=("**/tests/**/*.elm",), excludes=("elm-stuff/",)),
    Language("purescript", (".purs",), tests=("**/test/**/*.purs",), excludes=(".spago/",)),
    Language("gleam", (".gleam",), tests=("*_test.gleam",)),
    Language("literate-haskell", (".lhs",), calls=("haskell",)),
    Language("idris", (".idr",)),
    Language("agda", (".agda", ".lagda"), excludes=("*.agdai",)),
    Language("lean", (".lean",), excludes=(".lake/",)),
    Language(
        "erlang",
        (".erl", ".hrl", ".escript"),
        filenames=("rebar.config",),
        interpreters=("escript",),
        tests=("*_SUITE.erl", "*_tests.erl"),
        excludes=("*.beam",),
    ),
    Language(
        "clojure",
        (".clj", ".cljs", ".cljc", ".bb"),
        interpreters=("bb", "clojure"),
        tests=("*_test.clj", "*_test.cljc", "*_test.cljs", "**/test/**/*.clj*"),
        excludes=(".cpcache/", ".shadow-cljs/"),
        calls=("java",),
    ),
    Language("commonlisp", (".lisp", ".lsp", ".asd"), interpreters=("sbcl",)),
    Language("emacs-lisp", (".el",), filenames=(".emacs",), tests=("*-test.el", "*-tests.el")),
    Language("scheme", (".scm", ".ss", ".sld"), interpreters=("guile",)),
    Language("racket", (".rkt",), interpreters=("racket",)),
    Language("prolog", (".prolog",), interpreters=("swipl",)),
)

_SYSTEMS = (
    Language(
        "objective-c",
        (".m", ".mm"),
        tests=("*Test.m", "*Tests.m", "*Tests.mm"),
        calls=("c", "cpp", "swift"),
    ),
    Language("assembly", (".s", ".asm", ".nasm"), calls=("c",)),
    Language("cython", (".pyx", ".pxd", ".pxi"), calls=("python", "c", "cpp")),
    Language("d", (".d", ".di"), interpreters=("rdmd",), calls=("c",)),
    Language("nim", (".nim", ".nims", ".nimble"), tests=("**/tests/**/*.nim",), calls=("c",)),
    Language("odin", (".odin",)),
    Language("hare", (".ha",)),
    Language("vala", (".vala", ".vapi"), calls=("c",)),
    Language("fortran", (".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08")),
    Language("pascal", (".pas", ".dpr", ".lpr")),
    Language("ada", (".adb", ".ads")),
    Language("cobol", (".cob", ".cbl", ".cpy")),
    Language("visual-basic", (".vb", ".bas", ".vbs"), calls=("csharp",)),
    Language("haxe", (".hx",)),
    Language("actionscript", (".as",)),
    Language("verilog", (".v", ".vh", ".sv", ".svh")),
    Language("vhdl", (".vhd", ".vhdl")),
    Language("solidity", (".sol",), tests=("*.t.sol",)),
    Language("cairo", (".cairo",)),
    Language("move", (".move",)),
    Language("glsl", (".glsl", ".vert", ".frag", ".geom", ".comp", ".tesc", ".tese")),
    Language("hlsl", (".hlsl", ".fx")),
    Language("wgsl", (".wgsl",)),
    Language("metal", (".metal",)),
    Language("opencl", (".cl",)),
    Language("wat", (".wat", ".wast")),
    Language("llvm", (".ll",)),
)

_WITHOUT_CODE = (*_DATA, *(language for language in _MARKUP if not language.calls))
LANGUAGES = (
    *(replace(language, prose=True) for language in _DOCUMENTS),
    *(replace(language, declares=False) for language in _WITHOUT_CODE),
    *(language for language in _MARKUP if language.calls),
    *(*_SCHEMAS, *_BUILDS, *_SCRIPTS, *_FUNCTIONAL, *_SYSTEMS),
)
