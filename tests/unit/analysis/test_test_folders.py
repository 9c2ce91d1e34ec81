"""Which folders are there for tests."""

import pytest

from codeindex.analysis.repository.test_folders import find_test_folders, is_below_any


def test_a_folder_of_tests_is_one_with_all_that_helps_them() -> None:
    code = ["app/a.py", "app/b.py", "t/unit/__init__.py", "t/unit/proj/app.py"]
    tests = ["t/unit/test_a.py", "t/unit/test_b.py", "t/unit/test_c.py", "app/test_z.py"]
    trees = find_test_folders(code, tests)
    assert trees == {"t", "t/unit"}
    assert [one for one in code if is_below_any(one, trees)] == code[2:]


def test_tests_beside_the_code_do_not_make_a_folder_theirs() -> None:
    for code, test in (
        ("pkg/mux.go", "pkg/mux_test.go"),
        ("pkg/mux.ts", "pkg/mux.spec.ts"),
        ("pkg/Mux.java", "pkg/MuxTest.java"),
        ("pkg/mux.py", "pkg/test_mux.py"),
    ):
        assert find_test_folders([code], [test, "pkg/x_test.go", "pkg/y_test.go"]) == frozenset()


@pytest.mark.parametrize("folder", ["tests", "__tests__", "PayTest", "pay.Tests", "e2e"])
def test_many_tests_in_a_folder_of_their_own_do_not_hide_the_code_beside_it(folder: str) -> None:
    tests = [f"app/pay/{folder}/unit/test_{number}.py" for number in range(9)]
    trees = find_test_folders(["app/pay/card.py", f"app/pay/{folder}/unit/helper.py"], tests)
    assert trees == {f"app/pay/{folder}", f"app/pay/{folder}/unit"}


@pytest.mark.parametrize("folder", ["contest", "latest", "specification"])
def test_a_name_that_only_contains_the_word_is_not_a_name_for_tests(folder: str) -> None:
    assert f"{folder}" in find_test_folders([], [f"{folder}/checks/test_a.py"])
    assert "app" in find_test_folders([], [f"app/{folder}/checks/test_a.py"])
