"""Which folders are there for tests."""

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
