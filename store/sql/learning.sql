-- What was put into prompts and what was read. Lists are JSON arrays.

-- name: text_known
SELECT EXISTS (SELECT 1 FROM injected_text WHERE entry_id = :entry AND scope_id = :scope AND text = :text)

-- name: text_add
INSERT OR IGNORE INTO injected_text (entry_id, scope_id, text) VALUES (:entry, :scope, :text)

-- name: echo_add
INSERT OR IGNORE INTO echo (fingerprint, scope_id, entry_id) VALUES (?, ?, ?)

-- name: echoes
SELECT DISTINCT fingerprint FROM json_each(:fingerprints) AS asked
JOIN echo ON echo.fingerprint = asked.value
WHERE echo.scope_id = :scope

-- name: observed
SELECT message FROM json_each(:messages) AS asked JOIN observed ON observed.message = asked.value
WHERE observed.scope_id = :scope

-- name: observed_add
INSERT OR IGNORE INTO observed (scope_id, message, at) VALUES (:scope, :message, :at) RETURNING message
