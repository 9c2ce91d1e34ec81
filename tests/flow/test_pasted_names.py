"""Names as they stand in code and traces, of each of which the first hit is what was meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeindex import Index
from codeindex.formatting import focus_lines
from codeindex.search.pipeline import PipelineRequest, classify_and_retrieve
from codeindex.text.words import query_words
from tests.conftest import made_repository, own_data

FILES = {
    "src/list.h": (
        "typedef struct list {\n    int size;\n    void *head;\n} list;\n\n"
        "list *listAdd(list *l, void *value);\nint listSize(list *l);\n"
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"
    ),
    "src/list.c": (
        '#include "list.h"\n\nlist *listAdd(list *l, void *value) {\n    if (!l) return 0;\n'
        "    l->size++;\n    return l;\n}\n\nint listSize(list *l) {\n    return l->size;\n}\n"
    ),
    "src/all.c": '#include "list.h"\n'
    + "".join(
        f"int use{n}(list *l) {{ return listSize(l) + listAdd(l, 0)->size; }}\n" for n in range(9)
    ),
    "java/io/shop/Future.java": (
        "package io.shop;\n\npublic interface Future<V> extends Held {\n    V now();\n}\n"
    ),
    "java/io/shop/Held.java": (
        "package io.shop;\n\npublic interface Held {\n    void release();\n}\n"
    ),
    "java/io/shop/SlowFuture.java": (
        "package io.shop;\n\npublic class SlowFuture<V> implements Future<V> {\n"
        "    public V now() {\n        return null;\n    }\n\n"
        "    public void release() {\n        Future<V> future = this;\n    }\n}\n"
    ),
    "java/io/shop/Marker.java": (
        "package io.shop;\n\npublic class Marker {\n    @interface Sharable {\n    }\n}\n"
    ),
    "web/client.ts": (
        "export interface Options {\n  retryDelay?: number\n}\n\nexport class Client {\n"
        "  /** Sends. */\n  #send(one: string) {\n    return one\n  }\n\n"
        "  all() {\n    return this.#send('all')\n  }\n}\n"
    ),
    "web/__tests__/client.test.ts": (
        "it('waits', () => {\n  run({\n    retryDelay: () => {\n      return 1\n    },\n  })\n})\n"
    ),
    "lib/core_ext/blank.rb": (
        "class Object\n"
        + "".join(f"  # blank {n} is blank?\n" for n in range(20))
        + "  def blank?\n    empty?\n  end\nend\n"
    ),
    "test/core_ext/blank_test.rb": (
        "class BlankTest\n  BLANK = [nil]\n\n"
        "  def test_blank\n    assert BLANK.first.blank?\n  end\nend\n"
    ),
    "lib/access.rb": "module Shop\n  class Access\n    def get\n    end\n  end\nend\n\n"
    "Access = Shop::Access\n",
    "go/client.go": (
        "package shop\n\ntype Client struct{}\n\n"
        "func (c *Client) Do(ctx int) int {\n\treturn ctx\n}\n\n"
        "type Other struct{}\n\nfunc (o *Other) Do(ctx int) int {\n\treturn 1\n}\n"
    ),
    "zig/Document.zig": "const Document = @This();\n\npub fn open() void {}\n",
    "zig/main.zig": "const S = struct {\n    document: u8,\n};\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("pasted")
    with own_data(folder), Index.open(made_repository(folder / "shop", FILES)) as index:
        index.sync(structure_only=True)
        yield index


def first_place(index: Index, query: str) -> str:
    """Return the file of the first hit, and the first of the lines that are shown of it."""
    hit = index.search(query, limit=3).hits[0]
    return f"{hit.path}:{focus_lines(hit, frozenset(query_words(query)), most=1)[0]}"


@pytest.mark.parametrize(
    ("query", "place"),
    [
        # what is defined, before what declares it
        ("listAdd", "src/list.c:3"),
        ("lisAdd", "src/list.c:3"),
        ("list add", "src/list.c:3"),
        ("list", "src/list.h:1"),
        ("Access", "lib/access.rb:2"),
        # declarations and calls, pasted
        ("list *listAdd(list *l, void *value);", "src/list.c:3"),
        ("static int listSize", "src/list.c:9"),
        ("MAX(", "src/list.h:8"),
        ("listAdd(l, 0)->size", "src/list.c:3"),
        ("func (c *Client) Do(ctx int) int {", "go/client.go:5"),
        ("shop.(*Client).Do", "go/client.go:5"),
        ("public class SlowFuture<V>", "java/io/shop/SlowFuture.java:3"),
        # arguments of types, sigils
        ("Future<V>", "java/io/shop/Future.java:3"),
        ("io.shop.Future<V>", "java/io/shop/Future.java:3"),
        ("@Sharable", "java/io/shop/Marker.java:4"),
        ("#send", "web/client.ts:7"),
        # an owner has it from above
        ("Future::release", "java/io/shop/Held.java:4"),
        # a field of the code before what a test calls so
        ("retryDelay", "web/client.ts:2"),
        # the line of the definition, wherever it is in its chunk
        ("Object#blank?", "lib/core_ext/blank.rb:22"),
        # files, as code and traces say them
        ("core_ext/blank", "lib/core_ext/blank.rb:1"),
        ('require "core_ext/blank"', "lib/core_ext/blank.rb:1"),
        ('#include "list.h"', "src/list.h:1"),
        ("../src/list.h", "src/list.h:1"),
        ("/home/me/shop/src/list.c:9", "src/list.c:9"),
        ("lsit.c:9", "src/list.c:9"),
        ("SlowFuture.java(8)", "java/io/shop/SlowFuture.java:8"),
        ("at io.shop.SlowFuture.now(SlowFuture.java:5)", "java/io/shop/SlowFuture.java:5"),
        ("at io.shop.SlowFuture.now(SlowFuture.java:8)", "java/io/shop/SlowFuture.java:4"),
        ('File "/srv/go/client.go", line 12, in Do', "go/client.go:12"),
        ("Document", "zig/Document.zig:3"),
    ],
)
def test_the_first_hit_is_what_was_meant(shop: Index, query: str, place: str) -> None:
    assert first_place(shop, query) == place


@pytest.mark.parametrize(
    "query",
    [
        "default value",
        "save() is slow when lists are long",
        "type inference in lists",
        "open files",
    ],
)
def test_a_sentence_with_words_of_declarations_is_no_name(shop: Index, query: str) -> None:
    with shop.reader().corpus() as (catalog, corpus):
        _, scores = classify_and_retrieve(catalog, corpus, PipelineRequest(query))
    assert not scores.name_matches
