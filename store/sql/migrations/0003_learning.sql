-- 0003_learning: what was injected and observed, what beliefs rest on, what goes into every prompt.

-- Which text of an entry was given to a prompt in a scope, as a keyed hash: it need not be fingerprinted
-- again. An entry is a memory, a standing answer or a prompt block.
CREATE TABLE injected_text (
  entry_id TEXT NOT NULL,
  scope_id INTEGER NOT NULL REFERENCES scope (id),
  text     INTEGER NOT NULL,
  PRIMARY KEY (entry_id, scope_id, text)
) STRICT, WITHOUT ROWID;

-- Stretches of what was given to prompts, as keyed hashes: by them its echo is known.
CREATE TABLE echo (
  fingerprint INTEGER NOT NULL,
  scope_id    INTEGER NOT NULL REFERENCES scope (id),
  entry_id    TEXT NOT NULL,
  PRIMARY KEY (fingerprint, scope_id, entry_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX echo_entry ON echo (entry_id);

-- Messages that were read, as keyed hashes: each is read once.
CREATE TABLE observed (
  scope_id INTEGER NOT NULL REFERENCES scope (id),
  message  INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (scope_id, message)
) STRICT, WITHOUT ROWID;

-- What a belief rests on. A belief is a memory of that layer; its evidence keeps its rows.
CREATE TABLE belief_evidence (
  belief_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  at        INTEGER NOT NULL,  -- when it counted
  against   INTEGER NOT NULL CHECK (against IN (0, 1)),
  PRIMARY KEY (belief_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX belief_evidence_memory ON belief_evidence (memory_id);

-- How a belief stood before it was changed. What it said is kept as any earlier wording is.
CREATE TABLE belief_revision (
  belief_id TEXT NOT NULL,
  number    INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  reason    TEXT NOT NULL,
  wording   TEXT,           -- the row of `memory` with the earlier wording; NULL: the same text
  strength  REAL NOT NULL,
  evidence  TEXT NOT NULL,  -- JSON array of ids
  PRIMARY KEY (belief_id, number)
) STRICT, WITHOUT ROWID;

-- A reflection is planned as a whole and then carried out step by step, so that one that was stopped goes
-- on where it was.
CREATE TABLE reflection (
  period TEXT PRIMARY KEY,  -- the day for which it was due, YYYY-MM-DD
  at     INTEGER NOT NULL,  -- its clock
  state  TEXT NOT NULL CHECK (state IN ('planned', 'done')),
  report TEXT NOT NULL      -- JSON: counts
) STRICT, WITHOUT ROWID;

CREATE TABLE reflection_step (
  period TEXT NOT NULL REFERENCES reflection (period) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  step   TEXT NOT NULL,  -- JSON: kind and ids, no text
  PRIMARY KEY (period, number)
) STRICT, WITHOUT ROWID;

-- How a standing answer stood before it was renewed or verified anew, until when.
CREATE TABLE answer_revision (
  answer_id   TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
  until       INTEGER NOT NULL,
  text        TEXT,              -- NULL: what it said afterwards, too
  verified_at INTEGER NOT NULL,
  PRIMARY KEY (answer_id, until)
) STRICT, WITHOUT ROWID;

-- When a phrasing was told; 0: with its answer.
ALTER TABLE phrasing ADD COLUMN told_at INTEGER NOT NULL DEFAULT 0;
-- An older file kept nothing of what an answer said before it was renewed: it counts as told then.
UPDATE answer SET created_at = updated_at;

-- What goes into every system prompt of a scope, in order of position.
CREATE TABLE prompt_block (
  id         TEXT PRIMARY KEY,
  scope_id   INTEGER NOT NULL REFERENCES scope (id),
  title      TEXT NOT NULL,
  body       TEXT NOT NULL,
  position   INTEGER NOT NULL,
  enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_block_order ON prompt_block (scope_id, position, id);
