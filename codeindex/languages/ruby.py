"""Define Ruby, with the definitions that RSpec, Minitest, Rake and Rails create."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from codeindex.languages._base import ImportCaptures, ImportedName, Language, Visibility
from codeindex.languages._constants import constant_parts, snake_case
from codeindex.languages._packages import nearest_first
from codeindex.languages.source_tree import (
    ANY_PACKAGE,
    INCLUDERS_MARK,
    MEMBERS_MARK,
    ModuleLocation,
    SourceTree,
    ancestor_folder,
    join_path,
    resolve_dots,
)

_STRING = "[(string . (string_content) {0}) (string . (_) . (string_content) {0})]"
"""The first text of a string, which may begin with an escape or an interpolation. Without anchors,
a query takes time cubed by the escapes in a string."""

_RELATIONS = f"""
((call !receiver method: (identifier) @imported @skip
    arguments: (argument_list . {_STRING.format("@module")} .)) @import @exported
    (#any-of? @imported "require" "require_relative" "load"))
((call !receiver method: (identifier) @imported @skip
    arguments: (argument_list . (simple_symbol) {_STRING.format("@module")} .)) @import @exported
    (#eq? @imported "autoload"))
(method name: (_) @skip)
(method name: (setter (_) @skip))
(singleton_method name: (_) @skip)
(singleton_method name: (setter (_) @skip))
(class name: (_) @skip)
(class name: (scope_resolution (constant) @skip))
(module name: (_) @skip)
(module name: (scope_resolution (constant) @skip))
((call !receiver method: (identifier) @skip !arguments block: (_)) (#eq? @skip "subject"))
(alias (_) @skip)
(undef (_) @skip)
((call !receiver method: (identifier) @skip)
    (#any-of? @skip "attr_reader" "attr_accessor" "attr_writer" "private" "public" "protected"
        "include" "extend" "prepend" "raise" "lambda" "proc" "puts" "p" "loop" "binding"
        "block_given?" "format" "sprintf" "rand" "sleep" "catch" "throw" "freeze" "print"
        "module_function" "private_constant" "private_class_method" "define_method"))

[(block) (do_block) (lambda)] @scope
((call receiver: (constant) @_class method: (identifier) @_new
    arguments: (argument_list . [(constant) (scope_resolution)] @type)
    block: [(block) (do_block)] @nameless) @created (#eq? @_class "Class") (#eq? @_new "new"))
((call receiver: (constant) @_class method: (identifier) @_new
    block: [(block) (do_block)] @baseless) @created
    (#any-of? @_class "Class" "Module") (#eq? @_new "new"))

(method_parameters (identifier) @bind)
(block_parameters (identifier) @bind)
(lambda_parameters (identifier) @bind)
(destructured_parameter (identifier) @bind)
(optional_parameter name: (identifier) @bind value: (_) @value)
(keyword_parameter name: (identifier) @bind)
(splat_parameter name: (identifier) @bind)
(hash_splat_parameter name: (identifier) @bind)
(block_parameter name: (identifier) @bind)
(exception_variable (identifier) @bind)
(left_assignment_list [(identifier) @bind (rest_assignment (identifier) @bind)])
(assignment left: (identifier) @bind right: (_) @value)
(operator_assignment left: (identifier) @bind right: (_) @value)
(for pattern: (identifier) @bind)
(match_pattern pattern: (identifier) @bind)
(assignment left: (constant) @bind right: (_) @value)
(assignment left: (instance_variable) @owner @attribute right: (_) @value)
(operator_assignment left: (instance_variable) @owner @attribute right: (_) @value)

(class superclass: (superclass [(constant) (scope_resolution)] @base))
(class superclass: (superclass (element_reference object: [(constant) (scope_resolution)] @base)))
((call !receiver method: (identifier) @_mixes
    arguments: (argument_list [(constant) (scope_resolution)] @base))
    (#any-of? @_mixes "include" "prepend"))
((call !receiver method: (identifier) @_extend
    arguments: (argument_list [(constant) (scope_resolution)] @class_base))
    (#eq? @_extend "extend"))
(singleton_class body: (body_statement (call !receiver method: (identifier) @_mixes
    arguments: (argument_list [(constant) (scope_resolution)] @class_base)))
    (#any-of? @_mixes "include" "prepend"))
(singleton_method name: (identifier) @_hook body: (body_statement
    (call receiver: (identifier) method: (identifier) @_mixes
        arguments: (argument_list [(constant) (scope_resolution)] @base)))
    (#any-of? @_hook "included" "extended" "prepended") (#eq? @_mixes "include"))
(singleton_method name: (identifier) @_hook body: (body_statement
    (call receiver: (identifier) method: (identifier) @_mixes
        arguments: (argument_list [(constant) (scope_resolution)] @includer_base)))
    (#any-of? @_hook "included" "extended" "prepended") (#eq? @_mixes "extend"))
(program (call receiver: (constant) method: (identifier) @_configure block: (_ (body_statement
    (call method: (identifier) @_mixes
        arguments: (argument_list . [(constant) (scope_resolution)] @test_base)))))
    (#eq? @_configure "configure") (#eq? @_mixes "include"))
(program (call !receiver method: (identifier) @_mixes
    arguments: (argument_list [(constant) (scope_resolution)] @test_base))
    (#eq? @_mixes "include"))

(assignment left: (call receiver: (_) @of method: (identifier) @member @setter))
(operator_assignment left: (call receiver: (_) @of method: (identifier) @member @setter))
(left_assignment_list (call receiver: (_) @of method: (identifier) @member @setter))
((call receiver: (_) @of method: (identifier) @_new @skip) @call (#eq? @_new "new"))
((call receiver: (self) method: (identifier) @_class @skip) @own_type (#eq? @_class "class"))
((call !receiver method: (identifier) @_new @skip) @own_instance (#eq? @_new "new"))
(element_reference object: [(constant) (scope_resolution)] @of) @call
(singleton_method) @class_method
(singleton_class body: (body_statement [(method) (call) (alias)] @class_method))
((call method: (identifier) @_class_methods block: (_ (body_statement (method) @class_method)))
    (#eq? @_class_methods "class_methods"))
(call receiver: (_) @of method: [(identifier) (constant)] @member)
(call method: [(identifier) (constant)] @of) @call
(scope_resolution [(constant) (scope_resolution)] @skip)
(scope_resolution) @quoted
(parenthesized_statements . (_) @of .) @same
(self) @this
(instance_variable) @own
[(assignment right: (_) @of) (operator_assignment right: (_) @of)] @same
(method body: (body_statement (_) @returned .))
(body_statement (_) @returned . [(rescue) (ensure)])
(method body: (body_statement [
    (if consequence: (then (_) @returned .)) (if alternative: (else (_) @returned .))
    (unless consequence: (then (_) @returned .)) (unless alternative: (else (_) @returned .))
    (case (when body: (then (_) @returned .))) (case (else (_) @returned .))
    (begin (_) @returned .) (begin (_) @returned . [(rescue) (ensure)])] .))
(method body: [(call) (identifier) (instance_variable)] @returned)
(return (argument_list . (_) @returned .))
((call method: (identifier) @_let block: [
    (block body: (block_body (_) @block_result .))
    (do_block body: (body_statement (_) @block_result .))])
    (#any-of? @_let "let" "let!" "subject"))
(singleton_method body: (body_statement (_) @returned .))
[(identifier) (constant)] @name
(identifier) @of @call
"""


_SUPER = re.compile(r"(?<![\w.@:])super\b(?!:)")


def _imports(captured: ImportCaptures) -> Iterable[ImportedName]:
    """Yield (path, `*`, `*`) for a required file: all of its definitions are global.

    The path of `require_relative` begins with `./`.
    """
    relative = captured.get("imported") == "require_relative"
    yield ImportedName(f"./{captured['module']}" if relative else captured["module"], "*", "*")


_ROOTS = frozenset({"lib", "app", "spec", "test"})
_TEST_FOLDERS = frozenset({"spec", "specs", "test", "tests", "features"})
_MAX_PARTS = 40
"""Maximum files of one module: a namespace is in nearly all files, but defines little in each."""


def _locate(tree: SourceTree, path: str, module: str) -> ModuleLocation | None:
    """Return the location of a required file; None if it is external.

    ``::Shop.Cart`` is a constant: its location is the file that autoloading would load. For
    ``*.Cart``, the `symbol` of the location lists the types that have a constant of this name.
    """
    if module.startswith(ANY_PACKAGE):
        owners = _owners_of_constants(tree).get(module.removeprefix(ANY_PACKAGE))
        return ModuleLocation((), symbol=owners) if owners else None
    folder = path.rpartition("/")[0]
    if module.startswith("::"):
        return _defining(tree, path, module.removeprefix("::"))
    if module.startswith("."):
        return _place(tree, resolve_dots(join_path(folder, module)))
    for root in (*_above(folder), *_roots(tree)):
        location = _place(tree, join_path(root, module))
        if location:
            return location
    return None


def _place(tree: SourceTree, stem: str) -> ModuleLocation | None:
    file = tree.first(stem, f"{stem}.rb") if stem else None
    return ModuleLocation((file,)) if file else None


def _above(folder: str) -> list[str]:
    """Return the folders above `folder`, nearest first, that may be on the load path."""
    folders: list[str] = []
    around: str | None = folder
    while around is not None:
        folders += [around] if around.rpartition("/")[2] in _ROOTS else []
        folders.append(join_path(around, "lib"))
        around = ancestor_folder(around, 1) if around else None
    return folders


def _defining(tree: SourceTree, path: str, name: str) -> ModuleLocation | None:
    """Return the files that define the constant `name`, like `Shop.Cart`, or its members.

    None if there are none. The file in which autoloading expects the constant comes first. For code
    outside of tests, files of tests are left out.
    """
    is_marked = name.endswith((MEMBERS_MARK, INCLUDERS_MARK))
    constant = name if is_marked else ".".join(constant_parts(name))
    files = _defining_files(tree, path, constant)
    if not files:
        return None
    stem = "/".join(map(snake_case, constant.split("."))) if len(files) > 1 else ""
    expected = {f"{join_path(root, stem)}.rb" for root in _roots(tree)} if stem else set()
    nearest = nearest_first(files, path)[:_MAX_PARTS]
    return ModuleLocation(tuple(sorted(nearest, key=lambda file: file not in expected)))


def _defining_files(tree: SourceTree, path: str, name: str) -> list[str]:
    files = tree.packages.names("").get(name, ())
    return [file for file in files if _is_in_tests(path) or not _is_in_tests(file)]


@lru_cache(maxsize=4)
def _owners_of_constants(tree: SourceTree) -> dict[str, str]:
    """Return {constant: types}; the key is the last name of constants, like `Cart`.

    The value is the names of all types with such a constant, joined by spaces.
    """
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for qualified in sorted(tree.packages.names("")):
        owner, _, name = qualified.rpartition(".")
        if owner and name and not name.endswith(INCLUDERS_MARK):
            owners[name].append(owner)
    return {name: " ".join(found) for name, found in owners.items()}


@lru_cache(maxsize=1 << 14)
def _is_in_tests(path: str) -> bool:
    return not _TEST_FOLDERS.isdisjoint(path.split("/")[:-1])


@lru_cache(maxsize=4)
def _roots(tree: SourceTree) -> tuple[str, ...]:
    """Return the folders that autoloading searches, such as `lib` and `app/models`."""
    roots = set()
    for folder in tree.folders:
        outer, _, name = folder.rpartition("/")
        if name in _ROOTS or outer.rpartition("/")[2] == "app" or name == "concerns":
            roots.add(folder)
    return tuple(sorted(roots, key=lambda root: (root.count("/"), root)))


LANGUAGE = Language(
    name="ruby",
    suffixes=(".rb", ".rake", ".gemspec", ".ru", ".podspec", ".jbuilder", ".thor"),
    grammar="ruby",
    filenames=(
        *("Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"),
        *("Brewfile", "Dangerfile", "Thorfile"),
    ),
    interpreters=("ruby",),
    symbols=f"""
    (module name: (constant) @name) @symbol.module
    (module name: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.module
    (class name: (constant) @name) @symbol.class
    (class name: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.class

    ((method name: (_) @name) @symbol.constructor (#eq? @name "initialize"))
    (program (method name: (_) @name) @symbol.function)
    (program (call block: (_ (body_statement (method name: (_) @name) @symbol.function))))
    (program (if (then (method name: (_) @name) @symbol.function)))
    (program (if (else (method name: (_) @name) @symbol.function)))
    (program (unless (then (method name: (_) @name) @symbol.function)))
    (method name: (_) @name) @symbol.method
    (singleton_method object: (self) name: (_) @name) @symbol.method
    (singleton_method object: (_) @scope name: (_) @name) @symbol.method
    (alias name: (_) @name) @symbol.method

    ((call receiver: (constant) @_base method: (identifier) @_new block: (_) @_unnamed)
        (#any-of? @_base "Struct" "Class" "Data" "Module") (#any-of? @_new "new" "define"))
    ; Point = Struct.new(:x) do ... end, RATE = ->(n) {{ }}, and plain constants
    ((assignment left: (constant) @name
        right: (call receiver: (constant) @_base method: (identifier) @_new
            block: (_)? @body)) @symbol.class
        (#any-of? @_base "Struct" "Class" "Data") (#any-of? @_new "new" "define"))
    (assignment left: (constant) right: ((call receiver: (constant) @_base
        method: (identifier) @_new
        arguments: (argument_list (simple_symbol) @name @symbol.property))
        (#any-of? @_base "Struct" "Data") (#any-of? @_new "new" "define")))
    (superclass ((call receiver: (constant) @_base method: (identifier) @_new
        arguments: (argument_list (simple_symbol) @name @symbol.property))
        (#any-of? @_base "Struct" "Data") (#any-of? @_new "new" "define")))
    (assignment left: (constant) @name right: (lambda body: (_) @body)) @symbol.function
    ((assignment left: (constant) @name
        right: (call method: (identifier) @_lambda block: (_) @body)) @symbol.function
        (#any-of? @_lambda "lambda" "proc"))
    (assignment left: (constant) @name) @symbol.constant
    (assignment left: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.constant
    (operator_assignment left: (constant) @name) @symbol.constant
    (assignment left: [(global_variable) (class_variable)] @name) @symbol.variable

    ((call !receiver method: (identifier) @_word
        arguments: (argument_list [(simple_symbol) @name (string . (string_content) @name)]))
        @symbol.property
        (#any-of? @_word "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor"
            "mattr_accessor" "class_attribute" "attribute"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (simple_symbol) @name)) @symbol.property
        (#any-of? @_word "has_many" "has_one" "belongs_to" "has_and_belongs_to_many"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (simple_symbol) @name)
        block: (_)? @body) @symbol.method
        (#any-of? @_word "define_method" "define_singleton_method" "alias_method" "scope"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (simple_symbol) @name)
        block: (_)? @body) @symbol.function
        (#any-of? @_word "task" "multitask" "let" "let!" "subject" "factory"))
    ((call !receiver method: (identifier) @name !arguments block: (_) @body) @symbol.function
        (#eq? @name "subject"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (pair key: [(simple_symbol) (hash_key_symbol)] @name))
        block: (_)? @body) @symbol.function
        (#any-of? @_word "task" "multitask"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (simple_symbol) @name) block: (_) @body) @symbol.namespace
        (#eq? @_word "namespace"))

    ((call method: (identifier) @_word
        arguments: (argument_list . [
            {_STRING.format("@name")} (constant) @name (scope_resolution) @name])
        block: (_) @body) @symbol.test
        (#any-of? @_word "describe" "context" "it" "specify" "test" "should" "feature" "scenario"
            "shared_examples" "shared_context"))
    """,
    relations=_RELATIONS,
    imports=_imports,
    locate=_locate,
    autoloads=True,
    reopened_types=True,
    test_groups=True,
    extending_module="ClassMethods",
    type_members=re.compile(
        r"(?:(?:thread_)?[cm]attr_\w+|class_attribute|scope|define_singleton_method)\b"
    ),
    library_bases={
        "Minitest.Test": ("Minitest.Assertions",),
        "Minitest.Spec": ("Minitest.Test",),
        "MiniTest.Test": ("Minitest.Test",),
        "ActiveSupport.TestCase": ("Minitest.Test",),
        "Test.Unit.TestCase": ("Test.Unit.Assertions",),
    },
    implicit_receiver=True,
    outer_members=re.compile(r"[A-Z]"),
    bare_call=re.compile(r"[a-z_]"),
    tests=("test/**", "tests/**", "spec/**", "*_test.rb", "*_spec.rb", "test_*.rb", "features/**"),
    excludes=("vendor/bundle/", ".bundle/", "*.gem", "tmp/cache/", ".yardoc/"),
    outputs=(("coverage", ("Gemfile",)),),
    reflective_names=frozenset({"method_missing", "public_send", "respond_to"}),
    visibility=Visibility(
        private=re.compile(r"^private"),
        section=re.compile(r"\s*(?:private|protected|(?P<public>public))\s*(?:#.*)?$"),
    ),
    library_manifests=("*.gemspec",),
    calls_overridden=lambda _: _SUPER,
    implicit_method=re.compile(r"(?:task|multitask|let!?|subject|factory)\b"),
    duck_typed=True,
    subtype_hooks=frozenset({"inherited"}),
    member_by_value=re.compile(
        r"""(?:\bself\.|(?<![\w.]))(?:public_send|__send__|send|method)\b\s*\(?\s*(?:[a-z@]|:?"#\{)"""
    ),
    protocol_members=frozenset(
        {"method_added", "singleton_method_added", "method_removed", "const_missing", "inherited"}
        | {"included", "extended", "prepended", "initialize_copy", "initialize_dup", "at_exit"}
        | {"initialize_clone", "method_missing", "respond_to_missing?", "to_s", "inspect", "hash"}
        | {"eql?", "each", "to_str", "to_ary", "to_proc", "to_hash", "coerce", "call"}
        | {"marshal_dump", "marshal_load", "encode_with", "init_with", "to_json", "as_json"}
    ),
    complexity="""
    [(if) (elsif) (unless) (if_modifier) (unless_modifier) (conditional) (while) (until)
        (while_modifier) (until_modifier) (for) (when) (in_clause) (rescue)
        (rescue_modifier)] @branch
    (binary operator: ["&&" "||" "and" "or"]) @branch
    [(if) (unless) (while) (until) (for) (case) (case_match) (begin)] @nest
    [(method_parameters) (lambda_parameters)] @parameters
    (method_parameters (identifier) @parameter)
    (lambda_parameters (identifier) @parameter)
    [(optional_parameter) (keyword_parameter) (splat_parameter) (hash_splat_parameter)
        (block_parameter) (destructured_parameter) (forward_parameter)] @parameter
    """,
    fragment_contexts=("PATTERN", "begin\nPATTERN\nend"),
    sequence_nodes=("then", "body_statement", "else", "do", "argument_list"),
)
