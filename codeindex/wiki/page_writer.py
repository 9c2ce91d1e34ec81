"""Write pages under the write lock, starting from the current version of each page."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeVar

from codeindex.errors import OutdatedError, QueryError, WikiError
from codeindex.text.sanitize import escape_text
from codeindex.wiki.citations import find_citations, find_links
from codeindex.wiki.contents import update_contents
from codeindex.wiki.page import Contradiction, FailureNote, PageSource, WikiPage, map_failure_texts
from codeindex.wiki.page_ids import CONTENTS_ID, make_page_id, require_page_id
from codeindex.wiki.page_store import WikiFolder
from codeindex.wiki.ranking import TARGET_THRESHOLD, RankedPage, rank_targets
from codeindex.wiki.source_files import SourceFiles

Noted = TypeVar("Noted", Contradiction, FailureNote)
FAILURES_ID = "failures"
"""Id of the page for failure notes that match no other page."""
_NOTES = "## Notes"


@dataclass(frozen=True, slots=True)
class PageWriter:
    """Writes the pages of a wiki.

    `commit` is stored in each page, and `safe` redacts the secrets in a text.
    """

    folder: WikiFolder
    tree: SourceFiles
    commit: str
    safe: Callable[[str], str]

    def text(self, text: str) -> str:
        return self.safe(escape_text(text.replace("\r\n", "\n"))).strip("\n")

    def change(
        self, page: str, make: Callable[[WikiPage | None], WikiPage]
    ) -> tuple[WikiPage, bool]:
        """Call `make` with the current page (None if there is none), and write the returned page.

        Then update the contents page. Return (written page, whether it is new).
        """
        self.demand()
        with self.folder.writing():
            current = self.folder.page(page)
            written = self.folder.put(make(current))
            self.keep_contents()
        return written, current is None

    def demand(self) -> None:
        if not self.folder.exists:
            raise WikiError(
                f"'{self.folder.root}' has no wiki yet: begin one with `codeindex wiki generate`"
                " (the tool wiki_generate)."
            )

    def keep_contents(self) -> None:
        """Update the lists on the contents page; do nothing if that page cannot be parsed."""
        with contextlib.suppress(WikiError):
            page_set = self.folder.read_page_set()
            contents = page_set.pages.get(CONTENTS_ID)
            others = {name: page for name, page in page_set.pages.items() if name != CONTENTS_ID}
            if contents is not None:
                self.folder.put(update_contents(contents, others))

    def sources(self, paths: Iterable[str]) -> tuple[PageSource, ...]:
        """Return the source files at `paths` with their present digests, sorted by path.

        Raise QueryError for a path that is no file which a page can describe.
        """
        result = {}
        for given_path in paths:
            path = given_path.strip().removeprefix("./")
            digest = self.tree.digest(path)
            if not digest:
                raise QueryError(
                    f"'{given_path}' is not a file that a page can describe: name files relative to"
                    " the root of the repository."
                )
            result[path] = PageSource(path, digest)
        return tuple(result[path] for path in sorted(result))


@dataclass(frozen=True, slots=True)
class Contribution:
    """New content for the page with id `page`.

    `base` is the version of the page that the author has read; a newer version is not overwritten.
    The two `resolve_*` flags mark all contradictions or failures of the page as resolved.
    """

    page: str
    content: str
    title: str = ""
    page_type: str = "topic"
    source_files: Sequence[str] = ()
    contradictions: Sequence[Contradiction] = ()
    resolve_contradictions: bool = False
    failures: Sequence[FailureNote] = ()
    resolve_failures: bool = False
    base: str = ""
    draft: bool = False


def contribute_page(writer: PageWriter, contribution: Contribution) -> tuple[WikiPage, bool]:
    """Create or update a page; return (page, whether it is new)."""
    page = require_page_id(contribution.page)
    body = writer.text(contribution.content)
    if not body.strip():
        raise QueryError("`content` is empty: give the markdown of the whole page.")
    if body.startswith("---\n"):
        raise QueryError("`content` begins with front matter: give the markdown below it only.")

    def make(page: WikiPage | None) -> WikiPage:
        _check_base(writer, page, contribution)
        return _apply_contribution(writer, page or _new_page(contribution), contribution, body)

    return writer.change(page, make)


def _check_base(writer: PageWriter, page: WikiPage | None, contribution: Contribution) -> None:
    """Raise OutdatedError if the author has not read the current version of the page.

    The version that the author has read is `contribution.base`. Without it, only a committed page
    may be replaced, because git keeps its text.
    """
    if page is None:
        if contribution.base:
            raise OutdatedError(
                f"The page {contribution.page!r} was deleted since you read it: leave `base` out to"
                " create it again."
            )
        return
    if contribution.base and contribution.base != page.version:
        raise OutdatedError(
            f"The page {contribution.page!r} was changed since you read it: it is version"
            f" {page.version} now, not {contribution.base}. Nothing was written: read it again"
            " (wiki_read) and merge both versions."
        )
    if not contribution.base and not writer.folder.is_committed(page.id):
        raise OutdatedError(
            f"The page {contribution.page!r} has uncommitted text: read it (wiki_read), then give"
            " its `version` as `base`, so that no text is lost."
        )


def _new_page(contribution: Contribution) -> WikiPage:
    if not contribution.title.strip():
        raise QueryError(
            f"There is no page {contribution.page!r} yet: give a `title` to create it."
        )
    return WikiPage(id=contribution.page, title=contribution.title, type=contribution.page_type)


def _apply_contribution(
    writer: PageWriter, page: WikiPage, contribution: Contribution, body: str
) -> WikiPage:
    """Return the page with the text `body`, and with new digests of its sources and cited lines."""
    cites = find_citations(body, writer.tree)
    named = contribution.source_files or [
        source.path for source in page.sources if writer.tree.digest(source.path)
    ]
    cited = [citation.path for citation in cites]
    return replace(
        page,
        title=" ".join(writer.text(contribution.title).split()) or page.title,
        body=body,
        commit=writer.commit,
        draft=contribution.draft,
        sources=writer.sources([*named, *cited]),
        cites=cites,
        contradictions=(
            *_resolve_all(page.contradictions, contribution.resolve_contradictions),
            *(
                _safe_contradiction(writer, contradiction)
                for contradiction in contribution.contradictions
            ),
        ),
        failures=(
            *_resolve_all(page.failures, contribution.resolve_failures),
            *(redact_failure(writer, failure) for failure in contribution.failures),
        ),
    )


def _resolve_all(records: Sequence[Noted], wanted: bool) -> Sequence[Noted]:
    return [replace(failure, resolved=True) for failure in records] if wanted else records


def _safe_contradiction(writer: PageWriter, contradiction: Contradiction) -> Contradiction:
    if not contradiction.description.strip():
        raise QueryError("A contradiction needs a `description`.")
    return Contradiction(writer.text(contradiction.description), writer.text(contradiction.source))


def redact_failure(writer: PageWriter, failure: FailureNote) -> FailureNote:
    """Return a failure note with redacted texts; raise QueryError if a required text is empty."""
    for name in ("symptom", "attempted_fix", "diagnosis"):
        if not getattr(failure, name).strip():
            raise QueryError(
                f"A failure needs a `{name}`: describe what was observed, tried and found."
            )
    return map_failure_texts(failure, writer.text)


def record_failure(
    writer: PageWriter, failure: FailureNote, *, page: str = ""
) -> tuple[WikiPage, bool]:
    """Add a fix that did not work to a page; return (page, whether the page is new).

    `page` is a page id. If it is '', the best matching page is used, or else the page `failures`.
    """
    safe = redact_failure(writer, failure)
    text = f"{safe.symptom}\n{safe.diagnosis}\n{safe.attempted_fix}"
    target = page or _find_target(writer, text, (), safe.source_files) or FAILURES_ID
    require_page_id(target)
    if page and writer.folder.page(page) is None:
        raise QueryError(unknown_page_message(writer.folder, page))

    def make(page: WikiPage | None) -> WikiPage:
        target_page = page or WikiPage(
            id=FAILURES_ID,
            title="What was tried and failed",
            body="# What was tried and failed\n\nFixes that did not work, in the front matter of"
            " this page; `codeindex wiki search --include-failures` finds them.",
            commit=writer.commit,
        )
        return replace(target_page, failures=(*target_page.failures, safe))

    return writer.change(target, make)


def add_knowledge(
    writer: PageWriter, synthesis: str, *, source_pages: Sequence[str], title: str
) -> tuple[WikiPage, bool]:
    """Add the text `synthesis` to the best matching page, or to a new page called `title`.

    Return (page, whether it is new). `source_pages` are the ids of the pages from which the text
    was made; they are preferred.
    """
    body = synthesis_text(writer, synthesis, source_pages)
    heading = " ".join(writer.text(title).split()) or text_heading(body)
    target = _find_target(writer, f"{heading}\n{body}", source_pages, ()) or require_page_id(
        make_page_id(heading)
    )

    def make(page: WikiPage | None) -> WikiPage:
        if page is None:
            text = f"# {heading}\n\n{_below_heading(body, heading)}{_origin_note(source_pages)}"
            page = WikiPage(id=target, title=heading, commit=writer.commit)
        else:
            origin = _origin_note([source for source in source_pages if source != target])
            text = _append_note(page.body, body, title=title and heading) + origin
        return replace(_with_citations(writer, page, body), body=text)

    return writer.change(target, make)


def _with_citations(writer: PageWriter, page: WikiPage, note: str) -> WikiPage:
    """Return a page to which the places that a note cites are added, and their files as sources."""
    known = {citation.at for citation in page.cites}
    new = (citation for citation in find_citations(note, writer.tree) if citation.at not in known)
    cites = (*page.cites, *new)
    paths = {citation.path for citation in cites}
    paths -= {source.path for source in page.sources}
    sources = writer.sources(path for path in paths if writer.tree.digest(path))
    ordered = sorted((*page.sources, *sources), key=lambda source: source.path)
    return replace(page, cites=cites, sources=tuple(ordered))


def synthesis_text(writer: PageWriter, synthesis: str, source_pages: Sequence[str]) -> str:
    """Return the text of a synthesis as the page will contain it.

    Raise QueryError if the text is empty or one of `source_pages` does not exist.
    """
    text = writer.text(synthesis)
    if not text.strip():
        raise QueryError("`synthesis` is empty: say what was found.")
    require_pages(writer.folder, source_pages)
    return text


def _append_note(body: str, note: str, *, title: str) -> str:
    """Return a page's text with a note appended.

    A note with a title or heading gets its own section.
    """
    if title or note.startswith("#"):
        heading = title or text_heading(note)
        return f"{body}\n\n## {heading}\n\n{_below_heading(note, heading)}"
    between = "" if _NOTES in body.split("\n") else f"\n\n{_NOTES}"
    return f"{body}{between}\n\n{note}"


def text_heading(text: str) -> str:
    """Return the heading of a text, or else the first words of its first sentence."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "Note")
    if first.startswith("#"):
        return first.lstrip("# ").strip() or "Note"
    first_words = first.split(". ")[0].split()[:8]
    return " ".join(first_words).rstrip(".,:;") or "Note"


