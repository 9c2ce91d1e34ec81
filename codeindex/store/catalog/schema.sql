-- The catalog: the only record of what is indexed. All texts in it are redacted.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row per published state of the index, with the files outside the catalog that belong to it.
CREATE TABLE generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    version INTEGER NOT NULL,        -- rises once per sync
    complete INTEGER NOT NULL,       -- 0 while a sync is under way
    written_at REAL NOT NULL,        -- seconds since the epoch
    branch TEXT NOT NULL,
    head TEXT NOT NULL,
    settings TEXT NOT NULL,          -- digest of the settings that decide what is kept
    discovered INTEGER NOT NULL,     -- files that the sync found worth indexing
    model TEXT NOT NULL,             -- identity of the embedding model, '' without one
    segments TEXT NOT NULL,          -- JSON: segments of words and vectors
    statistics TEXT NOT NULL,        -- JSON: token statistics file and what it was learned from
    chroma TEXT NOT NULL,            -- JSON: folder and the last chunk it holds
    graph TEXT NOT NULL              -- JSON: pickle, its digest and its version
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- kept when the file changes
    path TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    status TEXT NOT NULL,            -- indexed, plain, skipped, failed
    reason TEXT NOT NULL,
    lost INTEGER NOT NULL DEFAULT 0,           -- lines that the parser could not read
    is_test INTEGER NOT NULL,
    is_generated INTEGER NOT NULL,
    is_navigation INTEGER NOT NULL,  -- a guide to the repository, such as README.md
    module TEXT NOT NULL,
    centrality REAL NOT NULL DEFAULT 0,
    surveyed INTEGER NOT NULL DEFAULT 0,  -- patterns and mentions include this content
    layout BLOB NOT NULL DEFAULT x'',     -- its chunks, packed (`store.catalog.write_files.CHUNK_LAYOUT`)
    -- Searches do not read the next columns of all files. They are long, so they come last.
    identifiers BLOB NOT NULL,       -- sorted little-endian uint32: CRC-32 of the names it mentions
    findings TEXT NOT NULL           -- JSON: [rule, line] of each redacted secret
);
CREATE INDEX files_by_module ON files (module, path);  -- has both columns: a scan is cheap
CREATE INDEX files_with_reason ON files (path) WHERE reason != '';
CREATE INDEX files_with_findings ON files (path) WHERE findings != '[]';
CREATE INDEX files_to_survey ON files (id) WHERE NOT surveyed;

-- Paths whose times show that files were added or deleted, or that rules have changed.
CREATE TABLE watched (
    path TEXT PRIMARY KEY,           -- relative to the root ('' is the root); absolute if outside
    kind TEXT NOT NULL,              -- folder, file (left out), rules, listing (git's index)
    mtime_ns INTEGER NOT NULL,       -- -1 if the path does not exist
    ctime_ns INTEGER NOT NULL        -- 0 (also in files): too new to be compared
) WITHOUT ROWID;

-- Files and folders that discovery left out, with the reason.
CREATE TABLE skipped (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    languages TEXT                   -- of the files in a folder, separated by blanks; NULL: unknown
) WITHOUT ROWID;

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused, because segments refer to it
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    symbol TEXT NOT NULL,
    heading TEXT NOT NULL,
    has_secrets INTEGER NOT NULL,
    page INTEGER NOT NULL,           -- page of a PDF, or cell of a notebook; else 0
    line INTEGER NOT NULL,           -- where the symbol is defined; 0 if not in this chunk
    complexity INTEGER NOT NULL,     -- cyclomatic complexity of the defined function, else 0
    traits INTEGER NOT NULL,         -- bits of types.ChunkTraits for the defined symbol
    text TEXT NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file_id);

-- Columns of a file's chunks that no search reads, in the order of the chunk ids.
CREATE TABLE packed_chunks (
    file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    contexts BLOB NOT NULL,          -- zlib of JSON
    tokens BLOB NOT NULL             -- token counts (`store.catalog.packed_chunks`)
);

