"""A name that is new in one file changes what the files mean that asked for it."""

from __future__ import annotations

from pathlib import Path

from codeindex import Index
from tests.flow.sites import indexed_repository


def test_a_constant_of_ruby_that_another_file_adds_to_a_base_type_is_found_at_once(
    tmp_path: Path,
) -> None:
    files = {
        "base.rb": "class Base\nend\n",
        "more.rb": "class Base\n  class Other\n  end\nend\n",
        "order.rb": "class Order < Base\n  def most\n    Limit.new\n  end\nend\n",
    }
    with indexed_repository(tmp_path / "shop", files) as root, Index.open(root) as index:
        more = files["more.rb"].replace("class Other", "class Limit\n  end\n  class Other")
        (root / "more.rb").write_text(more)
        index.sync(structure_only=True)
        found = index.graph.callers("Base.Limit")
    assert [(each.file, each.certainty) for each in found.callers] == [("order.rb", "resolved")]
