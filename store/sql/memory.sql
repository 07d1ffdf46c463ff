-- Reading and writing rows. Values are bound by name; `reads.sql` holds the candidate queries.

-- name: scope_find
SELECT id FROM scope WHERE kind = :kind AND key = :key

-- name: scope_add
INSERT INTO scope (kind, key) VALUES (:kind, :key) RETURNING id

-- name: meta_get
SELECT value FROM meta WHERE key = :key

-- name: meta_set
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: meta_count
INSERT INTO meta (key, value) VALUES (:key, 1)
ON CONFLICT (key) DO UPDATE SET value = value + 1

-- name: row_state
SELECT seq, status, invalid_at FROM memory WHERE id = :id

-- name: row_by_id
-- LEFT: a row whose scope is missing must be seen to be told.
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.id = :id

-- name: row_by_address
-- What a memory says now may have an address that is not its id any more.
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.address = :address OR (memory.id = :address AND memory.address IS NULL)

-- name: row_by_document
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.scope_id = :scope_id AND memory.document_id = :document_id

-- name: id_taken
SELECT EXISTS (SELECT 1 FROM memory WHERE id = :id)

-- name: row_insert
INSERT INTO memory (
  id, scope_id, status, kind, layer, provenance, origin, pinned, importance, alpha, beta,
  valid_at, event_start, event_end, expires_at, created_at, updated_at, confirmed_at,
  document_id, session_id, source, semantic_key, speaker, scene, domain, title, tags, text, raw_quote,
  folded_key, stance, polarity, incident
) VALUES (
  :id, :scope_id, :status, :kind, :layer, :provenance, :origin, :pinned, :importance, :alpha, :beta,
  :valid_at, :event_start, :event_end, :expires_at, :created_at, :now, :created_at,
  :document_id, :session_id, :source, :semantic_key, :speaker, :scene, :domain, :title, :tags, :text,
  :raw_quote, :folded_key, :stance, :polarity, :incident
) RETURNING seq

-- name: row_confirm
-- A value that was not given never blanks one that was.
UPDATE memory SET
  provenance   = CASE :provenance WHEN 'human' THEN 'human' ELSE provenance END,
  pinned       = max(pinned, :pinned),
  importance   = CASE WHEN :importance <> 0.5 THEN :importance ELSE importance END,
  valid_at     = coalesce(:valid_at, valid_at),
  event_start  = coalesce(:event_start, event_start),
  event_end    = coalesce(:event_end, event_end),
  expires_at   = coalesce(:expires_at, expires_at),
  session_id   = coalesce(session_id, :session_id),
  source       = coalesce(source, :source),
  semantic_key = coalesce(:semantic_key, semantic_key),
  folded_key   = coalesce(:folded_key, folded_key),
  speaker      = coalesce(:speaker, speaker),
  scene        = coalesce(:scene, scene),
  domain       = coalesce(:domain, domain),
  title        = coalesce(:title, title),
  tags         = :tags,
  raw_quote    = coalesce(raw_quote, :raw_quote),
  updated_at   = :now,
  confirmed_at = max(confirmed_at, :now)
WHERE seq = :seq

-- name: row_rewrite
-- After row_confirm: time, quote, pointer, credence and learned terms were the old text's.
UPDATE memory SET
  text          = :text,
  kind          = :kind,
  layer         = :layer,
  provenance    = :provenance,
  origin        = :origin,
  tags          = :tags,
  event_start   = :event_start,
  event_end     = :event_end,
  expires_at    = :expires_at,
  session_id    = :session_id,
  source        = :source,
  raw_quote     = :raw_quote,
  alpha         = :alpha,
  beta          = :beta,
  harmful_count = 0,
  learned_terms = '',
  stance        = :stance,
  polarity      = :polarity,
  incident      = :incident
WHERE seq = :seq

-- name: row_edit
-- Every field a person may change; those that did not change are given as they are.
UPDATE memory SET
  scope_id     = :scope_id,
  document_id  = :document_id,
  address      = :address,
  text         = :text,
  kind         = :kind,
  layer        = :layer,
  provenance   = :provenance,
  title        = :title,
  tags         = :tags,
  semantic_key = :semantic_key,
  folded_key   = :folded_key,
  speaker      = :speaker,
  scene        = :scene,
  domain       = :domain,
  pinned       = :pinned,
  importance   = :importance,
  valid_at     = coalesce(:valid_at, valid_at),
  event_start  = :event_start,
  event_end    = :event_end,
  expires_at   = :expires_at,
  raw_quote    = :raw_quote,
  stance       = :stance,
  polarity     = :polarity,
  incident     = :incident,
  updated_at   = :now
