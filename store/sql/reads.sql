-- The candidate queries. {visible} stands for one of the fragments below, each with `visible_rest`: what may
-- not be seen is never ranked.

-- name: visible_now
m.scope_id IN (SELECT value FROM json_each(:scopes))
AND m.status = 'active'
AND (m.invalid_at IS NULL OR m.invalid_at > :as_of)
AND (m.valid_at IS NULL OR m.valid_at <= :as_of)

-- name: visible_past
-- What was replaced by a person's decision is archived, and held until then; its earlier wordings did not.
m.scope_id IN (SELECT value FROM json_each(:scopes))
AND m.status IN ('active', 'archived')
AND (m.status = 'active' OR (m.invalid_at IS NOT NULL AND m.version_of IS NULL))
AND (:history
     OR ((m.invalid_at IS NULL OR m.invalid_at > :as_of)
         AND (m.valid_at <= :as_of OR (m.valid_at IS NULL AND (NOT :point_in_time OR m.created_at <= :as_of)))))

-- name: visible_known
-- Whatever became of a row since; but what was forgotten, and what nobody let in, was not known.
m.scope_id IN (SELECT value FROM json_each(:scopes))
AND m.status IN ('active', 'archived', 'quarantined')
AND EXISTS (SELECT 1 FROM believed
            WHERE believed.memory_seq = m.seq AND believed.since <= :known
              AND (believed.until IS NULL OR believed.until > :known))
AND (:history
     OR ((m.invalid_at IS NULL OR m.invalid_at > :as_of OR m.invalidated_at > :known)
         AND (m.valid_at <= :as_of OR (m.valid_at IS NULL AND (NOT :point_in_time OR m.created_at <= :as_of)))))

-- name: visible_rest
AND (:scene IS NULL OR m.scene IS NULL OR m.scene = :scene COLLATE NOCASE OR m.scene COLLATE NOCASE IN ('general', '通用'))
AND (:domain IS NULL OR m.domain IS NULL OR m.domain = :domain COLLATE NOCASE OR m.domain COLLATE NOCASE IN ('general', '通用'))
AND (:incidents IS NULL OR m.incident = 0 OR m.pinned = 1 OR m.seq IN (
       SELECT seq FROM memory WHERE id IN (SELECT value FROM json_each(:incidents))))
AND (:tags IS NULL OR NOT EXISTS (
       SELECT 1 FROM json_each(:tags) AS wanted
       WHERE NOT EXISTS (SELECT 1 FROM tag WHERE tag.tag = wanted.value AND tag.memory_seq = m.seq)))

-- name: count_visible
SELECT count(*) FROM memory AS m WHERE {visible}

-- name: keyword
SELECT m.id, -bm25(memory_fts, :body, :chars, :synonyms, :title, :tags_weight, :key, :speaker, :learned, :symbols, 0.0) AS score
FROM memory_fts
CROSS JOIN memory AS m ON m.seq = memory_fts.rowid
WHERE memory_fts MATCH :match AND {visible}
ORDER BY score DESC, m.id
LIMIT :limit

-- name: matching
SELECT m.id
FROM memory_fts
CROSS JOIN memory AS m ON m.seq = memory_fts.rowid
WHERE memory_fts MATCH :match AND {visible}
ORDER BY m.created_at DESC, m.id
LIMIT :limit

-- name: substring
-- The last resort of a short query without a single indexed term: a scan of the visible texts.
SELECT m.id
FROM memory AS m
WHERE {visible} AND (instr(m.text, :raw) > 0 OR instr(lower(m.text), :folded) > 0)
ORDER BY m.created_at DESC, m.id
LIMIT :limit

-- name: codes_nearest
SELECT m.seq, vec_distance_hamming(vec_bit(code), vec_bit(:code)) AS distance
FROM memory AS m
CROSS JOIN vector_code ON vector_code.seq = m.seq
WHERE {visible}
ORDER BY distance, m.seq
LIMIT :limit

-- name: codes_all
SELECT m.seq, code
FROM memory AS m
CROSS JOIN vector_code ON vector_code.seq = m.seq
WHERE {visible}
ORDER BY m.seq

-- name: embeddings
SELECT m.id, vector.embedding
FROM json_each(:seqs) AS wanted
CROSS JOIN vector ON vector.seq = wanted.value
CROSS JOIN memory AS m ON m.seq = vector.seq

