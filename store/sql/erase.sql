-- What an erasure takes and what it leaves behind. The lists are JSON arrays: :scopes of scope ids, :seqs of
-- rows of `memory`, :ids of memories, earlier wordings and answers, :runs of recalls.

-- name: memories_named
SELECT id FROM memory
WHERE id IN (SELECT value FROM json_each(:ids)) AND version_of IS NULL
  AND scope_id IN (SELECT value FROM json_each(:scopes))

-- name: answers_named
SELECT id FROM answer
WHERE id IN (SELECT value FROM json_each(:ids)) AND scope_id IN (SELECT value FROM json_each(:scopes))

-- name: memories_in
SELECT id FROM memory WHERE scope_id IN (SELECT value FROM json_each(:scopes)) AND version_of IS NULL

-- name: answers_in
SELECT id FROM answer WHERE scope_id IN (SELECT value FROM json_each(:scopes))

-- name: prompts_named
SELECT id FROM prompt_block
WHERE id IN (SELECT value FROM json_each(:ids)) AND scope_id IN (SELECT value FROM json_each(:scopes))

-- name: prompts_in
SELECT id FROM prompt_block WHERE scope_id IN (SELECT value FROM json_each(:scopes))

-- name: prompt_texts
SELECT id, title, body FROM prompt_block WHERE scope_id IN (SELECT value FROM json_each(:scopes))

-- name: prompt_contents
SELECT id, title, body FROM prompt_block WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id

-- name: beliefs_of
-- Beliefs that go with their evidence: of those that say what one of the memories says, and of those that
-- rest on nothing else.
SELECT belief.id FROM belief_evidence AS rests
JOIN memory AS belief ON belief.id = rests.belief_id
JOIN memory AS fact ON fact.id = rests.memory_id
WHERE rests.memory_id IN (SELECT value FROM json_each(:ids))
  AND (belief.text = fact.text OR NOT EXISTS (
    SELECT 1 FROM belief_evidence AS other
    WHERE other.belief_id = belief.id AND other.memory_id NOT IN (SELECT value FROM json_each(:ids))))

-- name: wordings_in
-- Earlier wordings of memories that a person has moved out of the scopes since.
SELECT wording.id FROM memory AS wording
JOIN memory AS owner ON owner.id = wording.version_of
WHERE wording.scope_id IN (SELECT value FROM json_each(:scopes))
  AND owner.scope_id NOT IN (SELECT value FROM json_each(:scopes))

-- name: rows_in
-- Every row that is of the scopes or an earlier wording of one, with the fields that may hold a name.
SELECT m.seq, m.id, m.version_of,
       CASE WHEN owner.scope_id IN (SELECT value FROM json_each(:scopes)) THEN owner.id END,
       m.tags, m.text, m.title, m.raw_quote, m.semantic_key, m.speaker, m.scene, m.domain,
       m.document_id, m.session_id, m.source
FROM memory AS m
LEFT JOIN memory AS owner ON owner.id = m.version_of
WHERE m.scope_id IN (SELECT value FROM json_each(:scopes))
   OR owner.scope_id IN (SELECT value FROM json_each(:scopes))
ORDER BY m.seq

-- name: entity_norms
SELECT id, norm FROM entity

-- name: predicates
SELECT DISTINCT predicate FROM relation

-- name: rows_about
-- Rows that mention one of the entities or assert a relation of one of them, or by one of the predicates.
SELECT memory_seq FROM mention WHERE entity_id IN (SELECT value FROM json_each(:entities))
UNION
SELECT memory_seq FROM relation
WHERE source_id IN (SELECT value FROM json_each(:entities))
   OR target_id IN (SELECT value FROM json_each(:entities))
   OR predicate IN (SELECT value FROM json_each(:predicates))

-- name: answer_texts
SELECT answer.id, answer.text, phrasing.text, phrasing.key
FROM answer LEFT JOIN phrasing ON phrasing.answer_id = answer.id
WHERE answer.scope_id IN (SELECT value FROM json_each(:scopes))
UNION ALL
SELECT answer.id, answer_revision.text, NULL, ''
FROM answer_revision JOIN answer ON answer.id = answer_revision.answer_id
WHERE answer_revision.text IS NOT NULL AND answer.scope_id IN (SELECT value FROM json_each(:scopes))

-- name: rows_of
-- The rows of memories, their earlier wordings among them.
SELECT seq, id, version_of, status FROM memory WHERE id IN (SELECT value FROM json_each(:ids))
UNION
SELECT seq, id, version_of, status FROM memory WHERE version_of IN (SELECT value FROM json_each(:ids))
ORDER BY 1

