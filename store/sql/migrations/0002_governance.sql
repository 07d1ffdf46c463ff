-- 0002_governance: when something was believed, what waits for a person, and what a recall was made of.

-- Where a memory was edited: the address of what it says now; NULL: its id.
ALTER TABLE memory ADD COLUMN address TEXT;
-- The memory of which this row is an earlier wording; such a row is archived, and has no document id.
ALTER TABLE memory ADD COLUMN version_of TEXT;
-- When it became known that a memory ends at `invalid_at`.
ALTER TABLE memory ADD COLUMN invalidated_at INTEGER;
-- Coexistence group: its members are recalled together or not at all.
ALTER TABLE memory ADD COLUMN coexistence TEXT;
-- The semantic key as it is compared.
ALTER TABLE memory ADD COLUMN folded_key TEXT;
-- What the text states apart from its polarity, as a hash, and the polarity: see `IndexEntry`.
ALTER TABLE memory ADD COLUMN stance TEXT;
ALTER TABLE memory ADD COLUMN polarity TEXT;
-- The record of a failure, which stays out of turns that are not about it.
ALTER TABLE memory ADD COLUMN incident INTEGER NOT NULL DEFAULT 0;

-- `forget` archived before there was anything else to be archived for.
UPDATE memory SET status = 'tombstoned' WHERE status = 'archived';
UPDATE memory SET folded_key = lower(trim(semantic_key)) WHERE semantic_key IS NOT NULL;
UPDATE memory SET invalidated_at = coalesce(
  (SELECT min(at) FROM ledger WHERE ledger.memory_id = memory.id AND action = 'superseded'), updated_at
) WHERE invalid_at IS NOT NULL;

DROP INDEX memory_visible;
CREATE INDEX memory_visible
  ON memory (scope_id, status, valid_at, invalid_at, created_at, scene, domain, incident, pinned);
DROP INDEX memory_key;
CREATE INDEX memory_key ON memory (scope_id, folded_key) WHERE folded_key IS NOT NULL;
CREATE UNIQUE INDEX memory_address ON memory (address) WHERE address IS NOT NULL;
CREATE INDEX memory_version ON memory (version_of) WHERE version_of IS NOT NULL;
CREATE INDEX memory_group ON memory (coexistence) WHERE coexistence IS NOT NULL;
CREATE INDEX memory_stance ON memory (scope_id, stance) WHERE stance IS NOT NULL;
CREATE INDEX memory_incident ON memory (scope_id, status) WHERE incident = 1;
CREATE INDEX memory_scene ON memory (scope_id, status, scene) WHERE scene IS NOT NULL;
CREATE INDEX memory_domain ON memory (scope_id, status, domain) WHERE domain IS NOT NULL;
CREATE INDEX memory_ended ON memory (scope_id, status, invalid_at) WHERE invalid_at IS NOT NULL;

-- When the store believed a row, half-open: from its write, approval or restoring to its withdrawal or
-- its next wording. A row that was never believed is not in the index.
CREATE TABLE believed (
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  until      INTEGER,  -- NULL: still
  PRIMARY KEY (memory_seq, since)
) STRICT, WITHOUT ROWID;

INSERT INTO believed (memory_seq, since, until)
SELECT seq,
       coalesce((SELECT min(at) FROM ledger WHERE memory_id = memory.id AND action = 'created'), created_at),
       CASE status WHEN 'active' THEN NULL ELSE updated_at END
FROM memory WHERE status <> 'quarantined';

-- A question that waits for a person, or waited.
CREATE TABLE review (
  id         TEXT PRIMARY KEY,
  memory_id  TEXT NOT NULL,     -- the newer side
  scope_id   INTEGER NOT NULL REFERENCES scope (id),
  kind       TEXT NOT NULL,     -- personal-data, key, contradiction, update
  rule       TEXT,              -- what raised it
  supersedes TEXT,              -- the memory that is superseded once this one is let in
  opened_at  INTEGER NOT NULL,
  closed_at  INTEGER,           -- NULL: open
  decision   TEXT               -- approve, replace, coexist, reject, dismiss; withdrawn: it became void
) STRICT, WITHOUT ROWID;
CREATE INDEX review_open ON review (scope_id, opened_at) WHERE closed_at IS NULL;
CREATE INDEX review_memory ON review (memory_id);

CREATE TABLE review_side (
  review_id TEXT NOT NULL REFERENCES review (id) ON DELETE CASCADE,
  memory_id TEXT NOT NULL,  -- an older side
  PRIMARY KEY (review_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_side_memory ON review_side (memory_id);

-- What an older file left open is asked about now: what waits without a question, and keys with several
-- values, all of which go on to be recalled; the newest, of a person where one stated any, is the newer side.
INSERT INTO review (id, memory_id, scope_id, kind, rule, opened_at)
SELECT 'rev_' || id, id, scope_id, 'personal-data', 'kept-waiting', updated_at
FROM memory WHERE status = 'quarantined';

INSERT INTO review (id, memory_id, scope_id, kind, opened_at)
SELECT 'rev_' || id, id, scope_id, 'update', updated_at FROM (
  SELECT *, row_number() OVER (
    PARTITION BY scope_id, folded_key
    ORDER BY provenance = 'human' DESC, coalesce(valid_at, created_at) DESC, seq DESC) AS place
  FROM memory
  WHERE status = 'active' AND superseded_by IS NULL AND invalid_at IS NULL AND folded_key IS NOT NULL
) AS newest
WHERE place = 1 AND EXISTS (
  SELECT 1 FROM memory AS older
  WHERE older.scope_id = newest.scope_id AND older.folded_key = newest.folded_key
    AND older.status = 'active' AND older.superseded_by IS NULL AND older.invalid_at IS NULL
    AND lower(trim(older.text)) <> lower(trim(newest.text)));

INSERT INTO review_side (review_id, memory_id)
SELECT review.id, older.id
FROM review JOIN memory AS newest ON newest.id = review.memory_id
JOIN memory AS older ON older.scope_id = newest.scope_id AND older.folded_key = newest.folded_key
WHERE review.kind = 'update' AND older.id <> newest.id
  AND older.status = 'active' AND older.superseded_by IS NULL AND older.invalid_at IS NULL
  AND lower(trim(older.text)) <> lower(trim(newest.text));

INSERT INTO ledger (at, action, memory_id, scope_id, rule, detail)
SELECT opened_at, 'review-asked', memory_id, scope_id, kind, id FROM review ORDER BY opened_at, id;

-- Terms of the query, in alphabetical order, never the query: what a helpful memory learns from.
ALTER TABLE run ADD COLUMN terms TEXT NOT NULL DEFAULT '';
-- JSON: the request, the settings and the figures of the whole recall; of a decision the signals and
-- what each feature added.
ALTER TABLE run ADD COLUMN trace TEXT;
ALTER TABLE decision ADD COLUMN detail TEXT;

-- Which run gave the memory that was reported on, where the host said so.
ALTER TABLE consumption ADD COLUMN run_id INTEGER;

-- The settings that recalls were made with, once each.
CREATE TABLE settings (
  fingerprint TEXT PRIMARY KEY,
  value       TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;

-- What a piece of evidence added to beta, where no table says it.
ALTER TABLE evidence ADD COLUMN step REAL;
