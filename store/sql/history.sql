-- What became of a memory: whom it is linked with, and what every table tells of it. `:scopes` are the ids
-- of the scopes that the caller may see; what is not of them is counted at most, never read.

-- name: wordings
-- A memory and its earlier wordings, the newest first: the one that stands now.
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.id = :id OR memory.version_of = :id
ORDER BY memory.seq DESC LIMIT :limit

-- name: known
-- Which of the ids are there at all, and which of those may be seen.
SELECT id, scope_id IN (SELECT value FROM json_each(:scopes)) FROM memory
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: superseded
-- What a memory superseded. Whatever was, has an end: only the few rows that do are looked at.
SELECT id FROM memory INDEXED BY memory_ended
WHERE invalid_at IS NOT NULL AND scope_id IN (SELECT value FROM json_each(:scopes))
  AND superseded_by = :id AND version_of IS NULL
ORDER BY seq LIMIT :limit

-- name: superseded_by
-- What superseded a memory at any time, whether or not it holds again.
SELECT DISTINCT source FROM evidence
WHERE memory_seq IN (SELECT value FROM json_each(:seqs)) AND kind = 'superseded' AND source IS NOT NULL
ORDER BY source LIMIT :limit

-- name: replaced
-- What a memory replaced by a person's decision.
SELECT review_side.memory_id
FROM review JOIN review_side ON review_side.review_id = review.id
WHERE review.memory_id = :id AND decision = 'replace'
  AND review.scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY closed_at, review.id, review_side.memory_id LIMIT :limit

-- name: replaced_by
SELECT review.memory_id
FROM review_side JOIN review ON review.id = review_side.review_id
WHERE review_side.memory_id = :id AND decision = 'replace'
  AND review.scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY closed_at, review.id LIMIT :limit

-- name: group
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory INDEXED BY memory_group
JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE coexistence = :coexistence AND memory.id <> :id
  AND memory.scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY memory.created_at, memory.seq LIMIT :limit

-- name: evidence
SELECT id, memory_seq, kind, at, source, note FROM evidence
WHERE memory_seq IN (SELECT value FROM json_each(:seqs))
ORDER BY id DESC LIMIT :limit

-- name: ledger
SELECT id, at, action, memory_id, rule, detail FROM ledger
WHERE memory_id IN (SELECT value FROM json_each(:ids))
  AND scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY id DESC LIMIT :limit

-- name: moves
-- Where the ledger of a memory goes from scopes that may be seen to others, or back; its first line too.
SELECT memory_id, at, shown FROM (
  SELECT id, memory_id, at, shown, lag(shown) OVER (PARTITION BY memory_id ORDER BY id) AS before
  FROM (
    SELECT id, memory_id, at,
           coalesce(scope_id IN (SELECT value FROM json_each(:scopes)), 0) AS shown
    FROM ledger WHERE memory_id IN (SELECT value FROM json_each(:ids))
  )
)
WHERE before IS NULL OR before <> shown
ORDER BY memory_id, id

-- name: consumption
-- `:periods`: [memory, after, before], both moments excluded, NULL: without end.
SELECT memory_id, outcome, at, note, run_id
FROM json_each(:periods) AS period
CROSS JOIN consumption ON memory_id = json_extract(period.value, '$[0]')
WHERE at > coalesce(json_extract(period.value, '$[1]'), at - 1)
  AND at < coalesce(json_extract(period.value, '$[2]'), at + 1)
ORDER BY consumption.id DESC LIMIT :limit

-- name: recalled
-- How often a memory was given to a prompt, by day (UTC), of the recalls that the audit keeps.
SELECT injection.memory_id, min(run.at), count(*)
FROM json_each(:periods) AS period
CROSS JOIN injection ON injection.memory_id = json_extract(period.value, '$[0]')
CROSS JOIN run ON run.id = injection.run_id
WHERE run.at > coalesce(json_extract(period.value, '$[1]'), run.at - 1)
  AND run.at < coalesce(json_extract(period.value, '$[2]'), run.at + 1)
GROUP BY injection.memory_id, run.at - ((run.at % 86400000) + 86400000) % 86400000
ORDER BY 2 DESC, 1 LIMIT :limit

-- name: believed
SELECT memory_seq, since, until FROM believed
WHERE memory_seq IN (SELECT value FROM json_each(:seqs))
ORDER BY since DESC, memory_seq DESC LIMIT :limit

-- name: reviews
-- Every question that a memory was a side of.
SELECT id, memory_id, kind, rule, opened_at, closed_at, decision FROM review
WHERE scope_id IN (SELECT value FROM json_each(:scopes)) AND id IN (
  SELECT id FROM review WHERE memory_id IN (SELECT value FROM json_each(:ids))
  UNION
  SELECT review_id FROM review_side WHERE memory_id IN (SELECT value FROM json_each(:ids))
)
ORDER BY opened_at DESC, id LIMIT :limit

-- name: sides
SELECT review_id, memory_id FROM review_side
WHERE review_id IN (SELECT value FROM json_each(:ids))
ORDER BY review_id, memory_id