-- name: contents
-- What a person was shown of the rows.
SELECT m.id, m.status, scope.kind, scope.key, m.text, m.title, m.tags, m.raw_quote, m.semantic_key,
       m.speaker, m.scene, m.domain, m.document_id, m.session_id, m.source, m.kind, m.layer
FROM memory AS m LEFT JOIN scope ON scope.id = m.scope_id
WHERE m.seq IN (SELECT value FROM json_each(:seqs))
ORDER BY m.id

-- name: answer_contents
SELECT answer.id, answer.text, (
  SELECT json_group_array(text) FROM (SELECT text FROM phrasing WHERE answer_id = answer.id ORDER BY key)), (
  SELECT json_group_array(text) FROM (
    SELECT text FROM answer_revision WHERE answer_id = answer.id AND text IS NOT NULL ORDER BY until))
FROM answer WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id

-- name: also_said
SELECT id FROM memory
WHERE scope_id IN (SELECT value FROM json_each(:scopes)) AND seq NOT IN (SELECT value FROM json_each(:seqs))
  AND text IN (SELECT text FROM memory WHERE seq IN (SELECT value FROM json_each(:seqs)))
ORDER BY id

-- name: reviews_of
SELECT id FROM review WHERE memory_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT id FROM review WHERE :whole AND scope_id IN (SELECT value FROM json_each(:scopes))

-- name: groups_of
SELECT DISTINCT coexistence FROM memory
WHERE seq IN (SELECT value FROM json_each(:seqs)) AND coexistence IS NOT NULL
ORDER BY 1

-- name: runs_with
-- Recalls that considered or gave one of the ids.
SELECT run_id FROM decision WHERE memory_id IN (SELECT value FROM json_each(:ids))
UNION
SELECT run_id FROM injection WHERE memory_id IN (SELECT value FROM json_each(:ids))

-- name: runs_only_in
-- Recalls that asked these scopes and no other.
SELECT id FROM run
WHERE EXISTS (SELECT 1 FROM json_each(run.scopes))
  AND NOT EXISTS (SELECT 1 FROM json_each(run.scopes) AS asked
                  WHERE asked.value NOT IN (SELECT value FROM json_each(:scopes)))

-- name: runs_in
SELECT id FROM run
WHERE EXISTS (SELECT 1 FROM json_each(run.scopes) AS asked
              WHERE asked.value IN (SELECT value FROM json_each(:scopes)))

-- name: run_words
-- Of recalls that asked the scopes, or scopes that held nothing.
SELECT id, terms, trace FROM run
WHERE (terms <> '' OR trace IS NOT NULL)
  AND (NOT EXISTS (SELECT 1 FROM json_each(run.scopes))
       OR EXISTS (SELECT 1 FROM json_each(run.scopes) AS asked
                  WHERE asked.value IN (SELECT value FROM json_each(:scopes))))

-- name: traces
SELECT id, trace FROM run WHERE trace IS NOT NULL

-- name: details
SELECT run_id, detail FROM decision
WHERE instr(detail, 'mem_') OR instr(detail, 'ans_') OR instr(detail, 'rev_') OR instr(detail, 'grp_')

-- name: learned_in
-- Rows that stay and learned anything.
SELECT seq, learned_terms FROM memory
WHERE learned_terms <> '' AND scope_id IN (SELECT value FROM json_each(:scopes))
  AND seq NOT IN (SELECT value FROM json_each(:seqs))
ORDER BY seq

-- name: evidence_words
SELECT evidence.id, evidence.note, evidence.source
FROM evidence JOIN memory ON memory.seq = evidence.memory_seq
WHERE (note IS NOT NULL OR evidence.source IS NOT NULL)
  AND memory.scope_id IN (SELECT value FROM json_each(:scopes))
  AND memory.seq NOT IN (SELECT value FROM json_each(:seqs))

-- name: consumption_words
SELECT consumption.id, consumption.note
FROM consumption JOIN memory ON memory.id = consumption.memory_id
WHERE note IS NOT NULL AND memory.scope_id IN (SELECT value FROM json_each(:scopes))
  AND memory.seq NOT IN (SELECT value FROM json_each(:seqs))

