"""Find out which files of a project a question asks for: its licence, the settings of a tool.

A question asks for such files only if nothing else is in it: "license key validation" and "parse
configuration" ask for code. `project_file_names.py` has the names of the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from codeindex.query.project_file_names import (
    ALL_MANIFESTS,
    BUILD_FILES,
    CI_FILES,
    FILLER_WORDS,
    MANIFESTS,
    PROJECT_SUBJECTS,
    TOOL_FILES,
    TOOL_MANIFESTS,
    VERSION_FILES,
    VERSION_MANAGERS,
    FileNames,
    ProjectSubject,
)


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """Files that answer a question about a project, as patterns of whole paths.

    Files in `named` answer by their name. A manifest answers if `section` matches in it, one of
    `documents` if `heading` does; a manifest or guide that only contains `word` answers less well.
    A file that defines a function `symbol` answers, too, unless this is "". With `is_whole` the
    beginning of a file answers, not the part with the question's words.
    """

    named: re.Pattern[str]
    manifests: re.Pattern[str]
    guides: re.Pattern[str]
    word: str
    section: re.Pattern[str]
    documents: re.Pattern[str]
    heading: re.Pattern[str]
    symbol: str = ""
    is_whole: bool = False


_SUFFIX = (
    r"(?:\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|hcl|neon|xml|properties|plist|dist|example|sample"
    r"|template))+"
)
_CODE_SUFFIX = r"\.(?:[cm]?[jt]s|rb|php|exs|py|kts|lua|hs)"
_QUALIFIER = r"(?:[-_.]?(?:config|conf|cfg|rc|settings|ignore|todo|baseline|base|local|dev|prod))*"
_CONFIG_FOLDER = r"(?:(?:.*/)?(?:config|conf|etc|settings|\.[\w-]+)/(?:.*/)?|(?:[^/]+/)?)"
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
    (_WORKFLOW_FOR, FileNames(CI_FILES)),
    (_OVERVIEW, FileNames("README*", is_whole=True)),
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
    rest = words - FILLER_WORDS
    for subject in PROJECT_SUBJECTS:
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
    if not re.search(r"\w", tool) or tool == "git" or not FILLER_WORDS.isdisjoint(tool.split()):
        return None  # "git hooks" asks for code: `.gitignore` has no settings
    return _settings_of(tool, is_tool=not has_settings)


def _has_subject(subject: ProjectSubject, words: frozenset[str], rest: frozenset[str]) -> bool:
    """Tell whether a question has a subject; `rest` are its words without fillers."""
    topic, about = subject.topic.split(), subject.about.split()
    if words.isdisjoint(topic) or (about and words.isdisjoint(about)):
        return False
    return rest <= {*topic, *about, *subject.also.split()}


def _of_languages(names: FileNames, words: frozenset[str]) -> FileNames:
    """Return the manifests of the languages among the words; without one, `names` as they are."""
    if names is not ALL_MANIFESTS:
        return names
    manifests = filter(None, (_names_for(MANIFESTS, word) for word in sorted(words)))
    return FileNames(" ".join(manifests) or names.names)


def _versioned_language(shape: str, rest: frozenset[str]) -> str:
    """Return the language for whose version a question asks; "" for any other question."""
    if rest == {"msrv"}:
        return "rust"
    if rest.isdisjoint({"version", "versions", "msrv"}):
        return ""
    asking = re.search(r"\bdoes (\S+)", shape)  # a name, as in "does shop support"
    others = rest - _VERSION_WORDS - {asking[1] if asking else ""}
    language = next(iter(others)) if len(others) == 1 else ""
    return language if language and _names_for(MANIFESTS, language) else ""


def _compile(
    names: FileNames, *, named: str = "", section: str = "", symbol: str = ""
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
        re.compile(_paths(names.documents)),
        re.compile(
            _HEADING.format(re.escape(names.word.removesuffix("e"))), re.IGNORECASE | re.MULTILINE
        ),
        symbol,
        names.is_whole,
    )


def _versions_of(language: str) -> ProjectFiles:
    """Return the files that declare which versions of a language a project needs."""
    manifests = _names_for(MANIFESTS, language)
    files = f"{_names_for(VERSION_FILES, language)} {VERSION_MANAGERS}"
    return _compile(FileNames(files, manifests, BUILD_FILES, language), section=re.escape(language))


def _settings_of(tool: str, *, is_tool: bool) -> ProjectFiles:
    """Return the files with the settings of a tool, or of any other part of a program.

    They are the files that are named after it, those of `TOOL_FILES`, and manifests with a section.
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
    names = FileNames(_names_for(TOOL_FILES, tool), _names_for(TOOL_MANIFESTS, tool), word=tool)
    return _compile(names, named=named)


def _names_for(table: Mapping[str, str], key: str) -> str:
    """Return the file names of all rows of a table whose pattern matches `key`."""
    return " ".join(names for keys, names in table.items() if re.fullmatch(keys, key))


def _paths(names: str) -> str:
    """Return a pattern of the paths that end in one of the globs `names`; "" matches none."""
    globs = (re.escape(name).replace(r"\*", ".*") for name in names.split())
    return rf"(?:.*/)?(?:{'|'.join(globs)})" if names else "(?!)"
