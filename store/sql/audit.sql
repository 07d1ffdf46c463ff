-- What was decided and injected, and what came of it.

-- name: run_add
INSERT INTO run (at, query_hash, scopes, mode, candidates, abstained)
VALUES (:at, :query_hash, :scopes, :mode, :candidates, :abstained) RETURNING id

-- name: decision_add
INSERT OR REPLACE INTO decision (
  run_id, memory_id, rank, action, reason, score, relevance, freshness, confidence, risk, paths
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: injection_add
INSERT INTO injection (run_id, position, memory_id) VALUES (?, ?, ?)

-- name: recalled
UPDATE memory SET recall_count = recall_count + 1, last_recalled_at = ? WHERE id = ?

-- name: runs_trim
DELETE FROM run WHERE id <= :last - :keep

-- name: consumption_add
INSERT INTO consumption (memory_id, outcome, at, note) VALUES (:memory_id, :outcome, :at, :note)

-- name: decisions_of
SELECT run.id, run.at, decision.rank, decision.action, decision.reason, decision.score,
       decision.relevance, decision.freshness, decision.confidence, decision.risk, decision.paths,
       EXISTS (SELECT 1 FROM injection
               WHERE injection.run_id = run.id AND injection.memory_id = decision.memory_id)
FROM run
CROSS JOIN decision ON decision.run_id = run.id AND decision.memory_id = :id
ORDER BY run.id DESC
LIMIT 20

-- name: consumption_of
SELECT outcome, at, note FROM consumption WHERE memory_id = :id ORDER BY id DESC LIMIT 100

-- name: run_get
SELECT id, at, query_hash, scopes, mode, candidates, abstained FROM run WHERE id = :id

-- name: answer_upsert
INSERT INTO answer (id, scope_id, text, verified_at, created_at, updated_at)
VALUES (:id, :scope_id, :text, :now, :now, :now)
ON CONFLICT (id) DO UPDATE SET text = excluded.text, verified_at = excluded.verified_at,
  updated_at = excluded.updated_at

-- name: phrasing_upsert
INSERT INTO phrasing (answer_id, scope_id, key, text) VALUES (:answer_id, :scope_id, :key, :text)
ON CONFLICT (scope_id, key) DO UPDATE SET text = excluded.text

-- name: phrasing_owner
SELECT answer_id FROM phrasing WHERE scope_id = :scope_id AND key = :key

-- name: phrasings_of
SELECT text FROM phrasing WHERE answer_id = :id ORDER BY key

-- name: answer_hit
UPDATE answer SET hits = hits + 1 WHERE id = :id