WHERE seq = :seq

-- name: row_fresh_credence
UPDATE memory SET origin = 'explicit', alpha = :alpha, beta = :beta, harmful_count = 0, learned_terms = '',
  confirmed_at = max(confirmed_at, :now)
WHERE seq = :seq

-- name: row_arrived
UPDATE memory SET learned_terms = '', recall_count = 0, last_recalled_at = NULL WHERE seq = :seq

-- name: row_derived
-- What a newer analysis makes of a text.
UPDATE memory SET folded_key = :folded_key, stance = :stance, polarity = :polarity, incident = :incident
WHERE seq = :seq

-- name: row_revived
UPDATE memory SET invalid_at = NULL, invalidated_at = NULL, superseded_by = NULL, valid_at = :valid_at
WHERE seq = :seq

-- name: row_holds_again
UPDATE memory SET invalid_at = NULL, invalidated_at = NULL, superseded_by = NULL WHERE seq = :seq

-- name: version_numbers
-- The number of the last: an erasure may have taken others.
SELECT coalesce(max(CAST(substr(id, length(:id) + 2) AS INTEGER)), 0) FROM memory WHERE version_of = :id

-- name: version_retire
-- The row keeps its place in the index, its relations and its evidence; only the name goes on.
UPDATE memory SET
  id = :version, version_of = :id, status = CASE status WHEN 'tombstoned' THEN status ELSE 'archived' END,
  document_id = NULL, address = NULL,
  coexistence = NULL, superseded_by = NULL, supersedes = NULL
WHERE seq = :seq

-- name: version_next
INSERT INTO memory (
  id, scope_id, status, kind, layer, provenance, origin, pinned, importance, alpha, beta, harmful_count,
  recall_count, valid_at, invalid_at, invalidated_at, event_start, event_end, expires_at, created_at,
  updated_at, confirmed_at, last_recalled_at, superseded_by, supersedes, document_id, session_id, source,
  semantic_key, speaker, scene, domain, title, tags, learned_terms, text, raw_quote, address, coexistence,
  folded_key, stance, polarity, incident
)
SELECT
  :id, scope_id, 'active', kind, layer, provenance, origin, :pinned, importance, alpha, beta, harmful_count,
  recall_count, valid_at, invalid_at, invalidated_at, event_start, event_end, expires_at, created_at,
  :now, confirmed_at, last_recalled_at, :superseded_by, :supersedes, :document_id, session_id, source,
  semantic_key, speaker, scene, domain, title, tags, learned_terms, text, raw_quote, :address, :coexistence,
  folded_key, stance, polarity, incident
FROM memory WHERE seq = :seq
RETURNING seq

-- name: relations_clear
DELETE FROM relation WHERE memory_seq = :seq

-- name: mentions_clear
DELETE FROM mention WHERE memory_seq = :seq

-- name: relations_copy
INSERT INTO relation (source_id, predicate, target_id, memory_seq)
SELECT source_id, predicate, target_id, :new FROM relation WHERE memory_seq = :seq ORDER BY id

-- name: mentions_copy
INSERT INTO mention (entity_id, memory_seq, role)
SELECT entity_id, :new, role FROM mention WHERE memory_seq = :seq AND role = 'stated'

-- name: version_identity
SELECT pinned, superseded_by, supersedes, document_id, address, coexistence FROM memory WHERE seq = :seq

-- name: defer_references
PRAGMA defer_foreign_keys = ON

-- name: row_adjust
UPDATE memory SET pinned = :pinned, importance = :importance, updated_at = :now WHERE seq = :seq

-- name: pending_drop
-- A wording of the past gets no better vector than it has.
DELETE FROM pending_vector WHERE seq = :seq

-- name: versions_status
UPDATE memory SET status = :status
WHERE version_of = :id AND EXISTS (SELECT 1 FROM believed WHERE believed.memory_seq = memory.seq)

-- name: version_rows
-- Those that can be found: a wording that was forgotten before it was replaced cannot.
SELECT seq FROM memory
WHERE version_of = :id AND EXISTS (SELECT 1 FROM believed WHERE believed.memory_seq = memory.seq)
ORDER BY seq

-- name: id_of
SELECT id FROM memory WHERE seq = :seq

-- name: shown_ids
SELECT id FROM memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND scope_id IN (SELECT value FROM json_each(:scopes))

-- name: scope_of
SELECT scope_id FROM memory WHERE id = :id