def _below_heading(body: str, heading: str) -> str:
    first, _, rest = body.partition("\n")
    return rest.strip("\n") if first.lstrip("# ").strip() == heading and rest.strip() else body


def _origin_note(pages: Sequence[str]) -> str:
    return f"\n\nFrom {', '.join(f'[[{page}]]' for page in pages)}." if pages else ""


def _find_target(
    writer: PageWriter, text: str, consulted: Sequence[str], files: Sequence[str]
) -> str:
    """Return the id of the page that matches a text best, '' if none matches well enough.

    Pages in `consulted` (ids), and pages that describe one of `files`, match better.
    """
    best = rank_target_pages(
        writer.folder.read_page_set().pages, text, consulted=consulted, files=files
    )
    return best[0].page.id if best and best[0].share >= TARGET_THRESHOLD else ""


def rank_target_pages(
    pages: Mapping[str, WikiPage], text: str, *, consulted: Sequence[str], files: Sequence[str]
) -> list[RankedPage]:
    """Return the pages ranked by how well a text fits them, except the contents page.

    Pages in `consulted` (ids), and pages that describe one of `files`, rank higher.
    """
    others = [page for page in pages.values() if page.id != CONTENTS_ID]
    return rank_targets(others, text, consulted=consulted, files=files)


def require_pages(folder: WikiFolder, names: Sequence[str]) -> None:
    """Raise QueryError if one of the pages with the ids `names` does not exist."""
    for name in names:
        if name not in folder.read_page_set().pages:
            raise QueryError(unknown_page_message(folder, name))


def unknown_page_message(folder: WikiFolder, page: str) -> str:
    """Return the error message for an unknown page; it suggests existing pages."""
    known_ids = [known for known in folder.read_page_set().pages if known != CONTENTS_ID]
    near = get_close_matches(page, known_ids, 5, 0.3) or sorted(known_ids)[:5]
    return f"There is no page {page!r}. Existing pages: {', '.join(near) or 'none'}."


def find_broken_links(page: WikiPage, known_ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids that the page links to and that are not in `known_ids`."""
    there = set(known_ids)
    return tuple(link for link in find_links(page.body) if link not in there)