-- name: counts
SELECT json_object(
  'memory', (SELECT count(*) FROM memory WHERE seq IN (SELECT value FROM json_each(:seqs))),
  'memory_index', (SELECT count(*) FROM memory_index WHERE seq IN (SELECT value FROM json_each(:seqs))),
  'vector', (SELECT count(*) FROM vector WHERE seq IN (SELECT value FROM json_each(:seqs))),
  'vector_code', (SELECT count(*) FROM vector_code WHERE seq IN (SELECT value FROM json_each(:seqs))),
  'pending_vector', (SELECT count(*) FROM pending_vector WHERE seq IN (SELECT value FROM json_each(:seqs))),
  'tag', (SELECT count(*) FROM tag WHERE memory_seq IN (SELECT value FROM json_each(:seqs))),
  'evidence', (SELECT count(*) FROM evidence WHERE memory_seq IN (SELECT value FROM json_each(:seqs))),
  'believed', (SELECT count(*) FROM believed WHERE memory_seq IN (SELECT value FROM json_each(:seqs))),
  'mention', (SELECT count(*) FROM mention WHERE memory_seq IN (SELECT value FROM json_each(:seqs))),
  'relation', (SELECT count(*) FROM relation WHERE memory_seq IN (SELECT value FROM json_each(:seqs))),
  'entity', (
    SELECT count(*) FROM (
      SELECT entity_id AS id FROM mention WHERE memory_seq IN (SELECT value FROM json_each(:seqs))
      UNION SELECT source_id FROM relation WHERE memory_seq IN (SELECT value FROM json_each(:seqs))
      UNION SELECT target_id FROM relation WHERE memory_seq IN (SELECT value FROM json_each(:seqs))
    ) AS named
    WHERE NOT EXISTS (SELECT 1 FROM mention
                      WHERE entity_id = named.id AND memory_seq NOT IN (SELECT value FROM json_each(:seqs)))
      AND NOT EXISTS (SELECT 1 FROM relation
                      WHERE source_id = named.id AND memory_seq NOT IN (SELECT value FROM json_each(:seqs)))
      AND NOT EXISTS (SELECT 1 FROM relation
                      WHERE target_id = named.id AND memory_seq NOT IN (SELECT value FROM json_each(:seqs)))),
  'answer', (SELECT count(*) FROM answer WHERE id IN (SELECT value FROM json_each(:ids))),
  'answer_revision', (SELECT count(*) FROM answer_revision
                      WHERE answer_id IN (SELECT value FROM json_each(:ids))),
  'prompt_block', (SELECT count(*) FROM prompt_block WHERE id IN (SELECT value FROM json_each(:ids))),
  'injected_text', (SELECT count(*) FROM injected_text
                    WHERE entry_id IN (SELECT value FROM json_each(:ids))
                       OR (:whole AND scope_id IN (SELECT value FROM json_each(:scopes)))),
  'echo', (SELECT count(*) FROM echo
           WHERE entry_id IN (SELECT value FROM json_each(:ids))
              OR (:whole AND scope_id IN (SELECT value FROM json_each(:scopes)))),
  'observed', (SELECT count(*) FROM observed
               WHERE :whole AND scope_id IN (SELECT value FROM json_each(:scopes))),
  'belief_evidence', (SELECT count(*) FROM belief_evidence
                      WHERE belief_id IN (SELECT value FROM json_each(:ids))
                         OR memory_id IN (SELECT value FROM json_each(:ids))),
  'belief_revision', (SELECT count(*) FROM belief_revision
                      WHERE belief_id IN (SELECT value FROM json_each(:ids))
                         OR EXISTS (SELECT 1 FROM json_each(belief_revision.evidence) AS rests
                                    WHERE rests.value IN (SELECT value FROM json_each(:ids)))),
  'reflection_step', (SELECT count(*) FROM reflection_step),
  'phrasing', (SELECT count(*) FROM phrasing WHERE answer_id IN (SELECT value FROM json_each(:ids))),
  'review', (SELECT count(*) FROM review WHERE id IN (SELECT value FROM json_each(:reviews))),
  'review_side', (SELECT count(*) FROM review_side
                  WHERE memory_id IN (SELECT value FROM json_each(:ids))
                     OR review_id IN (SELECT value FROM json_each(:reviews))),
  'run', (SELECT count(*) FROM run WHERE id IN (SELECT value FROM json_each(:runs))),
  'decision', (SELECT count(*) FROM decision
               WHERE memory_id IN (SELECT value FROM json_each(:ids))
                  OR run_id IN (SELECT value FROM json_each(:runs))),
  'injection', (SELECT count(*) FROM injection
                WHERE memory_id IN (SELECT value FROM json_each(:ids))
                   OR run_id IN (SELECT value FROM json_each(:runs))),
  'consumption', (SELECT count(*) FROM consumption WHERE memory_id IN (SELECT value FROM json_each(:ids))),
  'ledger', (SELECT count(*) FROM ledger
             WHERE memory_id IN (SELECT value FROM json_each(:ids))
                OR (:whole AND action <> 'erased' AND scope_id IN (SELECT value FROM json_each(:scopes)))),
  'scope', (SELECT count(*) FROM scope WHERE :whole AND id IN (SELECT value FROM json_each(:scopes))))

