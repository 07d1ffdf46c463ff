-- Standing answers: as they are told, as they stood at a moment, and gone. :at NULL: now.

-- name: find
-- The answer of a folded phrasing, what was told later left out; of several scopes the one verified last.
SELECT answer.id, scope.kind, scope.key,
       coalesce((SELECT revision.text FROM answer_revision AS revision
                 WHERE revision.answer_id = answer.id AND revision.until > :at AND revision.text IS NOT NULL
                 ORDER BY revision.until LIMIT 1), answer.text),
       answer.hits,
       coalesce((SELECT revision.verified_at FROM answer_revision AS revision
                 WHERE revision.answer_id = answer.id AND revision.until > :at
                 ORDER BY revision.until LIMIT 1), answer.verified_at) AS verified,
       answer.created_at,
       (SELECT count(*) FROM answer_revision AS revision
        WHERE revision.answer_id = answer.id AND revision.text IS NOT NULL
          AND (:at IS NULL OR revision.until <= :at))
FROM phrasing
JOIN answer ON answer.id = phrasing.answer_id
JOIN scope ON scope.id = answer.scope_id
WHERE phrasing.scope_id IN (SELECT value FROM json_each(:scopes)) AND phrasing.key = :key
  AND (:at IS NULL OR (answer.created_at <= :at AND phrasing.told_at <= :at))
ORDER BY verified DESC, answer.id
LIMIT 1

-- name: listed
-- Those of the scopes, or the one of them with this id; whose verification lies furthest back comes first.
SELECT answer.id, scope.kind, scope.key, answer.text, answer.hits, answer.verified_at, answer.created_at,
       (SELECT count(*) FROM answer_revision AS revision
        WHERE revision.answer_id = answer.id AND revision.text IS NOT NULL)
FROM answer JOIN scope ON scope.id = answer.scope_id
WHERE answer.scope_id IN (SELECT value FROM json_each(:scopes)) AND (:id IS NULL OR answer.id = :id)
ORDER BY answer.verified_at, answer.id
LIMIT :limit

-- name: phrasings_of
SELECT key, text FROM phrasing
WHERE answer_id = :id AND (:at IS NULL OR told_at <= :at)
ORDER BY key

-- name: phrasing_owner
SELECT answer_id FROM phrasing WHERE scope_id = :scope_id AND key = :key

-- name: state
SELECT text, verified_at, updated_at FROM answer WHERE id = :id

-- name: add
INSERT INTO answer (id, scope_id, text, verified_at, created_at, updated_at)
VALUES (:id, :scope_id, :text, :now, :now, :now)

-- name: renew
UPDATE answer SET text = :text, verified_at = :now, updated_at = :since WHERE id = :id

-- name: revision_add
-- Of two in one moment the first stood until then.
INSERT INTO answer_revision (answer_id, until, text, verified_at)
VALUES (:id, :until, :text, :verified_at)
ON CONFLICT (answer_id, until) DO UPDATE SET text = coalesce(answer_revision.text, excluded.text)

-- name: phrasing_upsert
INSERT INTO phrasing (answer_id, scope_id, key, text, told_at) VALUES (:answer_id, :scope_id, :key, :text, :now)
ON CONFLICT (scope_id, key) DO UPDATE SET text = excluded.text

-- name: withdraw
DELETE FROM answer_revision WHERE answer_id = :id;
DELETE FROM phrasing WHERE answer_id = :id;
DELETE FROM answer WHERE id = :id
