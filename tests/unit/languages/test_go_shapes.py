"""The types in signatures of Go."""

import pytest

from codeindex.languages.go_shapes import shape_of


@pytest.mark.parametrize(
    ("signature", "shape"),
    [
        ("Close()", (">",)),
        ("Close() error", (">", "error")),
        ("func (w *Walker) Close() (err error)", (">", "error")),
        ("func (Null) Close(Context, *tf.Node) tf.Diags", ("Context", "*Node", ">", "Diags")),
        ("Close(ctx context.Context, n *Node) tf.Diags", ("Context", "*Node", ">", "Diags")),
        ("Close(a, b string, rest ...int)", ("string", "string", "...int", ">")),
        ("Close(cty.Value) (cty.Value, tf.Diags)", ("Value", ">", "Value", "Diags")),
        ("Close(f func(a int, b string) error, m map[string]any)", ("func", "map[string]any", ">")),
        ("Close(chan int, any) <-chan bool", ("chanint", "interface{}", ">", "<-chanbool")),
        ("func (b *Box[T]) Close(x T)", ("T", ">")),
    ],
)
def test_a_shape_is_the_types_without_names_and_packages(
    signature: str, shape: tuple[str, ...]
) -> None:
    assert shape_of(signature, "Close") == shape


def test_what_was_cut_or_is_no_method_of_this_name_has_no_shape() -> None:
    assert shape_of(f"Close({'a int, ' * 60})", "Close") is None
    assert shape_of("func (w W) Open()", "Close") is None