CREATE TABLE symbols (
    id INTEGER PRIMARY KEY AUTOINCREMENT,  -- kept when the file changes, because edges refer to it
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,         -- position among the symbols of the file
    name TEXT NOT NULL,
    folded TEXT NOT NULL,            -- name in lower case without underscores
    qualified TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    cyclomatic INTEGER NOT NULL,     -- complexity; 0 except for functions with a body
    max_nesting INTEGER NOT NULL,
    param_count INTEGER NOT NULL,
    body_lines INTEGER NOT NULL
);
CREATE INDEX symbols_of_file ON symbols (file_id, number);
CREATE INDEX symbols_by_name ON symbols (folded);
CREATE INDEX symbols_of_types ON symbols (file_id, kind, qualified)
    WHERE kind IN ('struct', 'type', 'interface');

-- The names that a file declares and uses, and the state of their resolution.
CREATE TABLE relations (
    file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    declared BLOB NOT NULL,          -- zlib of JSON
    used BLOB NOT NULL,              -- zlib of JSON
    interface TEXT NOT NULL,         -- digest of what other files can see
    resolved INTEGER NOT NULL DEFAULT 0,
    shown TEXT NOT NULL DEFAULT '',  -- the interface against which other files were resolved
    asked BLOB NOT NULL DEFAULT x'', -- zlib of JSON: import lookups, as [path, modules]
    found TEXT NOT NULL DEFAULT '',  -- digest of the lookups' results
    consulted BLOB NOT NULL DEFAULT x''  -- sorted little-endian uint32: files that resolution read
);
CREATE INDEX relations_to_resolve ON relations (file_id) WHERE NOT resolved;

-- The names that files export to the package in which they declare to be.
CREATE TABLE shown_names (
    package TEXT NOT NULL,
    name TEXT NOT NULL,
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    PRIMARY KEY (package, name, file_id)
) WITHOUT ROWID;
CREATE INDEX names_of_file ON shown_names (file_id);
CREATE INDEX packages_by_name ON shown_names (name, package);

-- Exported names added or deleted since edges were last resolved: their users are resolved again.
CREATE TABLE renamed (
    package TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (package, name)
) WITHOUT ROWID;
CREATE TRIGGER note_shown AFTER INSERT ON shown_names BEGIN
    INSERT OR IGNORE INTO renamed VALUES (new.package, new.name);
END;
CREATE TRIGGER note_hidden AFTER DELETE ON shown_names BEGIN
    INSERT OR IGNORE INTO renamed VALUES (old.package, old.name);
END;

-- The distinct names of edges: external names, members of unknown receivers, modules of imports.
CREATE TABLE edge_names (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    last TEXT NOT NULL               -- the part after the last dot, slash or colon
);
CREATE INDEX names_by_last_part ON edge_names (last);

-- Uses of a symbol or file of this repository, or of an external name. Read them from `edges`.
-- During a sync, edges may refer to rows that do not exist: always join with the other table.
CREATE TABLE edge_rows (
    id INTEGER PRIMARY KEY,
    source_file INTEGER NOT NULL,
    source_symbol INTEGER,           -- NULL for the file itself
    kind_code INTEGER NOT NULL,      -- stored instead of `kind`, which would take a sixth of a row
    is_ambiguous INTEGER NOT NULL,
    target_file INTEGER,             -- NULL: only the name is known
    target_symbol INTEGER,           -- NULL for the file itself
    name_id INTEGER NOT NULL,        -- the `edge_names` row of `target_name`; 0: it is ''
    lines TEXT NOT NULL,             -- line numbers of the uses, joined by blanks
    compiler TEXT NOT NULL DEFAULT '',  -- the lines that a compiler's index confirms
    receiver TEXT NOT NULL DEFAULT '',  -- for a member call with unknown receiver type: the last
                                        -- name in the receiver
    arguments INTEGER NOT NULL DEFAULT -1, -- for such a call: number of arguments, -1 if unknown
    kind TEXT NOT NULL AS (
        CASE kind_code
            WHEN 0 THEN 'references' WHEN 1 THEN 'calls' WHEN 2 THEN 'imports' WHEN 3 THEN 'extends'
            WHEN 4 THEN 'mentions' WHEN 5 THEN 'describes' WHEN 6 THEN 'entry_point'
        END
    ),
    certainty TEXT NOT NULL AS (CASE is_ambiguous WHEN 0 THEN 'resolved' WHEN 1 THEN 'ambiguous' END)
);
CREATE INDEX edges_from ON edge_rows (source_file, source_symbol);
CREATE INDEX edges_to_symbol ON edge_rows (target_symbol) WHERE target_symbol IS NOT NULL;
CREATE INDEX edges_to_file ON edge_rows (target_file) WHERE target_symbol IS NULL;
CREATE INDEX edges_to_module ON edge_rows (name_id) WHERE kind = 'imports';
CREATE INDEX edges_to_name ON edge_rows (name_id) WHERE target_file IS NULL;
CREATE INDEX edges_by_receiver ON edge_rows (source_file, receiver, name_id) WHERE receiver != '';
CREATE INDEX edges_to_outer_base ON edge_rows (name_id)
    WHERE target_file IS NULL AND kind = 'extends';
