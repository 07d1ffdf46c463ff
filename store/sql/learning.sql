-- What was put into prompts and what was read. Lists are JSON arrays.

-- name: text_known
SELECT EXISTS (SELECT 1 FROM injected_text WHERE entry_id = :entry AND scope_id = :scope AND text = :text)

-- name: text_add
INSERT OR IGNORE INTO injected_text (entry_id, scope_id, text) VALUES (:entry, :scope, :text)

-- name: echo_add
INSERT OR IGNORE INTO echo (fingerprint, scope_id, entry_id) VALUES (?, ?, ?)

-- name: echoes
-- CROSS: the list is walked and the table looked up, never the other way round.
SELECT DISTINCT echo.fingerprint FROM json_each(:fingerprints) AS asked
CROSS JOIN echo ON echo.fingerprint = asked.value AND echo.scope_id = :scope

-- name: observed
SELECT observed.message FROM json_each(:messages) AS asked
CROSS JOIN observed ON observed.message = asked.value AND observed.scope_id = :scope

-- name: observed_add
INSERT OR IGNORE INTO observed (scope_id, message, at) VALUES (:scope, :message, :at) RETURNING message

-- name: values_of
SELECT text FROM memory
WHERE scope_id = :scope AND folded_key = :key AND status = 'active' AND version_of IS NULL
  AND superseded_by IS NULL AND (invalid_at IS NULL OR invalid_at > :now)
  AND (expires_at IS NULL OR expires_at > :now)
ORDER BY seq

-- name: scopes_to_reflect
SELECT DISTINCT scope.id, scope.kind, scope.key FROM memory JOIN scope ON scope.id = memory.scope_id
WHERE status = 'active' ORDER BY scope.id

-- name: facts
-- What may be evidence: what holds now, was let in, is no belief and is shown alone. In order of row.
SELECT memory.seq, memory.id, memory.text, memory.kind, coalesce(memory.valid_at, memory.created_at) AS at,
       memory.alpha / (memory.alpha + memory.beta) AS confidence, memory.folded_key, memory.provenance,
       memory_index.terms, json_array(lower(memory.speaker), memory.scene, memory.domain)
FROM memory JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.scope_id = :scope AND memory.seq > :after AND memory.status = 'active'
  AND memory.superseded_by IS NULL AND (memory.invalid_at IS NULL OR memory.invalid_at > :now)
  AND coalesce(memory.valid_at, memory.created_at) <= :now
  AND (memory.expires_at IS NULL OR memory.expires_at > :now)
  AND memory.layer IN ('world', 'experience') AND memory.kind NOT IN ('turn', 'event')
  AND memory.coexistence IS NULL AND memory.harmful_count = 0 AND memory.pinned = 0
  AND NOT EXISTS (  -- what a person took back does not come again from what it rested on
    SELECT 1 FROM belief_evidence JOIN memory AS belief ON belief.id = belief_evidence.belief_id
    WHERE belief_evidence.memory_id = memory.id AND belief.status <> 'active')
ORDER BY memory.seq LIMIT :limit

-- name: beliefs_standing
-- As new as their newest evidence, or as what a person made of them.
SELECT memory.seq, memory.id, memory.text,
       coalesce(max(
         (SELECT max(coalesce(fact.valid_at, fact.created_at)) FROM belief_evidence
          JOIN memory AS fact ON fact.id = belief_evidence.memory_id
          WHERE belief_evidence.belief_id = memory.id AND against = 0),
         (SELECT coalesce(max(at), 0) FROM belief_revision
          WHERE belief_id = memory.id AND reason = 'manual_edit')
       ), memory.valid_at, memory.created_at) AS at,
       memory.alpha / (memory.alpha + memory.beta) AS confidence, memory.folded_key, memory.provenance,
       memory_index.terms,
       (SELECT coalesce(max(number), 0) FROM belief_revision WHERE belief_id = memory.id) AS revision,
       (SELECT json_group_array(memory_id) FROM (
          SELECT memory_id FROM belief_evidence WHERE belief_id = memory.id AND against = 0 ORDER BY at, memory_id)),
       (SELECT json_group_array(memory_id) FROM (
          SELECT memory_id FROM belief_evidence WHERE belief_id = memory.id AND against = 1 ORDER BY at, memory_id)),
       json_array(lower(memory.speaker), memory.scene, memory.domain)
