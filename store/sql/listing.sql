-- Lists for people: everything the scopes show, in an order that can be read. {visible} is a fragment of
-- `reads.sql`. Orders sort whole numbers only, and rows are fetched by number, so that a list of any length
-- takes little room.

-- name: told
SELECT m.seq FROM memory AS m WHERE {visible} AND m.layer = :layer ORDER BY m.created_at, m.seq

-- name: strongest
SELECT m.seq FROM memory AS m WHERE {visible} AND m.layer = :layer
ORDER BY m.alpha / (m.alpha + m.beta) DESC, m.seq

-- name: newest
-- By the time that it speaks about, else by the time that it was told.
SELECT m.seq FROM memory AS m WHERE {visible} ORDER BY coalesce(m.event_start, m.created_at) DESC, m.seq DESC

-- name: rows
SELECT memory.*, scope.kind AS scope_kind, scope.key AS scope_key, NULL AS terms
FROM memory JOIN scope ON scope.id = memory.scope_id
WHERE memory.seq IN (SELECT value FROM json_each(:seqs))

-- name: layers_of
SELECT m.id, m.layer FROM memory AS m WHERE m.id IN (SELECT value FROM json_each(:ids)) AND {visible}

-- name: relations
-- In the order of the index of relations, which needs no sorting.
SELECT source.name, relation.predicate, target.name, m.id, m.layer, m.created_at,
       m.status = 'active' AND (m.invalid_at IS NULL OR m.invalid_at > :as_of) AS holds
FROM relation
CROSS JOIN memory AS m ON m.seq = relation.memory_seq
CROSS JOIN entity AS source ON source.id = relation.source_id
CROSS JOIN entity AS target ON target.id = relation.target_id
WHERE {visible}
ORDER BY relation.source_id, relation.predicate, relation.target_id, relation.memory_seq

-- name: evidence
-- What was forgotten, and what nobody let in, is not told.
SELECT belief_evidence.memory_id, belief_evidence.against
FROM belief_evidence JOIN memory ON memory.id = belief_evidence.memory_id
WHERE belief_evidence.belief_id = :belief AND memory.status IN ('active', 'archived')
  AND memory.scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY belief_evidence.against, belief_evidence.at, belief_evidence.memory_id

-- name: revisions
SELECT number, at, reason, strength,
       (SELECT json_group_array(memory.id) FROM json_each(belief_revision.evidence) AS counted
        JOIN memory ON memory.id = counted.value
        WHERE memory.status IN ('active', 'archived')
          AND memory.scope_id IN (SELECT value FROM json_each(:scopes))),
       (SELECT text FROM memory
        WHERE memory.id = belief_revision.wording AND memory.status IN ('active', 'archived')
          AND memory.scope_id IN (SELECT value FROM json_each(:scopes)))
FROM belief_revision WHERE belief_id = :belief ORDER BY number

-- name: wordings
-- Of earlier wordings, the memory that they are of.
SELECT id, version_of FROM memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND version_of IS NOT NULL

-- name: believed
-- Beliefs that began after a line of the ledger and stand.
SELECT memory.seq FROM ledger JOIN memory ON memory.id = ledger.memory_id
WHERE ledger.id > :after AND ledger.action = 'believed' AND ledger.rule IN ('merge', 'overwrite')
  AND memory.status = 'active'
ORDER BY ledger.id
