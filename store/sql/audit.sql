-- What was decided and injected, and what came of it.

-- name: run_add
INSERT INTO run (at, query_hash, scopes, mode, candidates, abstained, terms, trace)
VALUES (:at, :query_hash, :scopes, :mode, :candidates, :abstained, :terms, :trace) RETURNING id

-- name: decision_add
INSERT OR REPLACE INTO decision (
  run_id, memory_id, rank, action, reason, score, relevance, freshness, confidence, risk, paths, detail
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: injection_add
INSERT INTO injection (run_id, position, memory_id) VALUES (?, ?, ?)

-- name: recalled
UPDATE memory SET recall_count = recall_count + 1, last_recalled_at = ? WHERE id = ?

-- name: runs_trim
DELETE FROM run WHERE id <= :last - :keep

-- name: consumption_add
INSERT INTO consumption (memory_id, outcome, at, note, run_id)
VALUES (:memory_id, :outcome, :at, :note, :run_id)

-- name: injected_at
SELECT injection.memory_id, run.scopes FROM injection JOIN run ON run.id = injection.run_id
WHERE run_id = :run_id AND position = :position

-- name: learned_from
-- The terms of the last recalls that gave the memory to a prompt.
SELECT run.terms FROM injection
JOIN run ON run.id = injection.run_id
WHERE injection.memory_id = :id AND run.at > :since AND run.terms <> ''
ORDER BY run.at DESC, run.id DESC
LIMIT :limit

-- name: last_used
-- When each of the memories was last given to a prompt, before a moment. A look back is no use.
SELECT injection.memory_id, max(run.at)
FROM json_each(:ids) AS wanted
CROSS JOIN injection ON injection.memory_id = wanted.value
CROSS JOIN run ON run.id = injection.run_id
WHERE run.at < :before
  AND CASE WHEN json_valid(run.trace) AND json_type(run.trace) = 'object' THEN
    json_extract(run.trace, '$.as_of') IS NULL AND json_extract(run.trace, '$.known') IS NULL
    AND coalesce(json_type(run.trace, '$.history'), '') <> 'true'
  ELSE 1 END
GROUP BY injection.memory_id

-- name: decisions_of
SELECT run.id, run.at, decision.rank, decision.action, decision.reason, decision.score,
       decision.relevance, decision.freshness, decision.confidence, decision.risk, decision.paths,
       EXISTS (SELECT 1 FROM injection
               WHERE injection.run_id = run.id AND injection.memory_id = decision.memory_id)
FROM run
CROSS JOIN decision ON decision.run_id = run.id AND decision.memory_id = :id
WHERE run.at >= :since
ORDER BY run.id DESC
LIMIT 20

-- name: consumption_of
SELECT outcome, at, note, run_id FROM consumption WHERE memory_id = :id AND at >= :since ORDER BY id DESC LIMIT 100

-- name: run_get
SELECT id, at, query_hash, scopes, mode, candidates, abstained, trace FROM run WHERE id = :id

-- name: decisions_in
SELECT memory_id, rank, action, reason, score, relevance, freshness, confidence, risk, paths, detail
FROM decision WHERE run_id = :id ORDER BY rank

-- name: injections_in
SELECT position, memory_id FROM injection WHERE run_id = :id ORDER BY position

-- name: answer_hit
UPDATE answer SET hits = hits + 1 WHERE id = :id

-- name: scopes_named
SELECT kind, key FROM scope WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id

-- name: settings_add
INSERT OR IGNORE INTO settings (fingerprint, value) VALUES (?, ?)

-- name: settings_get
SELECT value FROM settings WHERE fingerprint = :fingerprint

-- name: ledger_last
SELECT coalesce(max(id), 0) FROM ledger

-- name: ledger_since
-- What happened after a line of the ledger: of the scopes in full, of others how much.
SELECT id, at, action, memory_id, rule, detail,
       scope_id IN (SELECT value FROM json_each(:scopes)) OR (scope_id IS NULL AND memory_id IS NULL)
FROM ledger WHERE id > :last AND action <> 'refused' ORDER BY id LIMIT :limit

-- name: ledger_after
SELECT id, at, action, memory_id, rule, fingerprint
FROM ledger WHERE id > :after AND scope_id IN (SELECT value FROM json_each(:scopes)) ORDER BY id LIMIT :limit

-- name: ledger_newest
SELECT id, at, action, memory_id, rule, fingerprint
FROM ledger WHERE scope_id IN (SELECT value FROM json_each(:scopes)) ORDER BY id DESC LIMIT :limit
