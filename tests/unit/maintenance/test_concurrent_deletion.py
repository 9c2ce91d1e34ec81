"""Measuring and deleting folders that another process deletes at the same time."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from codeindex.maintenance.deletion import delete_paths
from codeindex.store.datadir.disk_usage import disk_usage


def made_tree(folder: Path, *, folders: int) -> Path:
    for number in range(folders):
        (folder / f"{number}" / "inner").mkdir(parents=True)
        (folder / f"{number}" / "inner" / "file").write_bytes(b"x" * 10)
    return folder


def test_the_size_of_a_folder_counts_its_files(tmp_path: Path) -> None:
    folder = made_tree(tmp_path / "index", folders=3)
    (tmp_path / "link").symlink_to(folder)
    assert disk_usage([folder, folder / "0" / "inner" / "file", tmp_path / "none"]) == 40
    assert disk_usage([tmp_path / "link"]) == (tmp_path / "link").lstat().st_size


def test_folders_that_vanish_while_they_are_measured_count_nothing(tmp_path: Path) -> None:
    ended = threading.Event()

    def churn() -> None:
        while not ended.is_set():
            shutil.rmtree(made_tree(tmp_path / "index", folders=30))

    with ThreadPoolExecutor(1) as threads:
        churning = threads.submit(churn)
        try:
            sizes = [disk_usage([tmp_path]) for _ in range(2_000)]
        finally:
            ended.set()
        churning.result()
    assert 0 < max(sizes) <= 300


def test_two_processes_may_delete_the_same_folder(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as threads:
        for number in range(20):
            folder = made_tree(tmp_path / f"{number}", folders=40)
            deletions = [threads.submit(delete_paths, [folder]) for _ in range(2)]
            for deletion in deletions:
                deletion.result()
            assert not folder.exists()
