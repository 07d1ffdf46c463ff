-- The derived: terms, vectors and mentions. All of it can be rebuilt from the rows.

-- name: fts_insert
INSERT INTO memory_fts (rowid, body, chars, synonyms, title, tags, key, speaker, learned, symbols, scope)
VALUES (:seq, :body, :chars, :synonyms, :title, :tags, :key, :speaker, :learned, :symbols, :scope)

-- name: fts_delete
DELETE FROM memory_fts WHERE rowid = :seq

-- name: fts_clear
INSERT INTO memory_fts (memory_fts) VALUES ('delete-all')

-- name: fts_check
INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')

-- name: terms_insert
INSERT INTO memory_index (seq, scope_id, terms) VALUES (:seq, :scope_id, :terms)

-- name: terms_owner
UPDATE memory_index SET scope_id = :scope_id WHERE seq = :seq

-- name: terms_get
SELECT scope_id, terms FROM memory_index WHERE seq = :seq

-- name: terms_delete
DELETE FROM memory_index WHERE seq = :seq

-- name: term_count
INSERT INTO term (term, scope_id, df) VALUES (?, ?, ?)
ON CONFLICT (term, scope_id) DO UPDATE SET df = df + excluded.df

-- name: term_prune
DELETE FROM term WHERE term = ? AND scope_id = ? AND df <= 0

-- name: documents_count
INSERT INTO scope_statistics (scope_id, documents) VALUES (?, ?)
ON CONFLICT (scope_id) DO UPDATE SET documents = documents + excluded.documents

-- name: documents_prune
DELETE FROM scope_statistics WHERE scope_id = ? AND documents <= 0

-- name: vector_insert
INSERT INTO vector (seq, embedding) VALUES (:seq, :embedding)

-- name: code_insert
INSERT INTO vector_code (seq, code) VALUES (:seq, :code)

-- name: vector_copy
INSERT INTO vector (seq, embedding) SELECT :seq, embedding FROM vector WHERE seq = :source

-- name: code_copy
INSERT INTO vector_code (seq, code) SELECT :seq, code FROM vector_code WHERE seq = :source

-- name: vector_get
SELECT embedding FROM vector WHERE seq = :seq

-- name: vector_delete
DELETE FROM vector WHERE seq = :seq

-- name: code_delete
DELETE FROM vector_code WHERE seq = :seq

-- name: pending_add
INSERT OR IGNORE INTO pending_vector (seq) VALUES (:seq)

-- name: pending_delete
DELETE FROM pending_vector WHERE seq = :seq

-- name: pending_get
SELECT seq FROM pending_vector WHERE seq = :seq

-- name: pending_ids
SELECT memory.id FROM pending_vector JOIN memory ON memory.seq = pending_vector.seq
ORDER BY pending_vector.seq DESC LIMIT :limit

-- name: pending_seqs
SELECT pending_vector.seq FROM json_each(:ids) AS wanted
JOIN memory ON memory.id = wanted.value
JOIN pending_vector ON pending_vector.seq = memory.seq
ORDER BY wanted.key

-- name: vector_statistics_get
SELECT documents, df FROM vector_statistics WHERE id = 1

-- name: vector_statistics_set
INSERT INTO vector_statistics (id, documents, df) VALUES (1, :documents, :df)
ON CONFLICT (id) DO UPDATE SET documents = excluded.documents, df = excluded.df

-- name: clear
DELETE FROM memory_index;
DELETE FROM term;
DELETE FROM scope_statistics;
DELETE FROM vector;
DELETE FROM vector_code;
DELETE FROM pending_vector;
DELETE FROM vector_statistics;
DELETE FROM mention WHERE role <> 'stated';
DELETE FROM tag

-- name: indexed_after
-- What was ever believed and is not forgotten.
SELECT seq FROM memory
WHERE status <> 'tombstoned' AND seq > :after
  AND EXISTS (SELECT 1 FROM believed WHERE believed.memory_seq = memory.seq)
ORDER BY seq LIMIT :limit

-- name: row_by_seq
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, memory_index.terms AS terms
FROM memory
LEFT JOIN scope ON scope.id = memory.scope_id
LEFT JOIN memory_index ON memory_index.seq = memory.seq
WHERE memory.seq = :seq