FROM memory JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.scope_id = :scope AND memory.status = 'active' AND memory.layer = 'belief'
  AND memory.superseded_by IS NULL AND memory.coexistence IS NULL
ORDER BY memory.seq

-- name: evidence_put
INSERT INTO belief_evidence (belief_id, memory_id, at, against) VALUES (:belief, :memory, :at, :against)
ON CONFLICT (belief_id, memory_id) DO UPDATE SET against = excluded.against

-- name: evidence_ids
SELECT memory_id FROM belief_evidence WHERE belief_id = :belief AND against = 0 ORDER BY at, memory_id

-- name: held_by
-- What a belief superseded.
SELECT id FROM memory WHERE superseded_by = :belief AND version_of IS NULL ORDER BY seq

-- name: revision_put
INSERT INTO belief_revision (belief_id, number, at, reason, wording, strength, evidence)
SELECT :belief, coalesce(max(number), 0) + 1, :at, :reason, :wording, :strength, :evidence
FROM belief_revision WHERE belief_id = :belief

-- name: revisions_inherit
INSERT INTO belief_revision (belief_id, number, at, reason, wording, strength, evidence)
SELECT :belief, number, at, reason, wording, strength, evidence FROM belief_revision WHERE belief_id = :from

-- name: revisions
SELECT number, at, reason, wording, strength, evidence,
       (SELECT text FROM memory WHERE memory.id = belief_revision.wording)
FROM belief_revision WHERE belief_id = :belief ORDER BY number

-- name: evidence_shown
-- Of the scopes only.
SELECT memory_id, against FROM belief_evidence
WHERE belief_id = :belief AND memory_id IN (
  SELECT id FROM memory WHERE scope_id IN (SELECT value FROM json_each(:scopes)))
ORDER BY against, at, memory_id

-- name: beliefs_list
SELECT id FROM memory
WHERE scope_id IN (SELECT value FROM json_each(:scopes)) AND status = 'active' AND layer = 'belief'
  AND superseded_by IS NULL
ORDER BY alpha / (alpha + beta) DESC, id LIMIT :limit

-- name: credence_set
UPDATE memory SET alpha = :alpha, beta = :beta, updated_at = :now WHERE seq = :seq

-- name: key_set
UPDATE memory SET semantic_key = :key, folded_key = :folded WHERE seq = :seq

-- name: wording_last
SELECT id FROM memory WHERE version_of = :id ORDER BY seq DESC LIMIT 1

-- name: reflection_get
SELECT period, at, state, report FROM reflection WHERE period = :period

-- name: reflection_open
SELECT period, at, state, report FROM reflection WHERE state = 'planned' ORDER BY period LIMIT 1

-- name: reflection_last
SELECT max(period) FROM reflection WHERE state = 'done'

-- name: reflection_put
INSERT INTO reflection (period, at, state, report) VALUES (:period, :at, :state, :report)
ON CONFLICT (period) DO UPDATE SET at = excluded.at, state = excluded.state, report = excluded.report

-- name: began
SELECT min(created_at) FROM memory

-- name: step_put
INSERT INTO reflection_step (period, number, step) VALUES (?, ?, ?)

-- name: step_next
SELECT number, step FROM reflection_step WHERE period = :period ORDER BY number LIMIT 1

-- name: steps_left
SELECT count(*) FROM reflection_step WHERE period = :period

-- name: step_drop
DELETE FROM reflection_step WHERE period = :period AND number = :number

-- name: least_used
-- Of a scope over its limit: what nobody pinned, asked for or believes, those used longest ago first.
SELECT id, seq FROM memory
WHERE scope_id = :scope AND status = 'active' AND version_of IS NULL AND pinned = 0 AND layer <> 'belief'
  AND superseded_by IS NULL AND origin <> 'explicit' AND coexistence IS NULL
  AND id NOT IN (SELECT memory_id FROM belief_evidence)
  AND id NOT IN (SELECT value FROM json_each(:leaving))
ORDER BY coalesce(max(last_recalled_at, confirmed_at), confirmed_at), recall_count, created_at, id
LIMIT :limit

-- name: active_in
SELECT count(*) FROM memory
WHERE scope_id = :scope AND status = 'active' AND superseded_by IS NULL
  AND id NOT IN (SELECT value FROM json_each(:leaving))
