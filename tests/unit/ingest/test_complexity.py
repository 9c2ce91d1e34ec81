"""How complex functions are, language by language; every figure was counted by hand."""

from __future__ import annotations

from textwrap import dedent

import pytest

from codeindex.ingest.parse.parser import parse_text
from codeindex.languages import LANGUAGES
from codeindex.types import SafeText, Symbol

Measures = tuple[int, int, int, int]
"""Cyclomatic complexity, nesting, parameters, lines of the body."""

SAMPLES: dict[str, tuple[str, Measures]] = {
    "python": (
        """
        class Cart:
            def total(self, items, *, tax=0.2, **options):
                for item in items:
                    if item.free and not item.gift or item.lost:
                        continue
                    elif item.old:
                        try:
                            item.renew()
                        except ValueError:
                            return [one for one in items if one]
                match tax:
                    case 0:
                        return 1 if items else 2
                    case _:
                        return 3
        """,
        (11, 3, 3, 13),
    ),
    "javascript": (
        """
        function total(items, { tax }, ...rest) {
          for (const item of items) {
            if (item.free && !item.gift) {
              continue;
            } else if (item.old) {
              while (item.next) item = item.next;
            }
          }
          switch (tax) {
            case 0: return items ?? 1;
            default: return tax ? 1 : 2;
          }
        }
        """,
        (9, 3, 3, 11),
    ),
    "typescript": (
        """
        class Cart {
          total(this: Cart, items: Item[], done?: (a: number, b: number) => void): number {
            try {
              return items.filter((one) => one.free || one.old).length;
            } catch (error) {
              do { done?.(1, 2); } while (items);
            }
          }
        }
        """,
        (4, 2, 2, 5),
    ),
    "vue": (
        """
        <template><p v-if="items.length > 9 && open">{{ total(items) }}</p></template>
        <script setup>
        function total(items, done) {
          if (items && done) return 1
          return items.length ? 2 : 3
        }
        </script>
        """,
        (4, 1, 2, 2),
    ),
    "svelte": (
        """
        <script>
        function total(items, done) {
          if (items && done) return 1
          return items.length ? 2 : 3
        }
        </script>
        {#if items.length > 9 && open}{total(items)}{/if}
        """,
        (4, 1, 2, 2),
    ),
    "tsx": (
        """
        export const Total = ({ items }: Props) => {
          if (!items) return null;
          return <b>{items.length > 1 ? "many" : "one"}</b>;
        };
        """,
        (3, 1, 1, 2),
    ),
    "go": (
        """
        package cart

        func (c *Cart) Total(a, b int, f func(int, int) error, rest ...string) (int, error) {
            for _, item := range c.items {
                if item.Free && a > b {
                    continue
                } else if item.Old {
                    switch item.Kind {
                    case 1, 2:
                        return 1, nil
                    default:
                        return 2, nil
                    }
                }
            }
            select {
            case <-c.done:
            }
            return 0, nil
        }
        """,
        (7, 3, 4, 16),
    ),
    "rust": (
        """
        impl Cart {
            fn total(&self, items: &[Item], tax: Option<f32>) -> f32 {
                for item in items {
                    if item.free || item.gift {
                        continue;
                    } else if let Some(next) = item.next {
                        while next.old() {}
                    }
                }
                match tax {
                    Some(x) if x > 1.0 => x,
                    None => loop { break 0.0 },
                    _ => 1.0,
                }
            }
        }
        """,
        (9, 3, 2, 12),
    ),
    "java": (
        """
        class Cart {
            int total(List<Item> items, int... taxes) {
                for (Item item : items) {
                    if (item.free && !item.gift) {
                        continue;
                    } else if (item.old) {
                        try {
                            item.renew();
                        } catch (IOException error) {
                            return 1;
                        }
                    }
                }
                switch (taxes.length) {
                    case 0: return 2;
                    default: return items == null ? 1 : 3;
                }
            }
        }
        """,
        (8, 3, 2, 15),
    ),
    "c": (
        """
        static int total(struct item *items, int (*keep)(struct item *, int), ...)
        {
            for (int i = 0; i < 3; i++) {
                if (items[i].free && keep(items, i)) {
                    continue;
                } else if (items[i].old) {
                    do { i++; } while (i < 2);
                }
            }
            switch (items->kind) {
            case 1:
                return 1;
            default:
                return items ? 1 : 2;
            }
        }
        """,
        (8, 3, 3, 13),
    ),
    "cpp": (
        """
        int Cart::total(const std::vector<Item>& items, int tax = 0) const {
            for (auto& item : items) {
                try {
                    if (item.free || item.gift) return 1;
                } catch (...) {
                    return 2;
                }
            }
            return 0;
        }
        """,
        (5, 3, 2, 8),
    ),
    "csharp": (
        """
        class Cart {
            int Total(List<Item> items, params int[] taxes) {
                foreach (var item in items) {
                    if (item.Free && !item.Gift) {
                        continue;
                    } else if (item.Old) {
                        while (item.Next()) { }
                    }
                }
                switch (taxes.Length) {
                    case 0: return 1;
                    default: return items?.Count ?? 2;
                }
            }
        }
        """,
        (8, 3, 2, 11),
    ),
    "ruby": (
        """
        class Cart
          def total(items, tax = 0, *rest, round: true, &block)
            items.each do |item, index|
              next if item.free && !item.gift
              if item.old
                item.renew while item.older
              elsif item.new
                item.renew
              end
            end
            case tax
            when 0 then 1
            else 2
            end
          rescue IOError
            0
          end
        end
        """,
        (8, 1, 5, 14),
    ),
    "php": (
        """
        <?php
        class Cart {
            function total(array $items, int ...$taxes): int {
                foreach ($items as $item) {
                    if ($item->free && !$item->gift) {
                        continue;
                    } elseif ($item->old) {
                        while ($item->next()) {}
                    }
                }
                return match (true) { $items => 1, default => $taxes ?? 2 };
            }
        }
        """,
        (8, 3, 2, 8),
    ),
    "kotlin": (
        """
        class Cart {
            fun total(items: List<Item>, tax: Int = 0): Int {
                for (item in items) {
                    if (item.free && !item.gift) {
                        continue
                    } else if (item.old) {
                        while (item.next()) { }
                    }
                }
                return when (tax) {
                    0, 1 -> items.size ?: 1
                    else -> 2
                }
            }
        }
        """,
        (8, 3, 2, 11),
    ),
    "swift": (
        """
        class Cart {
            func total(_ items: [Item], tax: Int) -> Int {
                guard let first = items.first else { return 0 }
                for item in items {
                    if item.free && item.gift {
                        continue
                    } else if item.old {
                        while item.next() { }
                    }
                }
                switch tax {
                case 0: return first.price ?? 1
                default: return tax > 1 ? 1 : 2
                }
            }
        }
        """,
        (10, 3, 2, 12),
    ),
    "scala": (
        """
        class Cart {
          def total(items: List[Item], tax: Int)(round: Boolean): Int = {
            for (item <- items if item.free && !item.gift) {
              if (item.old) 1
              else if (item.older) 2
            }
            tax match {
              case 0 => 1
              case _ => 2
            }
          }
        }
        """,
        (7, 2, 3, 8),
    ),
    "lua": (
        """
        function Cart.total(items, tax, ...)
          for _, item in ipairs(items) do
            if item.free and not item.gift then
              return 1
            elseif item.old then
              repeat item.renew() until item.new
            else
              while item.next do end
            end
          end
        end
        """,
        (7, 3, 3, 9),
    ),
    "elixir": (
        """
        defmodule Cart do
          def total([], _), do: 0

          def total(items, tax) when tax > 0 and tax < 9 do
            if items == [] do
              0
            else
              case tax do
                1 -> 1
                _ -> 2
              end
            end
          end
        end
        """,
        (5, 2, 2, 11),
    ),
    "bash": (
        """
        total() {
          for item in "$@"; do
            if [ -n "$item" ] && ready; then
              echo 1
            elif old; then
              while next; do :; done
            fi
          done
          case $1 in
            a) echo 2 ;;
            *) echo 3 ;;
          esac
        }
        """,
        (7, 3, 0, 11),
    ),
    "haskell": (
        """
        module Cart where

        total :: [Item] -> Int -> Int
        total [] _ = 0
        total items tax
          | tax > 0 && tax < 9 = 1
          | otherwise = case items of
              [one] -> if old one then 1 else 2
              _ -> 3
        """,
        (6, 2, 2, 6),
    ),
    "zig": (
        """
        fn total(items: []Item, tax: ?u8) u8 {
            for (items) |item| {
                if (item.free and !item.gift) {
                    continue;
                } else if (item.old) {
                    while (item.next()) {}
                }
            }
            return switch (tax orelse 0) {
                0 => 1,
                else => 2,
            };
        }
        """,
        (8, 3, 2, 11),
    ),
    "dart": (
        """
        class Cart {
          int total(List<Item> items, int tax, {required bool round, String? name}) {
            for (final item in items) {
              if (item.free && !item.gift) {
                continue;
              } else if (item.old) {
                while (item.next()) {}
              }
            }
            switch (tax) {
              case 0: return name?.length ?? 1;
              default: return round ? 1 : 2;
            }
          }
        }
        """,
        (9, 3, 4, 11),
    ),
    "sql": (
        """
        CREATE FUNCTION total(tax int, name text) RETURNS int LANGUAGE sql
        RETURN CASE WHEN tax = 0 THEN 1 WHEN tax = 1 THEN 2 ELSE 3 END;
        """,
        (3, 1, 2, 1),
    ),
    "julia": (
        """
        function total(items, round)
            for item in items
                if item > 1 && round
                    return item
                elseif round
                    return items
                end
            end
        end
        """,
        (5, 2, 2, 7),
    ),
    "ocaml": (
        """
        let total tax round =
          if tax > 1 && round then
            match tax with
            | 2 -> 1
            | _ -> 2
          else 3
        """,
        (4, 2, 2, 5),
    ),
}