CREATE INDEX edges_to_base ON edge_rows (target_symbol, source_symbol) WHERE kind = 'extends';

-- To find edges by `target_name`, compare `name_id`, which is indexed.
CREATE VIEW edges AS
    SELECT *, CASE name_id WHEN 0 THEN '' ELSE (SELECT name FROM edge_names WHERE id = name_id) END
        AS target_name
    FROM edge_rows;

-- Names of edges that have both a name and a target, other than imports, are kept: they are few.
CREATE TRIGGER forget_edge_name AFTER DELETE ON edge_rows
    WHEN (old.target_file IS NULL OR old.kind = 'imports') AND NOT EXISTS (
        SELECT 1 FROM edge_rows WHERE name_id = old.name_id AND target_file IS NULL
    ) AND NOT EXISTS (
        SELECT 1 FROM edge_rows WHERE name_id = old.name_id AND kind = 'imports'
    ) BEGIN
    DELETE FROM edge_names WHERE id = old.name_id;
END;

-- References in files according to compilers' indexes, with the digest of the indexed content.
CREATE TABLE compiler_files (
    file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    same INTEGER NOT NULL DEFAULT 1, -- whether the file had it at the last resolution
    refs BLOB NOT NULL               -- zlib of JSON; empty if no index has the file
);

-- The newest commits, without merges, to find files that change together.
CREATE TABLE commits (
    id INTEGER PRIMARY KEY,          -- rises with the time of the commit
    digest TEXT NOT NULL,
    size INTEGER NOT NULL            -- number of files that it changed
);
CREATE TABLE commit_paths (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE        -- newest path of a file, which need not be indexed
);
CREATE TABLE commit_rows (
    path_id INTEGER NOT NULL REFERENCES commit_paths (id),
    commit_id INTEGER NOT NULL REFERENCES commits (id) ON DELETE CASCADE,
    PRIMARY KEY (path_id, commit_id)
) WITHOUT ROWID;
CREATE INDEX files_of_commit ON commit_rows (commit_id);
CREATE VIEW commit_files AS
    SELECT path, commit_id FROM commit_rows JOIN commit_paths ON id = path_id;

-- Groups of files that define the same names. Common bases and decorators are read from the edges.
CREATE TABLE patterns (
    id INTEGER PRIMARY KEY,
    place TEXT NOT NULL,             -- glob of the compared paths
    language TEXT NOT NULL,
    name TEXT NOT NULL,
    common TEXT NOT NULL             -- JSON: names that nearly all members define
);
CREATE INDEX patterns_of_place ON patterns (place);
CREATE TABLE pattern_members (
    pattern_id INTEGER NOT NULL REFERENCES patterns (id) ON DELETE CASCADE,
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    extra TEXT NOT NULL,             -- JSON: its names that are not common
    missing TEXT NOT NULL,           -- JSON: common names that it lacks
    PRIMARY KEY (pattern_id, file_id)
) WITHOUT ROWID;
CREATE INDEX patterns_of_file ON pattern_members (file_id);

-- Deleted files, for which patterns must be computed again.
CREATE TABLE gone (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TRIGGER note_gone AFTER DELETE ON files BEGIN
    INSERT OR IGNORE INTO gone VALUES (old.path);
END;

-- Names that documents mention. A mention that means exactly one symbol or file also has an edge.
CREATE TABLE mentions (
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,              -- mentions, describes, entry_point
    name TEXT NOT NULL
);
CREATE INDEX mentions_of_file ON mentions (file_id);