-- name: row_status
UPDATE memory SET status = :status, updated_at = :now WHERE seq = :seq

-- name: row_superseded
UPDATE memory SET superseded_by = :successor, invalid_at = :invalid_at, invalidated_at = :now,
  updated_at = :now
WHERE seq = :seq

-- name: row_ended
UPDATE memory SET invalid_at = :invalid_at, invalidated_at = :now, superseded_by = NULL WHERE seq = :seq

-- name: ending_with
-- What was to end when a memory of its scope begins, which has not come yet.
SELECT id FROM memory INDEXED BY memory_ended
WHERE scope_id = :scope_id AND status = 'active' AND invalid_at > :now AND superseded_by = :id
ORDER BY seq

-- name: ended_at
-- What ended when a memory of its scope began: superseded by it, or replaced by a person's decision.
SELECT id FROM memory INDEXED BY memory_ended
WHERE scope_id = :scope_id AND status IN ('active', 'archived') AND invalid_at = :at AND version_of IS NULL
  AND (superseded_by = :id OR (superseded_by IS NULL AND id IN (
    SELECT review_side.memory_id FROM review JOIN review_side ON review_side.review_id = review.id
    WHERE review.memory_id = :id AND decision = 'replace')))
ORDER BY seq

-- name: row_end_moved
UPDATE memory SET invalid_at = max(:at, coalesce(valid_at, created_at)), updated_at = :now WHERE seq = :seq

-- name: link_cut
-- The successor that a memory was to have no longer has it for a predecessor.
UPDATE memory SET supersedes = NULL WHERE id = :successor AND supersedes = :id RETURNING id

-- name: believed_open
INSERT INTO believed (memory_seq, since) VALUES (:seq, :at)
ON CONFLICT (memory_seq, since) DO UPDATE SET until = NULL

-- name: believed_close
-- The clock of the machine may have been set back meanwhile.
UPDATE believed SET until = max(:at, since) WHERE memory_seq = :seq AND until IS NULL

-- name: believed_never
DELETE FROM believed WHERE memory_seq = :seq

-- name: believed_ever
SELECT EXISTS (SELECT 1 FROM believed WHERE memory_seq = :seq)

-- name: believed_count
SELECT count(*) FROM believed
WHERE memory_seq IN (SELECT seq FROM memory WHERE id = :id OR version_of = :id)

-- name: believed_now
SELECT EXISTS (SELECT 1 FROM believed WHERE memory_seq = :seq AND until IS NULL)

-- name: row_supersedes
UPDATE memory SET supersedes = :predecessor WHERE seq = :seq

-- name: row_credence
UPDATE memory SET
  alpha         = alpha + :alpha,
  beta          = beta + :beta,
  harmful_count = harmful_count + :harmful,
  confirmed_at  = CASE WHEN :confirmed THEN max(confirmed_at, :now) ELSE confirmed_at END,
  updated_at    = :now
WHERE seq = :seq

-- name: row_learned
UPDATE memory SET learned_terms = :terms, updated_at = :now WHERE seq = :seq

-- name: evidence_add
INSERT INTO evidence (memory_seq, kind, at, source, note) VALUES (:seq, :kind, :at, :source, :note)

-- name: evidence_countered
INSERT INTO evidence (memory_seq, kind, at, source, note, step)
VALUES (:seq, 'countered', :at, :source, :note, :step)

-- name: evidence_count
-- What was told before the last edit that says something else is no evidence for what stands now.
WITH told (seq) AS (
  SELECT told.seq FROM memory AS current JOIN memory AS told ON told.seq = current.seq OR told.version_of = current.id
  WHERE current.seq = :seq
)
UPDATE memory SET evidence_count = (
  SELECT count(*) FROM evidence
  WHERE memory_seq IN (SELECT seq FROM told) AND kind IN ('asserted', 'repeated', 'edited')
    AND id >= coalesce((
      SELECT max(id) FROM evidence WHERE memory_seq IN (SELECT seq FROM told) AND kind = 'edited'), 0)
) WHERE seq = :seq RETURNING evidence_count

-- name: evidence_of
-- Of its earlier wordings too, where they were in the scopes.
SELECT kind, at, source, note FROM evidence
-- A row that was never believed goes on when it moves: of its time elsewhere only the ledger knows.
WHERE memory_seq IN (
  SELECT seq FROM memory
  WHERE (id = :id OR version_of = :id) AND scope_id IN (SELECT value FROM json_each(:scopes)))
