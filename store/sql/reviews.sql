-- Questions that wait for a person, and coexistence groups.

-- name: rivals
-- Other values of a semantic key that hold now or will; when, is looked at by the caller.
SELECT id FROM memory
WHERE scope_id = :scope_id AND folded_key = :key AND status = 'active'
  AND (invalid_at IS NULL OR invalid_at > :now) AND (expires_at IS NULL OR expires_at > :now) AND id <> :id
ORDER BY seq

-- name: held_after
-- Values of a key that are over and held, of those that began after a moment.
SELECT id FROM memory INDEXED BY memory_ended
WHERE scope_id = :scope_id AND folded_key = :key AND status IN ('active', 'archived') AND version_of IS NULL
  AND invalid_at > coalesce(valid_at, created_at) AND coalesce(valid_at, created_at) > :since AND id <> :id
ORDER BY coalesce(valid_at, created_at), id LIMIT 1

-- name: same_stance
SELECT id FROM memory
WHERE scope_id = :scope_id AND stance = :stance AND polarity <> :polarity AND status = 'active'
  AND superseded_by IS NULL AND (invalid_at IS NULL OR invalid_at > :now) AND id <> :id
ORDER BY seq DESC LIMIT :limit

-- name: open
INSERT INTO review (id, memory_id, scope_id, kind, rule, supersedes, opened_at)
VALUES (:id, :memory_id, :scope_id, :kind, :rule, :supersedes, :now)

-- name: side
INSERT INTO review_side (review_id, memory_id) VALUES (:id, :memory_id)

-- name: sides_clear
DELETE FROM review_side WHERE review_id = :id

-- name: close
UPDATE review SET closed_at = :now, decision = :decision WHERE id = :id

-- name: get
SELECT review.id, memory_id, scope.kind, scope.key, review.kind, rule, supersedes, opened_at, closed_at, decision
FROM review JOIN scope ON scope.id = review.scope_id
WHERE review.id = :id

-- name: sides
SELECT memory_id FROM review_side WHERE review_id = :id ORDER BY memory_id

-- name: sides_holding
-- The older sides but one, of those that hold now.
SELECT review_side.memory_id FROM review_side JOIN memory ON memory.id = review_side.memory_id
WHERE review_side.review_id = :id AND review_side.memory_id <> :left AND status = 'active'
  AND superseded_by IS NULL AND (invalid_at IS NULL OR invalid_at > :now)
ORDER BY review_side.memory_id

-- name: open_in
SELECT id FROM review
WHERE closed_at IS NULL AND scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY opened_at, id LIMIT :limit

-- name: open_of
SELECT id FROM review WHERE memory_id = :id AND closed_at IS NULL ORDER BY opened_at, id

-- name: open_about
-- The open questions in which a memory is the older side.
SELECT review.id FROM review_side JOIN review ON review.id = review_side.review_id
WHERE review_side.memory_id = :id AND closed_at IS NULL ORDER BY opened_at, review.id

-- name: asked_before
-- Whether the two are being asked about, or were said not to meet since either was last edited.
SELECT EXISTS (
  SELECT 1 FROM review JOIN review_side ON review_side.review_id = review.id
  WHERE ((review.memory_id = :newer AND review_side.memory_id = :older)
      OR (review.memory_id = :older AND review_side.memory_id = :newer))
    AND (closed_at IS NULL OR (decision = 'dismiss'
      AND (SELECT max(id) FROM ledger WHERE memory_id = review.memory_id AND detail = review.id)
        > (SELECT coalesce(max(id), 0) FROM ledger
           WHERE memory_id IN (:newer, :older) AND action IN ('edited', 'updated')))))

-- name: of_memory
-- Every question a memory was a side of, oldest first.
SELECT id FROM review WHERE memory_id = :id
UNION
SELECT review_id FROM review_side WHERE memory_id = :id
ORDER BY 1

-- name: contested
-- Of the ids, those that an open question says may be replaced, with the newest memory that says so: each
-- side by the wording that was believed then.
SELECT older.id, newer.id
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS older ON older.id = wanted.value
CROSS JOIN review_side ON review_side.memory_id = coalesce(older.version_of, older.id)
CROSS JOIN review ON review.id = review_side.review_id
CROSS JOIN memory AS newer ON newer.id = review.memory_id OR newer.version_of = review.memory_id
CROSS JOIN believed ON believed.memory_seq = newer.seq
WHERE review.kind IN ('contradiction', 'update') AND review.opened_at <= :known
  AND (review.closed_at IS NULL OR review.closed_at > :known)
  AND newer.status <> 'tombstoned'
  AND believed.since <= :known AND (believed.until IS NULL OR believed.until > :known)
ORDER BY older.id, review.opened_at, review.id

-- name: replacing
-- Of the ids, those that a person decided to replace, with what took their place; the last decision last.
SELECT wanted.value, review.memory_id
FROM json_each(:ids) AS wanted
CROSS JOIN memory AS older ON older.id = wanted.value
CROSS JOIN review_side ON review_side.memory_id = coalesce(older.version_of, older.id)
CROSS JOIN review ON review.id = review_side.review_id
WHERE review.decision = 'replace' AND review.closed_at <= :known
ORDER BY older.id, review.closed_at, review.id

-- name: group_set
UPDATE memory SET coexistence = :coexistence, updated_at = :now
WHERE id = :id AND coexistence IS NOT :coexistence
RETURNING scope_id

-- name: group_members
SELECT id FROM memory WHERE coexistence = :coexistence AND status = 'active' ORDER BY seq

-- name: number
SELECT count(*) FROM review WHERE memory_id = :id

-- name: intended_for
SELECT supersedes FROM review WHERE memory_id = :id AND supersedes IS NOT NULL
ORDER BY opened_at DESC, id DESC LIMIT 1

-- name: intend
UPDATE review SET supersedes = :supersedes
WHERE memory_id = :id AND closed_at IS NULL AND kind IN ('personal-data', 'key')

-- name: approval_open
SELECT EXISTS (
  SELECT 1 FROM review WHERE memory_id = :id AND closed_at IS NULL AND kind = 'personal-data')

-- name: open_with
SELECT id FROM review WHERE memory_id = :id AND closed_at IS NULL
UNION
SELECT review.id FROM review_side JOIN review ON review.id = review_side.review_id
WHERE review_side.memory_id = :id AND closed_at IS NULL
ORDER BY 1