-- name: embeddings_of
SELECT m.id, vector.embedding
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS m ON m.id = wanted.value
CROSS JOIN vector ON vector.seq = m.seq

-- name: event_window
SELECT m.id, m.event_start, m.event_end, m.created_at
FROM memory AS m
WHERE {visible} AND m.event_start IS NOT NULL AND m.event_start < :end AND m.event_end > :start
ORDER BY m.event_start DESC, m.id
LIMIT :limit

-- name: created_window
SELECT m.id, m.event_start, m.event_end, m.created_at
FROM memory AS m
WHERE {visible} AND m.created_at >= :start AND m.created_at < :end
ORDER BY m.created_at DESC, m.id
LIMIT :limit

-- name: latest
SELECT m.id, m.event_start, m.event_end, m.created_at
FROM memory AS m
WHERE {visible} AND m.created_at <= :as_of
ORDER BY m.created_at DESC, m.id
LIMIT :limit

-- name: pinned
SELECT m.id FROM memory AS m INDEXED BY memory_pinned
WHERE {visible} AND m.pinned = 1
ORDER BY m.importance DESC, m.confirmed_at DESC, m.id
LIMIT :limit

-- name: beliefs
SELECT m.id FROM memory AS m INDEXED BY memory_belief
WHERE {visible} AND m.layer = 'belief'
ORDER BY m.alpha / (m.alpha + m.beta) DESC, m.importance DESC, m.confirmed_at DESC, m.id
LIMIT :limit

-- name: records
SELECT m.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory AS m
JOIN scope ON scope.id = m.scope_id
LEFT JOIN memory_index ON memory_index.seq = m.seq
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND {visible}

-- name: entities_named
SELECT norm, id FROM entity WHERE norm IN (SELECT value FROM json_each(:norms))

-- name: entities_of
SELECT DISTINCT m.id, mention.entity_id, mention.role
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS m ON m.id = wanted.value
CROSS JOIN mention ON mention.memory_seq = m.seq
WHERE {visible}
ORDER BY m.id, mention.entity_id

-- name: mentions_of
-- Stops at the limit before it sorts: an entity with more mentions than that is a hub, of which the
-- walk needs to know no more.
WITH found AS MATERIALIZED (
  SELECT m.id, mention.role, m.created_at
  FROM mention
  CROSS JOIN memory AS m ON m.seq = mention.memory_seq
  WHERE mention.entity_id = :entity AND {visible}
  LIMIT :limit
)
SELECT id, role FROM found
ORDER BY role = 'text', created_at DESC, id

-- name: relations_any
SELECT
  EXISTS (SELECT 1 FROM relation WHERE source_id = :entity)
  OR EXISTS (SELECT 1 FROM relation WHERE target_id = :entity)

-- name: relations_from
SELECT m.id, relation.predicate, relation.source_id, relation.target_id
FROM relation
CROSS JOIN memory AS m ON m.seq = relation.memory_seq
WHERE relation.source_id = :entity AND {visible}
ORDER BY m.created_at DESC, relation.id
LIMIT :limit

-- name: relations_to
SELECT m.id, relation.predicate, relation.source_id, relation.target_id
FROM relation
CROSS JOIN memory AS m ON m.seq = relation.memory_seq
WHERE relation.target_id = :entity AND {visible}
ORDER BY m.created_at DESC, relation.id
LIMIT :limit

-- name: entity_name
SELECT name FROM entity WHERE id = :id

-- name: turns_of
SELECT m.id, m.scope_id, m.session_id, m.source
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS m ON m.id = wanted.value
WHERE {visible} AND m.kind = 'turn' AND m.source IS NOT NULL

-- name: turns_at
-- Turns at these places, those of one place in order of telling: its first, its last and the ids asked for.
SELECT id, session_id, source, earlier, later
FROM (
  SELECT m.id, m.session_id, m.source, lag(m.id) OVER place AS earlier, lead(m.id) OVER place AS later
  FROM json_each(:sources) AS wanted
  CROSS JOIN memory AS m INDEXED BY memory_source
    ON m.scope_id = :scope AND m.source = wanted.value
  WHERE {visible} AND m.kind = 'turn'
  WINDOW place AS (PARTITION BY m.source, m.session_id ORDER BY m.created_at, m.id)
)
WHERE earlier IS NULL OR later IS NULL OR id IN (SELECT value FROM json_each(:ids))

-- name: documents_in
SELECT sum(documents) FROM scope_statistics WHERE scope_id IN (SELECT value FROM json_each(:scopes))

