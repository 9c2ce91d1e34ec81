"""Words on disk, against plain dictionaries."""

from __future__ import annotations

import math
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeindex.errors import DamagedError
from codeindex.search.retrieve.scores import WordScores, score_files, score_words
from codeindex.search.retrieve.term_matches import MatchedTerm
from codeindex.store.catalog.connection import Segment
from codeindex.store.segments.postings import read_postings
from codeindex.store.segments.word_index import ChunkWords, WordIndex, merge_words, write_words

WORDS = ("a", "ab", "abc", "b", "cart", "carts", "ñandú", "支払", "z" * 60)
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
CHUNKS = st.dictionaries(st.integers(1, 40), st.tuples(TEXT, TEXT, TEXT), max_size=12).map(
    lambda found: [ChunkWords(one, *texts) for one, texts in found.items()]
)
ALIVE = st.sets(st.integers(1, 40), max_size=30)


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def parted(folder: Path, chunks: Sequence[ChunkWords], cuts: Sequence[int]) -> list[Segment]:
    """Write chunks as segments that end at these places."""
    ends = [*sorted(min(one, len(chunks)) for one in cuts), len(chunks)]
    starts = [0, *ends[:-1]]
    return [write_words(folder, chunks[a:b]) for a, b in zip(starts, ends, strict=True)]


def plain(chunks: Sequence[ChunkWords], live: Sequence[int], terms: Sequence[str]) -> list[float]:
    """Compute BM25 with weighted columns as its formula reads."""
    known = {one.chunk_id: one for one in chunks}
    here = [known.get(one, ChunkWords(one, "", "", "")) for one in live]
    sizes = [sum(len(text.split()) for text in one[1:]) for one in here]
    usual = max(sum(sizes) / max(len(sizes), 1), 1.0)
    counts = [
        Counter(one.body.split()) + Counter(2 * (one.names.split() + one.path.split()))
        for one in here
    ]
    scores = [0.0] * len(here)
    for term in terms:
        having = sum(term in one for one in counts)
        idf = math.log(1 + (len(here) - having + 0.5) / (having + 0.5))
        for at, (count, size) in enumerate(zip(counts, sizes, strict=True)):
            norm = 1.2 * (1 - 0.75 + 0.75 * size / usual)
            scores[at] += idf * count[term] * 2.2 / (count[term] + norm)
    return scores


def same(one: WordScores, other: WordScores) -> bool:
    pairs = ((one.bm25, other.bm25), (one.coverage, other.coverage))
    return all(np.array_equal(left, right) for left, right in pairs)


@given(chunks=CHUNKS, alive=ALIVE, terms=st.lists(st.sampled_from(WORDS), unique=True))
def test_scores_are_those_of_the_formula(
    chunks: list[ChunkWords], alive: set[int], terms: list[str]
) -> None:
    live = sorted(alive)
    with TemporaryDirectory() as folder:
        segment = write_words(Path(folder), chunks)
        words = WordIndex(Path(folder), [segment], ints(*live))
        found = score_words(words, terms)
    np.testing.assert_allclose(found.bm25, plain(chunks, live, terms), rtol=1e-5, atol=1e-6)
    paths = {one.chunk_id: set(one.path.split()) & set(terms) for one in chunks}
    in_path = {at for it in found.occurrences for at in it.positions[it.in_path].tolist()}
    assert [at in in_path for at in range(len(live))] == [bool(paths.get(one)) for one in live]
    assert set(ints(*live)[words.present].tolist()) == alive & paths.keys()