-- name: entities_known
-- Entities that the rows mention under a name that is not the folded one, but for those that a row which
-- stays was the first to name.
SELECT DISTINCT entity.id FROM mention JOIN entity ON entity.id = mention.entity_id
WHERE mention.memory_seq IN (SELECT value FROM json_each(:seqs)) AND entity.name <> entity.norm
  AND NOT EXISTS (
    SELECT 1 FROM (SELECT memory_seq, role FROM mention AS other WHERE other.entity_id = entity.id
                   ORDER BY memory_seq LIMIT 1) AS first
    WHERE first.role <> 'text' AND first.memory_seq NOT IN (SELECT value FROM json_each(:seqs)))
ORDER BY 1

-- name: entity_written
SELECT norm, name FROM entity WHERE id = :id

-- name: mentioners
SELECT memory.title, memory.speaker, memory.text
FROM mention JOIN memory ON memory.seq = mention.memory_seq
WHERE mention.entity_id = :id
ORDER BY memory.seq LIMIT :limit

-- name: void_reviews
-- Open questions of memories that stay, about an older side that goes.
SELECT DISTINCT review.id
FROM review_side JOIN review ON review.id = review_side.review_id
WHERE review_side.memory_id IN (SELECT value FROM json_each(:ids)) AND review.closed_at IS NULL
  AND review.kind NOT IN ('personal-data', 'key')
  AND review.id NOT IN (SELECT value FROM json_each(:reviews))
ORDER BY 1

-- name: rows_delete
-- Of most tables the index writer has taken the rows out already; not where it has lost track of a memory.
DELETE FROM memory_fts WHERE rowid IN (SELECT value FROM json_each(:seqs));
DELETE FROM evidence WHERE memory_seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM believed WHERE memory_seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM relation WHERE memory_seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM mention WHERE memory_seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM tag WHERE memory_seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM vector WHERE seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM vector_code WHERE seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM pending_vector WHERE seq IN (SELECT value FROM json_each(:seqs));
DELETE FROM memory WHERE seq IN (SELECT value FROM json_each(:seqs))

-- name: audit_delete
DELETE FROM consumption WHERE memory_id IN (SELECT value FROM json_each(:ids));
DELETE FROM injection
WHERE memory_id IN (SELECT value FROM json_each(:ids)) OR run_id IN (SELECT value FROM json_each(:runs));
DELETE FROM decision
WHERE memory_id IN (SELECT value FROM json_each(:ids)) OR run_id IN (SELECT value FROM json_each(:runs));
DELETE FROM run WHERE id IN (SELECT value FROM json_each(:runs));
DELETE FROM review_side
WHERE memory_id IN (SELECT value FROM json_each(:ids)) OR review_id IN (SELECT value FROM json_each(:reviews));
DELETE FROM review WHERE id IN (SELECT value FROM json_each(:reviews));
DELETE FROM ledger
WHERE memory_id IN (SELECT value FROM json_each(:ids))
   OR (:whole AND action <> 'erased' AND scope_id IN (SELECT value FROM json_each(:scopes)))

-- name: answers_delete
DELETE FROM answer_revision WHERE answer_id IN (SELECT value FROM json_each(:ids));
DELETE FROM phrasing WHERE answer_id IN (SELECT value FROM json_each(:ids));
DELETE FROM answer WHERE id IN (SELECT value FROM json_each(:ids))

-- name: learning_delete
-- What is left of an unfinished reflection names ids and is planned anew.
DELETE FROM prompt_block WHERE id IN (SELECT value FROM json_each(:ids));
DELETE FROM injected_text
WHERE entry_id IN (SELECT value FROM json_each(:ids))
   OR (:whole AND scope_id IN (SELECT value FROM json_each(:scopes)));
DELETE FROM echo
WHERE entry_id IN (SELECT value FROM json_each(:ids))
   OR (:whole AND scope_id IN (SELECT value FROM json_each(:scopes)));
