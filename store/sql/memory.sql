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

-- name: row_state
SELECT seq, status, invalid_at FROM memory WHERE id = :id

-- name: row_by_id
-- LEFT: a row whose scope is missing must be seen to be told.
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.id = :id

-- name: rows_by_ids
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.id IN (SELECT value FROM json_each(:ids))

-- name: row_insert
INSERT INTO memory (
  id, scope_id, status, kind, layer, provenance, origin, pinned, importance, alpha, beta,
  valid_at, event_start, event_end, expires_at, created_at, updated_at, confirmed_at,
  document_id, session_id, source, semantic_key, speaker, scene, domain, title, tags, text, raw_quote
) VALUES (
  :id, :scope_id, 'active', :kind, :layer, :provenance, :origin, :pinned, :importance, :alpha, :beta,
  :valid_at, :event_start, :event_end, :expires_at, :created_at, :now, :created_at,
  :document_id, :session_id, :source, :semantic_key, :speaker, :scene, :domain, :title, :tags, :text,
  :raw_quote
) RETURNING seq

-- name: row_confirm
-- A value that was not given never blanks one that was.
UPDATE memory SET
  status       = CASE status WHEN 'archived' THEN 'active' ELSE status END,
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
  learned_terms = ''
WHERE seq = :seq

-- name: row_revived
UPDATE memory SET invalid_at = NULL, superseded_by = NULL, valid_at = :valid_at WHERE seq = :seq

-- name: relations_clear
DELETE FROM relation WHERE memory_seq = :seq

-- name: mentions_clear
DELETE FROM mention WHERE memory_seq = :seq

-- name: row_status
UPDATE memory SET status = :status, updated_at = :now WHERE seq = :seq

-- name: row_superseded
UPDATE memory SET superseded_by = :successor, invalid_at = :invalid_at, updated_at = :now WHERE seq = :seq

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

-- name: evidence_count
-- What was told before the last edit is no evidence for the text that stands now.
UPDATE memory SET evidence_count = (
  SELECT count(*) FROM evidence
  WHERE memory_seq = :seq AND kind IN ('asserted', 'repeated', 'edited')
    AND id >= coalesce((SELECT max(id) FROM evidence WHERE memory_seq = :seq AND kind = 'edited'), 0)
) WHERE seq = :seq RETURNING evidence_count

-- name: evidence_of
SELECT kind, at, source, note FROM evidence WHERE memory_seq = :seq ORDER BY id DESC LIMIT 100

-- name: ledger_add
INSERT INTO ledger (at, action, memory_id, scope_id, rule, fingerprint, detail)
VALUES (:at, :action, :memory_id, :scope_id, :rule, :fingerprint, :detail)

-- name: ledger_of
SELECT at, action, rule, detail FROM ledger WHERE memory_id = :id ORDER BY id DESC LIMIT 100

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
  (SELECT json_group_object(status, n) FROM (SELECT status, count(*) AS n FROM memory GROUP BY 1)),
  (SELECT json_group_object(layer, n) FROM (SELECT layer, count(*) AS n FROM memory WHERE status = 'active' GROUP BY 1)),
  (SELECT json_group_object(kind, n) FROM (SELECT kind, count(*) AS n FROM memory WHERE status = 'active' GROUP BY 1)),
  (SELECT json_group_object(kind, n) FROM (
    SELECT scope.kind, count(*) AS n FROM memory JOIN scope ON scope.id = memory.scope_id
    WHERE status = 'active' GROUP BY 1)),
  (SELECT count(*) FROM entity),
  (SELECT count(*) FROM relation),
  (SELECT count(*) FROM answer),
  (SELECT count(*) FROM run),
  (SELECT count(DISTINCT term) FROM term),
  (SELECT count(*) FROM pending_vector),
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
