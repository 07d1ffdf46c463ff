-- 0001_initial: the record, its index, its evidence and the audit trail.
-- Moments are INTEGER, UTC milliseconds since 1970. Names of enumerations are in store/records.py.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- A workspace's key is the hash of its canonical path.
CREATE TABLE scope (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  UNIQUE (kind, key)
) STRICT;

-- Narrow columns stand before the text, so that a visibility check does not read overflow pages.
CREATE TABLE memory (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  scope_id         INTEGER NOT NULL REFERENCES scope (id),
  status           TEXT NOT NULL CHECK (status IN ('active', 'quarantined', 'archived', 'tombstoned')),
  kind             TEXT NOT NULL,
  layer            TEXT NOT NULL,
  provenance       TEXT NOT NULL,
  origin           TEXT NOT NULL,
  pinned           INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  importance       REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  alpha            REAL NOT NULL CHECK (alpha > 0),
  beta             REAL NOT NULL CHECK (beta > 0),
  harmful_count    INTEGER NOT NULL DEFAULT 0,
  recall_count     INTEGER NOT NULL DEFAULT 0,
  evidence_count   INTEGER NOT NULL DEFAULT 0,
  valid_at         INTEGER,           -- NULL: since it was told
  invalid_at       INTEGER,           -- NULL: still true
  event_start      INTEGER,           -- NULL: speaks of no particular time
  event_end        INTEGER,           -- half-open
  expires_at       INTEGER,           -- NULL: never
  created_at       INTEGER NOT NULL,  -- when it was told
  updated_at       INTEGER NOT NULL,  -- when the row last changed
  confirmed_at     INTEGER NOT NULL,  -- when it was last told again or found helpful
  last_recalled_at INTEGER,
  superseded_by    TEXT REFERENCES memory (id),
  supersedes       TEXT REFERENCES memory (id),
  document_id      TEXT,
  session_id       TEXT,
  source           TEXT,              -- session@seq
  semantic_key     TEXT,
  speaker          TEXT,
  scene            TEXT,
  domain           TEXT,
  title            TEXT,
  tags             TEXT NOT NULL DEFAULT '[]',  -- JSON array of text, not escaped to ASCII
  learned_terms    TEXT NOT NULL DEFAULT '',    -- separated by one space
  text             TEXT NOT NULL,
  raw_quote        TEXT,
  CHECK ((event_start IS NULL) = (event_end IS NULL))
) STRICT;