def functions(language: str, source: str) -> dict[str, Symbol]:
    found = parse_text(LANGUAGES[language], SafeText(dedent(source).lstrip("\n"))).symbols
    return {one.name: one for one in found if one.cyclomatic}


def measures(symbol: Symbol) -> Measures:
    return symbol.cyclomatic, symbol.max_nesting, symbol.param_count, symbol.body_lines


@pytest.mark.parametrize("language", SAMPLES)
def test_a_function_is_measured_as_by_hand(language: str) -> None:
    source, expected = SAMPLES[language]
    found = {name.lower(): one for name, one in functions(language, source).items()}
    assert measures(found["total"]) == expected


@pytest.mark.parametrize("language", [name for name, one in LANGUAGES.items() if one.symbols])
def test_every_language_with_symbols_has_a_sample(language: str) -> None:
    assert language in SAMPLES
    assert "@branch" in LANGUAGES[language].complexity


def test_a_function_in_a_function_counts_for_itself() -> None:
    found = functions(
        "python",
        """
        def outer(a):
            def inner(b, c):
                if b:
                    while c:
                        pass
            return inner
        """,
    )
    assert measures(found["outer"]) == (1, 0, 1, 5)
    assert measures(found["inner"]) == (3, 2, 2, 3)


def test_a_function_without_a_name_counts_for_the_one_around_it() -> None:
    found = functions("javascript", "function f() {\n  go((a, b) => a && b);\n}\n")
    assert measures(found["f"]) == (2, 0, 0, 1)


def test_what_has_no_body_is_not_measured() -> None:
    assert functions("c", "int total(int a, int b);\n") == {}
    assert functions("java", "interface Cart { int total(int a); }\n") == {}
    assert functions("typescript", "interface Cart { total(a: number): number }\n") == {}


def test_a_property_that_computes_is_measured() -> None:
    source = """
    class Cart {
        public int Size { get; set; }
        public int Total { get { return Size > 1 ? 1 : 2; } }
    }
    """
    assert {name: one.cyclomatic for name, one in functions("csharp", source).items()} == {
        "Total": 2
    }


def test_broken_code_is_measured_as_far_as_it_is_understood() -> None:
    found = functions("python", "def good(a):\n    if a:\n        return 1\n\ndef bad(:\n    if\n")
    assert measures(found["good"]) == (2, 1, 1, 2)