@given(texts=st.lists(st.tuples(st.integers(0, 3), TEXT), max_size=12))
def test_a_file_as_a_whole_scores_the_same_however_it_is_cut(texts: list[tuple[int, str]]) -> None:
    texts.sort(key=lambda one: one[0])
    joined = [" ".join(text for file, text in texts if file == one and text) for one in range(4)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        cut = [ChunkWords(at, text, "", "p") for at, (_, text) in enumerate(texts)]
        whole = [ChunkWords(at, text, "", "p") for at, text in enumerate(joined)]
        found = []
        for chunks, owners in ((cut, [file for file, _ in texts]), (whole, range(4))):
            segment = write_words(folder, chunks)
            words = WordIndex(folder, [segment], np.arange(len(chunks)))
            lengths = np.array([len(text.split()) for text in joined], dtype=np.float32)
            terms = [MatchedTerm(words.occurrences(one)) for one in WORDS]
            found.append(score_files(terms, ints(*owners), lengths))
    np.testing.assert_allclose(found[0].bm25, found[1].bm25, rtol=1e-5)
    np.testing.assert_allclose(found[0].tf_idf, found[1].tf_idf, rtol=1e-5)
    assert [bool(one > 0) for one in found[0].tf_idf] == [bool(text) for text in joined]


@given(
    chunks=CHUNKS, alive=ALIVE, cuts=st.lists(st.integers(0, 12), max_size=3), mixed=st.randoms()
)
def test_scores_do_not_depend_on_how_chunks_are_parted_nor_on_merging(
    chunks: list[ChunkWords],
    alive: set[int],
    cuts: list[int],
    mixed: Callable[[], float],
) -> None:
    live = ints(*sorted(alive))
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = [write_words(folder, chunks)]
        segments = parted(folder, chunks, cuts)
        segments.sort(key=lambda _: mixed.random())  # type: ignore[attr-defined]
        some = len(segments) // 2 + 1
        merged = [merge_words(folder, segments[:some], live), *segments[some:]]
        scores = [
            score_words(WordIndex(folder, one, live), WORDS) for one in (whole, segments, merged)
        ]
        held = WordIndex(folder, segments, live).words_containing("a")
    assert same(scores[0], scores[1])
    assert same(scores[0], scores[2])
    assert held == {one for chunk in chunks for one in " ".join(chunk[1:]).split() if "a" in one}


@given(chunks=CHUNKS, part=st.text(alphabet="abcrtsñ支z", max_size=4))
def test_words_are_found_by_any_letters_in_them(chunks: list[ChunkWords], part: str) -> None:
    said = {word for one in chunks for word in " ".join(one[1:]).split()}
    with TemporaryDirectory() as folder:
        words = WordIndex(Path(folder), [write_words(Path(folder), chunks)], ints(1))
    assert words.words_containing(part) == {word for word in said if part in word}


def test_dead_chunks_do_not_count(tmp_path: Path) -> None:
    chunks = [ChunkWords(one, "cart " * one + "x", "", "shop") for one in (1, 2, 3)]
    segments = [write_words(tmp_path, chunks)]
    words = WordIndex(tmp_path, segments, ints(1, 3, 4))
    found = words.occurrences("cart")
    assert (found.positions.tolist(), found.counts.tolist()) == ([0, 1], [1, 3])
    assert words.frequency("cart") == words.frequency("shop") == 2
    assert words.lengths.tolist() == [3, 5, 0]
    assert words.present.tolist() == [True, True, False]


def test_merging_leaves_out_what_only_dead_chunks_had(tmp_path: Path) -> None:
    one, two = (write_words(tmp_path, [ChunkWords(n, f"w{n}", "", "")]) for n in (1, 2))
    merged = merge_words(tmp_path, [one, two], ints(2))
    assert merged.rows == 1
    assert WordIndex(tmp_path, [merged], ints(1, 2)).words_containing("w") == {"w2"}


def test_a_word_that_is_everywhere_in_a_chunk_still_says_whether_the_path_has_it(
    tmp_path: Path,
) -> None:
    chunks = [ChunkWords(1, "0 " * 99_999 + "0", "", ""), ChunkWords(2, "", "", "0")]
    found = WordIndex(tmp_path, [write_words(tmp_path, chunks)], ints(1, 2)).occurrences("0")
    assert found.counts.tolist() == [2_047, 2]  # the rest of 16 bits tells the fields
    assert found.in_path.tolist() == [False, True]


def test_no_segments_and_no_chunks_are_no_trouble(tmp_path: Path) -> None:
    nothing = write_words(tmp_path, [])
    for segments in ((), (nothing,), (merge_words(tmp_path, [nothing, nothing], ints()),)):
        for live in (ints(), ints(1, 2)):
            words = WordIndex(tmp_path, segments, live)
            assert words.frequency("a") == len(words.occurrences("a").positions) == 0
            assert words.words_containing("") == set()
            assert not score_words(words, ["a"]).coverage.any()


@pytest.mark.parametrize("size", [65_536, 65_537])
def test_the_last_of_very_many_chunks_is_found(tmp_path: Path, size: int) -> None:
    chunks = [ChunkWords(number, "a", "", "") for number in range(size)]
    chunks[-1] = ChunkWords(size - 1, "a b", "", "")
    words = WordIndex(tmp_path, [write_words(tmp_path, chunks)], np.arange(size))
    assert words.occurrences("b").positions.tolist() == [size - 1]
    assert words.frequency("a") == size


def damaged(data: bytes, damage: str) -> bytes:
    longer = data[:16] + (3).to_bytes(8, "little") + data[24:]
    huge = data[:16] + (2**62).to_bytes(8, "little") + data[24:]
    negative = data[:16] + b"\xff" * 8 + data[24:]
    return {
        "empty": b"",
        "head only": data[:40],
        "cut": data[:-1],
        "longer": data + b"x",
        "garbage": b"x" * len(data),
        "another kind": b"y" + data[1:],
        "one row more": longer,
        "endless": huge,
        "less than nothing": negative,
        "hollow": data[:72] + b"\xa5" * (len(data) - 72),
    }[damage]


@pytest.mark.parametrize(
    "damage",
    [
        *("absent", "empty", "head only", "cut", "longer", "garbage", "another kind"),
        *("one row more", "endless", "less than nothing", "hollow"),
    ],
)
def test_a_damaged_segment_is_named(tmp_path: Path, damage: str) -> None:
    segment = write_words(tmp_path, [ChunkWords(1, "a b", "c", "d"), ChunkWords(2, "a", "", "")])
    path = tmp_path / f"{segment.name}.words"
    if damage == "absent":
        path.unlink()
    else:
        path.write_bytes(damaged(path.read_bytes(), damage))
    with pytest.raises(DamagedError, match=segment.name):
        read_postings(tmp_path, segment)


def test_a_segment_of_another_length_than_was_published_is_damaged(tmp_path: Path) -> None:
    segment = write_words(tmp_path, [ChunkWords(1, "a", "", "")])
    with pytest.raises(DamagedError, match="wrong shape"):
        read_postings(tmp_path, Segment("words", segment.name, 2))


@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=8))
def test_whatever_is_written_over_the_postings_a_search_ends(at: int, noise: bytes) -> None:
    chunks = [ChunkWords(one, "a b c d", "e", "f g") for one in range(1, 9)]
    with TemporaryDirectory() as name:
        folder = Path(name)
        segment = write_words(folder, chunks)
        path = folder / f"{segment.name}.words"
        data = bytearray(path.read_bytes())
        at = 16 + at % (len(data) - 16)
        data[at : at + len(noise)] = noise[: len(data) - at]
        path.write_bytes(data)
        try:
            words = WordIndex(folder, [segment], ints(*range(1, 9)))
        except DamagedError:
            return
        assert len(score_words(words, ["a", "e", "zz"]).bm25) == 8
        assert len(words.words_containing("a")) <= 7
        merge_words(folder, [segment], ints(1, 2))


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")
def test_a_segment_is_its_owner_s_alone(tmp_path: Path) -> None:
    segment = write_words(tmp_path, [ChunkWords(1, "a", "", "")])
    assert stat.S_IMODE((tmp_path / f"{segment.name}.words").stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE that fails a write")
def test_a_disk_that_is_full_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    program = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from codeindex.store.segments.word_index import ChunkWords, write_words\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "chunks = [ChunkWords(n, ' '.join(map(str, range(n))), '', '') for n in range(500)]\n"
        "try: write_words(Path(sys.argv[1]), chunks)\n"
        "except OSError: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(tmp_path)], capture_output=True, check=True
    )
    assert done.stdout == b"refused\n"