DELETE FROM observed WHERE :whole AND scope_id IN (SELECT value FROM json_each(:scopes));
DELETE FROM belief_revision
WHERE belief_id IN (SELECT value FROM json_each(:ids))
   OR EXISTS (SELECT 1 FROM json_each(belief_revision.evidence) AS rests
              WHERE rests.value IN (SELECT value FROM json_each(:ids)));
DELETE FROM belief_evidence
WHERE belief_id IN (SELECT value FROM json_each(:ids)) OR memory_id IN (SELECT value FROM json_each(:ids));
DELETE FROM reflection_step;
DELETE FROM reflection WHERE state = 'planned'

-- name: links_clear
-- What a memory that stays keeps of one that goes. When it ended, it ended; what was still to end does not,
-- nor what a belief stood for.
INSERT INTO ledger (at, action, memory_id, scope_id)
SELECT :now, 'revived', id, scope_id FROM memory
WHERE superseded_by IN (SELECT value FROM json_each(:ids)) AND status = 'active'
  AND (invalid_at > :now OR EXISTS (SELECT 1 FROM belief_evidence
       WHERE belief_id = memory.superseded_by AND memory_id = memory.id AND against = 0))
ORDER BY seq;
UPDATE memory SET invalid_at = NULL, invalidated_at = NULL
WHERE superseded_by IN (SELECT value FROM json_each(:ids)) AND status = 'active'
  AND (invalid_at > :now OR EXISTS (SELECT 1 FROM belief_evidence
       WHERE belief_id = memory.superseded_by AND memory_id = memory.id AND against = 0));
UPDATE memory SET superseded_by = NULL, updated_at = :now
WHERE superseded_by IN (SELECT value FROM json_each(:ids));
UPDATE memory SET supersedes = NULL, updated_at = :now
WHERE supersedes IN (SELECT value FROM json_each(:ids));
UPDATE evidence SET source = NULL WHERE source IN (SELECT value FROM json_each(:ids));
UPDATE review SET supersedes = NULL WHERE supersedes IN (SELECT value FROM json_each(:ids));
UPDATE ledger SET detail = NULL WHERE detail IN (SELECT value FROM json_each(:ids))

-- name: entities_delete
-- Those of what was forgotten long ago too: nothing says any more who mentioned them.
DELETE FROM entity
WHERE NOT EXISTS (SELECT 1 FROM mention WHERE entity_id = entity.id)
  AND NOT EXISTS (SELECT 1 FROM relation WHERE source_id = entity.id)
  AND NOT EXISTS (SELECT 1 FROM relation WHERE target_id = entity.id)

-- name: runs_scrub
UPDATE run SET terms = '', trace = NULL WHERE id IN (SELECT value FROM json_each(:runs));
UPDATE decision SET detail = NULL WHERE run_id IN (SELECT value FROM json_each(:runs))

-- name: runs_leave
-- A recall that asked other scopes too no longer asked these.
UPDATE run SET scopes = (
  SELECT json_group_array(value) FROM (
    SELECT asked.value FROM json_each(run.scopes) AS asked
    WHERE asked.value NOT IN (SELECT value FROM json_each(:scopes))
    ORDER BY asked.value))
WHERE EXISTS (SELECT 1 FROM json_each(run.scopes) AS asked
              WHERE asked.value IN (SELECT value FROM json_each(:scopes)))

-- name: evidence_scrub
UPDATE evidence SET note = CASE WHEN :note THEN NULL ELSE note END,
  source = CASE WHEN :source THEN NULL ELSE source END
WHERE id = :id

-- name: consumption_scrub
UPDATE consumption SET note = NULL WHERE id = :id

-- name: scopes_blank
-- The number stays taken: another scope with it would be shown to who still knows it by the old name.
UPDATE scope SET kind = 'erased', key = CAST(id AS TEXT) WHERE id IN (SELECT value FROM json_each(:scopes));
UPDATE ledger SET scope_id = NULL WHERE scope_id IN (SELECT value FROM json_each(:scopes))

-- name: group_members
SELECT id FROM memory WHERE coexistence = :coexistence ORDER BY id

-- name: receipts
SELECT at, rule, fingerprint, detail FROM ledger WHERE action = 'erased' ORDER BY id DESC LIMIT :limit

-- name: fts_optimize
INSERT INTO memory_fts (memory_fts) VALUES ('optimize')

-- name: meta_delete
DELETE FROM meta WHERE key = :key
