-- The catalog: the truth about what is indexed. Every text in it is redacted.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row per published state; the newest one names the files outside the catalog that belong to it.
CREATE TABLE generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL,        -- rises once per sync
    complete INTEGER NOT NULL,       -- 0 while a sync is under way
    written_at REAL NOT NULL,        -- seconds since the epoch
    branch TEXT NOT NULL,
    head TEXT NOT NULL,
    tree TEXT NOT NULL,              -- root digest of the Merkle tree
    settings TEXT NOT NULL,          -- digest of the settings that decide what is kept
    discovered INTEGER NOT NULL,     -- files that the sync found worth indexing
    model TEXT NOT NULL,             -- identity of the embedding model, '' without one
    segments TEXT NOT NULL,          -- JSON: vector segments
    statistics TEXT NOT NULL,        -- JSON: token statistics file and what it was learned from
    chroma TEXT NOT NULL,            -- JSON: folder and the last chunk it holds
    graph TEXT NOT NULL              -- JSON: pickle, its digest and its version
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    status TEXT NOT NULL,            -- indexed, plain, skipped, failed
    reason TEXT NOT NULL,
    is_test INTEGER NOT NULL,
    is_generated INTEGER NOT NULL,
    is_navigation INTEGER NOT NULL,  -- a doc that leads around the repository
    module TEXT NOT NULL,
    identifiers BLOB NOT NULL,       -- sorted little-endian uint32: CRC-32 of the names it mentions
    findings TEXT NOT NULL,          -- JSON: [rule, line] of each redacted secret
    centrality REAL NOT NULL DEFAULT 0
);

-- What discovery left out, and why.
CREATE TABLE skipped (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: vector segments refer to it
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    symbol TEXT NOT NULL,
    heading TEXT NOT NULL,
    context TEXT NOT NULL,
    has_secrets INTEGER NOT NULL,
    text TEXT NOT NULL,
    tokens BLOB NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file_id);

CREATE TABLE symbols (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,            -- name without case and underscores
    qualified TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX symbols_of_file ON symbols (file_id);
CREATE INDEX symbols_by_name ON symbols (folded);

-- Filled by the relations stage: both ends are symbols or files, or a name nothing here defines.
CREATE TABLE edges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    certainty TEXT NOT NULL,         -- resolved, ambiguous, textual
    source_file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    source_symbol INTEGER REFERENCES symbols (id) ON DELETE CASCADE,
    target_file INTEGER REFERENCES files (id) ON DELETE CASCADE,
    target_symbol INTEGER REFERENCES symbols (id) ON DELETE CASCADE,
    target_name TEXT NOT NULL,
    line INTEGER NOT NULL
);
CREATE INDEX edges_from_file ON edges (source_file);
CREATE INDEX edges_from_symbol ON edges (source_symbol);
CREATE INDEX edges_to_file ON edges (target_file);
CREATE INDEX edges_to_symbol ON edges (target_symbol);

-- Words are split and stemmed by codeindex.words; FTS5 only has to part them at blanks.
CREATE VIRTUAL TABLE words USING fts5 (body, path, name, tokenize = 'ascii');
