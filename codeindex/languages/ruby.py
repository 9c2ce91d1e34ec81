"""Ruby, with the words of RSpec, Minitest, Rake and Rails that define something."""

from codeindex.languages._base import Language

LANGUAGE = Language(
    name="ruby",
    suffixes=(".rb", ".rake", ".gemspec", ".ru", ".podspec", ".jbuilder"),
    grammar="ruby",
    filenames=(
        *("Rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"),
        *("Brewfile", "Dangerfile", "Thorfile"),
    ),
    interpreters=("ruby",),
    symbols="""
    (module name: (constant) @name) @symbol.module
    (module name: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.module
    (class name: (constant) @name) @symbol.class
    (class name: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.class

    ((method name: (_) @name) @symbol.constructor (#eq? @name "initialize"))
    (program (method name: (_) @name) @symbol.function)
    (method name: (_) @name) @symbol.method
    (singleton_method object: (self) name: (_) @name) @symbol.method
    (singleton_method object: (_) @scope name: (_) @name) @symbol.method
    (alias name: (_) @name) @symbol.method

    ; Point = Struct.new(:x) do ... end, RATE = ->(n) { }, and plain constants
    ((assignment left: (constant) @name
        right: (call receiver: (constant) @_base method: (identifier) @_new
            block: (_)? @body)) @symbol.class
        (#any-of? @_base "Struct" "Class" "Data") (#any-of? @_new "new" "define"))
    ((call receiver: (constant) @_base method: (identifier) @_new
        arguments: (argument_list (simple_symbol) @name @symbol.property))
        (#any-of? @_base "Struct" "Data") (#any-of? @_new "new" "define"))
    (assignment left: (constant) @name right: (lambda body: (_) @body)) @symbol.function
    ((assignment left: (constant) @name
        right: (call method: (identifier) @_lambda block: (_) @body)) @symbol.function
        (#any-of? @_lambda "lambda" "proc"))
    (assignment left: (constant) @name) @symbol.constant
    (assignment left: (scope_resolution scope: (_) @scope name: (_) @name)) @symbol.constant
    (operator_assignment left: (constant) @name) @symbol.constant
    (assignment left: [(global_variable) (class_variable)] @name) @symbol.variable

    ((call !receiver method: (identifier) @_word
        arguments: (argument_list [(simple_symbol) @name (string (string_content) @name)]))
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
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (pair key: [(simple_symbol) (hash_key_symbol)] @name))
        block: (_)? @body) @symbol.function
        (#any-of? @_word "task" "multitask"))
    ((call !receiver method: (identifier) @_word
        arguments: (argument_list . (simple_symbol) @name) block: (_) @body) @symbol.namespace
        (#eq? @_word "namespace"))

    ((call method: (identifier) @_word
        arguments: (argument_list . [
            (string (string_content) @name) (constant) @name (scope_resolution) @name])
        block: (_) @body) @symbol.test
        (#any-of? @_word "describe" "context" "it" "specify" "test" "should" "feature" "scenario"
            "shared_examples" "shared_context"))
    """,
    tests=("test/**", "tests/**", "spec/**", "*_test.rb", "*_spec.rb", "test_*.rb", "features/**"),
    excludes=("vendor/bundle/", ".bundle/", "*.gem", "coverage/", "tmp/cache/", ".yardoc/"),
)