-- name: term_df
-- One look-up for each scope and term: for scopes that are few among many.
SELECT wanted.value, (
  SELECT sum(df) FROM term
  WHERE term.term = wanted.value AND term.scope_id IN (SELECT value FROM json_each(:scopes)))
FROM json_each(:terms) AS wanted

-- name: term_df_between
-- One stretch of the index for each term: for scopes that stand close together. The plus keeps the
-- second condition from the index.
SELECT wanted.value, (
  SELECT sum(df) FROM term
  WHERE term.term = wanted.value AND term.scope_id BETWEEN :first AND :last
    AND +term.scope_id IN (SELECT value FROM json_each(:scopes)))
FROM json_each(:terms) AS wanted

-- name: group_mates
-- Visible members of the coexistence groups.
SELECT m.id
FROM json_each(:groups) AS wanted
CROSS JOIN memory AS m INDEXED BY memory_group ON m.coexistence = wanted.value
WHERE {visible}
ORDER BY m.id

-- name: incidents
-- Any of the incidents that hold one of the terms.
SELECT m.id
FROM memory_fts
CROSS JOIN memory AS m ON m.seq = memory_fts.rowid
WHERE memory_fts MATCH :match AND m.incident = 1 AND {visible}
ORDER BY m.created_at DESC, m.id
LIMIT :limit

-- name: incidents_any
SELECT EXISTS (SELECT 1 FROM memory AS m INDEXED BY memory_incident WHERE m.incident = 1 AND {visible})

-- name: scenes
-- From one scene to the next, whatever number of memories carry each.
WITH RECURSIVE step (scope_id, scene) AS (
  SELECT value, (
    SELECT min(scene) FROM memory INDEXED BY memory_scene
    WHERE scene IS NOT NULL AND scope_id = value AND status = 'active')
  FROM json_each(:scopes)
  UNION ALL
  SELECT scope_id, (
    SELECT min(scene) FROM memory INDEXED BY memory_scene
    WHERE scene IS NOT NULL AND memory.scope_id = step.scope_id AND status = 'active' AND scene > step.scene)
  FROM step WHERE scene IS NOT NULL
)
SELECT DISTINCT scene FROM step WHERE scene IS NOT NULL ORDER BY scene LIMIT 200

-- name: blocked_scene
SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_scene
WHERE scene IS NOT NULL AND scope_id IN (SELECT value FROM json_each(:scopes)) AND status = 'active'
  AND scene <> :scene COLLATE NOCASE AND scene COLLATE NOCASE NOT IN ('general', '通用')
  LIMIT :most)

-- name: blocked_domain
SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_domain
WHERE domain IS NOT NULL AND scope_id IN (SELECT value FROM json_each(:scopes)) AND status = 'active'
  AND domain <> :domain COLLATE NOCASE AND domain COLLATE NOCASE NOT IN ('general', '通用')
  LIMIT :most)

-- name: blocked_task
SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_incident
WHERE incident = 1 AND scope_id IN (SELECT value FROM json_each(:scopes)) AND status = 'active'
  AND pinned = 0 AND id NOT IN (SELECT value FROM json_each(:incidents))
  LIMIT :most)

-- name: blocked_ended
SELECT count(*) FROM (SELECT 1 FROM memory INDEXED BY memory_ended
WHERE invalid_at IS NOT NULL AND scope_id IN (SELECT value FROM json_each(:scopes)) AND status = 'active'
  AND invalid_at <= :as_of
  LIMIT :most)

-- name: blocked_review
SELECT count(*) FROM (SELECT 1 FROM review
WHERE closed_at IS NULL AND kind IN ('personal-data', 'key')
  AND scope_id IN (SELECT value FROM json_each(:scopes))
  LIMIT :most)

-- name: workspace_documents
SELECT coalesce(sum(documents), 0)
FROM scope_statistics JOIN scope ON scope.id = scope_statistics.scope_id
WHERE scope.kind = 'workspace' AND (:all OR scope.id IN (SELECT value FROM json_each(:scopes)))

-- name: credence_since
-- What was learned of memories after a moment.
SELECT m.id, evidence.kind, evidence.step
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS m ON m.id = wanted.value
CROSS JOIN evidence ON evidence.memory_seq = m.seq
WHERE evidence.at > :known AND evidence.kind IN ('helped', 'harmful', 'stale', 'conflict', 'countered')