-- The visibility filter of every candidate query is answered from this index alone.
CREATE INDEX memory_visible ON memory (scope_id, status, valid_at, invalid_at, created_at, scene, domain);
CREATE UNIQUE INDEX memory_document ON memory (scope_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX memory_event ON memory (scope_id, status, event_start, event_end) WHERE event_start IS NOT NULL;
CREATE INDEX memory_created ON memory (scope_id, status, created_at);
CREATE INDEX memory_pinned ON memory (scope_id, status) WHERE pinned = 1;
CREATE INDEX memory_belief ON memory (scope_id, status) WHERE layer = 'belief';
CREATE INDEX memory_key ON memory (scope_id, semantic_key) WHERE semantic_key IS NOT NULL;
CREATE INDEX memory_source ON memory (scope_id, source) WHERE source IS NOT NULL;

CREATE TABLE tag (
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  tag        TEXT NOT NULL,  -- folded as text analysis folds
  PRIMARY KEY (tag, memory_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_memory ON tag (memory_seq);

CREATE TABLE evidence (
  id         INTEGER PRIMARY KEY,
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  kind       TEXT NOT NULL,  -- asserted, repeated, edited, superseded, helped, harmful, stale, conflict
  at         INTEGER NOT NULL,
  source     TEXT,
  note       TEXT
) STRICT;
CREATE INDEX evidence_memory ON evidence (memory_seq);

-- The derived: everything from here to `pending_vector` can be rebuilt from the rows above by reindex.
-- Contentless: the terms are kept once, in memory_index. Scope is a token (s<scope_id>) of weight 0,
-- which narrows the postings before any row is looked up.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  body, chars, synonyms, title, tags, key, speaker, learned, symbols, scope,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);

-- What a memory was counted under in the two tables below, so that it is uncounted alike.
CREATE TABLE memory_index (
  seq      INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  scope_id INTEGER NOT NULL,
  terms    TEXT NOT NULL  -- the distinct terms of every field, separated by one space
) STRICT;

-- By scope, so that the words of one neither weigh nor show in another.
CREATE TABLE term (
  term     TEXT NOT NULL,
  scope_id INTEGER NOT NULL,
  df       INTEGER NOT NULL,  -- indexed memories of the scope that hold it
  PRIMARY KEY (term, scope_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE scope_statistics (
  scope_id  INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL  -- indexed memories of the scope
) STRICT;

-- One row: in how many indexed memories each dimension of a hashed vector is set.
CREATE TABLE vector_statistics (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  documents INTEGER NOT NULL,
  df        BLOB NOT NULL  -- little-endian uint32, one a dimension
) STRICT;

CREATE TABLE vector (
  seq       INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  embedding BLOB NOT NULL  -- see store/vectors.py
) STRICT;

CREATE TABLE vector_code (
  seq  INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  code BLOB NOT NULL  -- signs of a random projection, packed
) STRICT;

-- Memories whose vector is not there yet, or only the part of it that takes no model.
CREATE TABLE pending_vector (
  seq INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE
) STRICT;

CREATE TABLE entity (
  id   INTEGER PRIMARY KEY,
  norm TEXT NOT NULL UNIQUE,  -- folded name
  name TEXT NOT NULL          -- as first written
) STRICT;

CREATE TABLE mention (
  entity_id  INTEGER NOT NULL REFERENCES entity (id),
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  role       TEXT NOT NULL,  -- subject (title or speaker), stated (given by the caller), text
  PRIMARY KEY (entity_id, memory_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_memory ON mention (memory_seq);

CREATE TABLE relation (
  id         INTEGER PRIMARY KEY,
  source_id  INTEGER NOT NULL REFERENCES entity (id),
  predicate  TEXT NOT NULL,
  target_id  INTEGER NOT NULL REFERENCES entity (id),
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,  -- the asserting memory
  UNIQUE (source_id, predicate, target_id, memory_seq)
) STRICT;
CREATE INDEX relation_target ON relation (target_id);
CREATE INDEX relation_memory ON relation (memory_seq);

CREATE TABLE answer (
  id          TEXT PRIMARY KEY,
  scope_id    INTEGER NOT NULL REFERENCES scope (id),
  text        TEXT NOT NULL,
  hits        INTEGER NOT NULL DEFAULT 0,
  verified_at INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE phrasing (
  answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
  scope_id  INTEGER NOT NULL REFERENCES scope (id),
  key       TEXT NOT NULL,  -- the phrasing as text analysis folds it
  text      TEXT NOT NULL,  -- as written
  PRIMARY KEY (scope_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX phrasing_answer ON phrasing (answer_id);

-- The audit. A query is kept as a keyed hash only; refused text as a fingerprint only.
CREATE TABLE ledger (
  id          INTEGER PRIMARY KEY,
  at          INTEGER NOT NULL,
  action      TEXT NOT NULL,
  memory_id   TEXT,
  scope_id    INTEGER REFERENCES scope (id),
  rule        TEXT,
  fingerprint TEXT,
  detail      TEXT
) STRICT;
CREATE INDEX ledger_memory ON ledger (memory_id) WHERE memory_id IS NOT NULL;

CREATE TABLE run (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  query_hash TEXT NOT NULL,
  scopes     TEXT NOT NULL,  -- JSON array of scope ids
  mode       TEXT NOT NULL,
  candidates INTEGER NOT NULL,
  abstained  TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE decision (
  run_id     INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  memory_id  TEXT NOT NULL,
  rank       INTEGER NOT NULL,
  action     TEXT NOT NULL,
  reason     TEXT NOT NULL,
  score      REAL NOT NULL,
  relevance  REAL NOT NULL,
  freshness  REAL NOT NULL,
  confidence REAL NOT NULL,
  risk       REAL NOT NULL,
  paths      TEXT NOT NULL,  -- JSON object: path → rank
  PRIMARY KEY (run_id, memory_id)
) STRICT, WITHOUT ROWID;
-- No index by memory: it would double what every recall writes, and explaining one memory looks the few
-- thousand runs up one by one.

CREATE TABLE injection (
  run_id    INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  position  INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX injection_memory ON injection (memory_id);

CREATE TABLE consumption (
  id        INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  at        INTEGER NOT NULL,
  note      TEXT
) STRICT;
CREATE INDEX consumption_memory ON consumption (memory_id);
