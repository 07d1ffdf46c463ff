-- Prompt blocks. What goes with an erasure stands in erase.sql.

-- name: listed
-- Those of the scopes, or the one of them with this id.
SELECT prompt_block.id, scope.kind, scope.key, title, body, position, enabled, created_at, updated_at
FROM prompt_block JOIN scope ON scope.id = prompt_block.scope_id
WHERE prompt_block.scope_id IN (SELECT value FROM json_each(:scopes))
  AND (:id IS NULL OR prompt_block.id = :id)
ORDER BY position, prompt_block.id

-- name: last_position
SELECT max(position) FROM prompt_block WHERE scope_id = :scope_id

-- name: id_taken
SELECT EXISTS (SELECT 1 FROM prompt_block WHERE id = :id)

-- name: add
INSERT INTO prompt_block (id, scope_id, title, body, position, enabled, created_at, updated_at)
VALUES (:id, :scope_id, :title, :body, :position, 1, :now, :now)

-- name: edit
UPDATE prompt_block SET title = :title, body = :body, position = :position, enabled = :enabled,
  updated_at = :now
WHERE id = :id

-- name: remove
DELETE FROM prompt_block WHERE id = :id