AND coalesce((
  SELECT scope_id IN (SELECT value FROM json_each(:scopes)) FROM ledger
  WHERE memory_id = :id AND ledger.at <= evidence.at ORDER BY ledger.id DESC LIMIT 1), 1)
ORDER BY id DESC LIMIT 100

-- name: evidence_known
-- Of the statement that stands now, whatever labels it had.
WITH told (seq) AS (
  SELECT told.seq FROM memory AS current JOIN memory AS told ON told.seq = current.seq OR told.version_of = current.id
  WHERE current.seq = :seq
)
SELECT EXISTS (
  SELECT 1 FROM evidence
  WHERE memory_seq IN (SELECT seq FROM told) AND kind = :kind AND source = :source
    AND id >= coalesce((
      SELECT max(id) FROM evidence WHERE memory_seq IN (SELECT seq FROM told) AND kind = 'edited'), 0))

-- name: ledger_add
INSERT INTO ledger (at, action, memory_id, scope_id, rule, fingerprint, detail)
VALUES (:at, :action, :memory_id, :scope_id, :rule, :fingerprint, :detail)

-- name: ledger_of
SELECT at, action, rule, detail FROM ledger
WHERE memory_id = :id AND (scope_id IS NULL OR scope_id IN (SELECT value FROM json_each(:scopes)))
ORDER BY id DESC LIMIT 100

-- name: arrived
-- When a memory came from a scope that is not one of these; NULL: it was always here.
SELECT max(at) FROM (
  SELECT max(until) AS at FROM believed
  WHERE memory_seq IN (
    SELECT seq FROM memory
    WHERE version_of = :id AND scope_id NOT IN (SELECT value FROM json_each(:scopes)))
  UNION ALL
  SELECT min(at) FROM ledger
  WHERE memory_id = :id AND id > (
    SELECT max(id) FROM ledger
    WHERE memory_id = :id AND scope_id NOT IN (SELECT value FROM json_each(:scopes))))

-- name: tags_clear
DELETE FROM tag WHERE memory_seq = :seq

-- name: tags_add
INSERT OR IGNORE INTO tag (tag, memory_seq) VALUES (:tag, :seq)

-- name: entity_find
SELECT id, name FROM entity WHERE norm = :norm

-- name: entity_rename
UPDATE entity SET name = :name WHERE id = :id

-- name: entity_add
INSERT INTO entity (norm, name) VALUES (:norm, :name) RETURNING id

-- name: mention_clear
DELETE FROM mention WHERE memory_seq = :seq AND role <> 'stated'

-- name: mention_add
INSERT INTO mention (entity_id, memory_seq, role) VALUES (:entity_id, :seq, :role)
ON CONFLICT (entity_id, memory_seq) DO UPDATE SET role = CASE
  WHEN mention.role = 'stated' OR excluded.role = 'text' THEN mention.role ELSE excluded.role END

-- name: stated_names
SELECT name FROM mention JOIN entity ON entity.id = mention.entity_id
WHERE memory_seq = :seq AND role = 'stated'

-- name: relation_add
INSERT OR IGNORE INTO relation (source_id, predicate, target_id, memory_seq)
VALUES (:source_id, :predicate, :target_id, :seq)

-- name: relations_of
SELECT source.name, relation.predicate, target.name
FROM relation
JOIN entity AS source ON source.id = relation.source_id
JOIN entity AS target ON target.id = relation.target_id
WHERE relation.memory_seq = :seq
ORDER BY relation.id

-- name: statistics
SELECT
  (SELECT json_group_object(status, n) FROM (SELECT status, count(*) AS n FROM memory WHERE version_of IS NULL GROUP BY 1)),
  (SELECT json_group_object(layer, n) FROM (SELECT layer, count(*) AS n FROM memory WHERE status = 'active' GROUP BY 1)),
  (SELECT json_group_object(kind, n) FROM (SELECT kind, count(*) AS n FROM memory WHERE status = 'active' GROUP BY 1)),
  (SELECT json_group_object(kind, n) FROM (
    SELECT scope.kind, count(*) AS n FROM memory JOIN scope ON scope.id = memory.scope_id
    WHERE status = 'active' GROUP BY 1)),
  (SELECT count(*) FROM entity),
  (SELECT count(*) FROM relation JOIN memory ON memory.seq = relation.memory_seq WHERE version_of IS NULL),
  (SELECT count(*) FROM answer),
  (SELECT count(*) FROM run),
  (SELECT count(DISTINCT term) FROM term),
  (SELECT count(*) FROM pending_vector),
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
