PRAGMA application_id = 1836541291;
PRAGMA user_version = 3;
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE scope (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  UNIQUE (kind, key)
) STRICT;
CREATE TABLE memory (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  scope_id         INTEGER NOT NULL REFERENCES scope (id),
  status           TEXT NOT NULL CHECK (status IN ('active', 'quarantined', 'archived', 'tombstoned')),
  kind             TEXT NOT NULL,
  layer            TEXT NOT NULL,
  provenance       TEXT NOT NULL,
  origin           TEXT NOT NULL,
  pinned           INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  importance       REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
  alpha            REAL NOT NULL CHECK (alpha > 0),
  beta             REAL NOT NULL CHECK (beta > 0),
  harmful_count    INTEGER NOT NULL DEFAULT 0,
  recall_count     INTEGER NOT NULL DEFAULT 0,
  evidence_count   INTEGER NOT NULL DEFAULT 0,
  valid_at         INTEGER,           -- NULL: since it was told
  invalid_at       INTEGER,           -- NULL: still true
  event_start      INTEGER,           -- NULL: speaks of no particular time
  event_end        INTEGER,           -- half-open
  expires_at       INTEGER,           -- NULL: never
  created_at       INTEGER NOT NULL,  -- when it was told
  updated_at       INTEGER NOT NULL,  -- when the row last changed
  confirmed_at     INTEGER NOT NULL,  -- when it was last told again or found helpful
  last_recalled_at INTEGER,
  superseded_by    TEXT REFERENCES memory (id),
  supersedes       TEXT REFERENCES memory (id),
  document_id      TEXT,
  session_id       TEXT,
  source           TEXT,              -- session@seq
  semantic_key     TEXT,
  speaker          TEXT,
  scene            TEXT,
  domain           TEXT,
  title            TEXT,
  tags             TEXT NOT NULL DEFAULT '[]',  -- JSON array of text, not escaped to ASCII
  learned_terms    TEXT NOT NULL DEFAULT '',    -- separated by one space
  text             TEXT NOT NULL,
  raw_quote        TEXT, address TEXT, version_of TEXT, invalidated_at INTEGER, coexistence TEXT, folded_key TEXT, stance TEXT, polarity TEXT, incident INTEGER NOT NULL DEFAULT 0,
  CHECK ((event_start IS NULL) = (event_end IS NULL))
) STRICT;
CREATE UNIQUE INDEX memory_document ON memory (scope_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX memory_event ON memory (scope_id, status, event_start, event_end) WHERE event_start IS NOT NULL;
CREATE INDEX memory_created ON memory (scope_id, status, created_at);
CREATE INDEX memory_pinned ON memory (scope_id, status) WHERE pinned = 1;
CREATE INDEX memory_belief ON memory (scope_id, status) WHERE layer = 'belief';
CREATE INDEX memory_source ON memory (scope_id, source) WHERE source IS NOT NULL;
CREATE TABLE tag (
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  tag        TEXT NOT NULL,  -- folded as text analysis folds
  PRIMARY KEY (tag, memory_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_memory ON tag (memory_seq);
CREATE TABLE evidence (
  id         INTEGER PRIMARY KEY,
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  kind       TEXT NOT NULL,  -- asserted, repeated, edited, superseded, helped, harmful, stale, conflict
  at         INTEGER NOT NULL,
  source     TEXT,
  note       TEXT
, step REAL) STRICT;
CREATE INDEX evidence_memory ON evidence (memory_seq);
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  body, chars, synonyms, title, tags, key, speaker, learned, symbols, scope,
  content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE TABLE memory_index (
  seq      INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  scope_id INTEGER NOT NULL,
  terms    TEXT NOT NULL  -- the distinct terms of every field, separated by one space
) STRICT;
CREATE TABLE term (
  term     TEXT NOT NULL,
  scope_id INTEGER NOT NULL,
  df       INTEGER NOT NULL,  -- indexed memories of the scope that hold it
  PRIMARY KEY (term, scope_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE scope_statistics (
  scope_id  INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL  -- indexed memories of the scope
) STRICT;
CREATE TABLE vector_statistics (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  documents INTEGER NOT NULL,
  df        BLOB NOT NULL  -- little-endian uint32, one a dimension
) STRICT;
CREATE TABLE vector (
  seq       INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  embedding BLOB NOT NULL  -- see store/vectors.py
) STRICT;
CREATE TABLE vector_code (
  seq  INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE,
  code BLOB NOT NULL  -- signs of a random projection, packed
) STRICT;
CREATE TABLE pending_vector (
  seq INTEGER PRIMARY KEY REFERENCES memory (seq) ON DELETE CASCADE
) STRICT;
CREATE TABLE entity (
  id   INTEGER PRIMARY KEY,
  norm TEXT NOT NULL UNIQUE,  -- folded name
  name TEXT NOT NULL          -- as first written
) STRICT;
CREATE TABLE mention (
  entity_id  INTEGER NOT NULL REFERENCES entity (id),
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  role       TEXT NOT NULL,  -- subject (title or speaker), stated (given by the caller), text
  PRIMARY KEY (entity_id, memory_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_memory ON mention (memory_seq);
CREATE TABLE relation (
  id         INTEGER PRIMARY KEY,
  source_id  INTEGER NOT NULL REFERENCES entity (id),
  predicate  TEXT NOT NULL,
  target_id  INTEGER NOT NULL REFERENCES entity (id),
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,  -- the asserting memory
  UNIQUE (source_id, predicate, target_id, memory_seq)
) STRICT;
CREATE INDEX relation_target ON relation (target_id);
CREATE INDEX relation_memory ON relation (memory_seq);
CREATE TABLE answer (
  id          TEXT PRIMARY KEY,
  scope_id    INTEGER NOT NULL REFERENCES scope (id),
  text        TEXT NOT NULL,
  hits        INTEGER NOT NULL DEFAULT 0,
  verified_at INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE phrasing (
  answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
  scope_id  INTEGER NOT NULL REFERENCES scope (id),
  key       TEXT NOT NULL,  -- the phrasing as text analysis folds it
  text      TEXT NOT NULL, told_at INTEGER NOT NULL DEFAULT 0,  -- as written
  PRIMARY KEY (scope_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX phrasing_answer ON phrasing (answer_id);
CREATE TABLE ledger (
  id          INTEGER PRIMARY KEY,
  at          INTEGER NOT NULL,
  action      TEXT NOT NULL,
  memory_id   TEXT,
  scope_id    INTEGER REFERENCES scope (id),
  rule        TEXT,
  fingerprint TEXT,
  detail      TEXT
) STRICT;
CREATE INDEX ledger_memory ON ledger (memory_id) WHERE memory_id IS NOT NULL;
CREATE TABLE run (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  query_hash TEXT NOT NULL,
  scopes     TEXT NOT NULL,  -- JSON array of scope ids
  mode       TEXT NOT NULL,
  candidates INTEGER NOT NULL,
  abstained  TEXT NOT NULL DEFAULT ''
, terms TEXT NOT NULL DEFAULT '', trace TEXT) STRICT;
CREATE TABLE decision (
  run_id     INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  memory_id  TEXT NOT NULL,
  rank       INTEGER NOT NULL,
  action     TEXT NOT NULL,
  reason     TEXT NOT NULL,
  score      REAL NOT NULL,
  relevance  REAL NOT NULL,
  freshness  REAL NOT NULL,
  confidence REAL NOT NULL,
  risk       REAL NOT NULL,
  paths      TEXT NOT NULL, detail TEXT,  -- JSON object: path → rank
  PRIMARY KEY (run_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE injection (
  run_id    INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  position  INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX injection_memory ON injection (memory_id);
CREATE TABLE consumption (
  id        INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL,
  outcome   TEXT NOT NULL,
  at        INTEGER NOT NULL,
  note      TEXT
, run_id INTEGER) STRICT;
CREATE INDEX consumption_memory ON consumption (memory_id);
CREATE INDEX memory_visible
  ON memory (scope_id, status, valid_at, invalid_at, created_at, scene, domain, incident, pinned);
CREATE INDEX memory_key ON memory (scope_id, folded_key) WHERE folded_key IS NOT NULL;
CREATE UNIQUE INDEX memory_address ON memory (address) WHERE address IS NOT NULL;
CREATE INDEX memory_version ON memory (version_of) WHERE version_of IS NOT NULL;
CREATE INDEX memory_group ON memory (coexistence) WHERE coexistence IS NOT NULL;
CREATE INDEX memory_stance ON memory (scope_id, stance) WHERE stance IS NOT NULL;
CREATE INDEX memory_incident ON memory (scope_id, status) WHERE incident = 1;
CREATE INDEX memory_scene ON memory (scope_id, status, scene) WHERE scene IS NOT NULL;
CREATE INDEX memory_domain ON memory (scope_id, status, domain) WHERE domain IS NOT NULL;
CREATE INDEX memory_ended ON memory (scope_id, status, invalid_at) WHERE invalid_at IS NOT NULL;
CREATE TABLE believed (
  memory_seq INTEGER NOT NULL REFERENCES memory (seq) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  until      INTEGER,  -- NULL: still
  PRIMARY KEY (memory_seq, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE review (
  id         TEXT PRIMARY KEY,
  memory_id  TEXT NOT NULL,     -- the newer side
  scope_id   INTEGER NOT NULL REFERENCES scope (id),
  kind       TEXT NOT NULL,     -- personal-data, key, contradiction, update
  rule       TEXT,              -- what raised it
  supersedes TEXT,              -- the memory that is superseded once this one is let in
  opened_at  INTEGER NOT NULL,
  closed_at  INTEGER,           -- NULL: open
  decision   TEXT               -- approve, replace, coexist, reject, dismiss; withdrawn: it became void
) STRICT, WITHOUT ROWID;
CREATE INDEX review_open ON review (scope_id, opened_at) WHERE closed_at IS NULL;
CREATE INDEX review_memory ON review (memory_id);
CREATE TABLE review_side (
  review_id TEXT NOT NULL REFERENCES review (id) ON DELETE CASCADE,
  memory_id TEXT NOT NULL,  -- an older side
  PRIMARY KEY (review_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_side_memory ON review_side (memory_id);
CREATE TABLE settings (
  fingerprint TEXT PRIMARY KEY,
  value       TEXT NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;
CREATE TABLE injected_text (
  entry_id TEXT NOT NULL,
  scope_id INTEGER NOT NULL REFERENCES scope (id),
  text     INTEGER NOT NULL,
  PRIMARY KEY (entry_id, scope_id, text)
) STRICT, WITHOUT ROWID;
CREATE TABLE echo (
  fingerprint INTEGER NOT NULL,
  scope_id    INTEGER NOT NULL REFERENCES scope (id),
  entry_id    TEXT NOT NULL,
  PRIMARY KEY (fingerprint, scope_id, entry_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX echo_entry ON echo (entry_id);
CREATE TABLE observed (
  scope_id INTEGER NOT NULL REFERENCES scope (id),
  message  INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (scope_id, message)
) STRICT, WITHOUT ROWID;
CREATE TABLE belief_evidence (
  belief_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  at        INTEGER NOT NULL,  -- when it counted
  against   INTEGER NOT NULL CHECK (against IN (0, 1)),
  PRIMARY KEY (belief_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX belief_evidence_memory ON belief_evidence (memory_id);
CREATE TABLE belief_revision (
  belief_id TEXT NOT NULL,
  number    INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  reason    TEXT NOT NULL,
  wording   TEXT,           -- the row of `memory` with the earlier wording; NULL: the same text
  strength  REAL NOT NULL,
  evidence  TEXT NOT NULL,  -- JSON array of ids
  PRIMARY KEY (belief_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE reflection (
  period TEXT PRIMARY KEY,  -- the day for which it was due, YYYY-MM-DD
  at     INTEGER NOT NULL,  -- its clock
  state  TEXT NOT NULL CHECK (state IN ('planned', 'done')),
  report TEXT NOT NULL      -- JSON: counts
) STRICT, WITHOUT ROWID;
CREATE TABLE reflection_step (
  period TEXT NOT NULL REFERENCES reflection (period) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  step   TEXT NOT NULL,  -- JSON: kind and ids, no text
  PRIMARY KEY (period, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer_revision (
  answer_id   TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
  until       INTEGER NOT NULL,
  text        TEXT,              -- NULL: what it said afterwards, too
  verified_at INTEGER NOT NULL,
  PRIMARY KEY (answer_id, until)
) STRICT, WITHOUT ROWID;
CREATE TABLE prompt_block (
  id         TEXT PRIMARY KEY,
  scope_id   INTEGER NOT NULL REFERENCES scope (id),
  title      TEXT NOT NULL,
  body       TEXT NOT NULL,
  position   INTEGER NOT NULL,
  enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX prompt_block_order ON prompt_block (scope_id, position, id);
DELETE FROM memory_fts_data;
DELETE FROM memory_fts_idx;
DELETE FROM memory_fts_docsize;
DELETE FROM memory_fts_config;
INSERT INTO meta VALUES ('analyzer', 'words/1');
INSERT INTO meta VALUES ('changes', 5);
INSERT INTO meta VALUES ('embedder', 'plain/1/16');
INSERT INTO meta VALUES ('hash_key', X'6B6B6B6B6B6B6B6B6B6B6B6B6B6B6B6B');
INSERT INTO scope VALUES (1, 'project', 'atlas');
INSERT INTO scope VALUES (2, 'team', 'north');
INSERT INTO memory VALUES (1, 'mem_e1ebe53172ef239e3af2b900', 1, 'active', 'fact', 'world', 'human', 'explicit', 1, 0.5, 7.0, 1.0, 0, 1, 2, NULL, NULL, NULL, NULL, NULL, 1781265600000, 1781524800000, 1781524800000, 1781524800000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Tooling', '["tools", "构建"]', 'install', 'The project uses pnpm', NULL, NULL, NULL, NULL, NULL, NULL, 'the project uses pnpm', '+', 0);
INSERT INTO memory VALUES (2, 'mem_0ac1e90f6ea81e3c411bbe1f', 1, 'active', 'fact', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, 1738324800000, NULL, NULL, NULL, NULL, 1746964800000, 1781524800000, 1746964800000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'Ada', NULL, NULL, NULL, '[]', '', '公司在上海', NULL, NULL, NULL, NULL, NULL, NULL, '公 司 在 上 海', '+', 0);
INSERT INTO memory VALUES (3, 'mem_fc7e3b68bd1f3b2f81cae936', 1, 'active', 'fact', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, NULL, 1781438400000, NULL, NULL, NULL, 1781265600000, 1781524800000, 1781265600000, NULL, 'mem_da068650fcbde2e9a1ffda39', NULL, 'port', 's1', 's1@4', NULL, NULL, NULL, NULL, NULL, '[]', '', 'port is 22', NULL, NULL, NULL, 1781524800000, NULL, NULL, 'port is 22', '+', 0);
INSERT INTO memory VALUES (4, 'mem_ad239c3ba9441c8175a40f65', 1, 'active', 'event', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, NULL, NULL, 1781524800000, 1781528400000, NULL, 1781265600000, 1781524800000, 1781265600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', '', 'Ada met Grace', NULL, NULL, NULL, NULL, NULL, NULL, 'ada met grace', '+', 0);
INSERT INTO memory VALUES (5, 'mem_4e9d6eee5c97828459c541a9', 2, 'active', 'fact', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, NULL, NULL, NULL, NULL, NULL, 1781265600000, 1781524800000, 1781265600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', '', 'draft of a plan', NULL, NULL, NULL, NULL, NULL, NULL, 'draft of a plan', '+', 0);
INSERT INTO memory VALUES (6, 'mem_0f6cd1ad4689a4a293335639', 1, 'tombstoned', 'fact', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, NULL, NULL, NULL, NULL, NULL, 1781265600000, 1781524800000, 1781265600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', '', 'withdrawn note', NULL, NULL, NULL, NULL, NULL, NULL, 'withdrawn note', '+', 0);
INSERT INTO memory VALUES (7, 'mem_da068650fcbde2e9a1ffda39', 1, 'active', 'fact', 'world', 'human', 'explicit', 0, 0.5, 6.0, 1.0, 0, 0, 1, NULL, NULL, NULL, NULL, NULL, 1781438400000, 1781524800000, 1781438400000, NULL, NULL, 'mem_fc7e3b68bd1f3b2f81cae936', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', '', 'port is 49222', NULL, NULL, NULL, NULL, NULL, NULL, 'port is 49222', '+', 0);
INSERT INTO tag VALUES (1, 'tools');
INSERT INTO tag VALUES (1, '构建');
INSERT INTO evidence VALUES (1, 1, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (2, 1, 'repeated', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (3, 2, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (4, 3, 'asserted', 1781524800000, 's1@4', NULL, NULL);
INSERT INTO evidence VALUES (5, 4, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (6, 5, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (7, 6, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (8, 7, 'asserted', 1781524800000, NULL, NULL, NULL);
INSERT INTO evidence VALUES (9, 3, 'superseded', 1781524800000, 'mem_da068650fcbde2e9a1ffda39', NULL, NULL);
INSERT INTO evidence VALUES (10, 1, 'helped', 1781524800000, NULL, 'it did', NULL);
INSERT INTO memory_fts_data VALUES (1, X'0616000001030001010206');
INSERT INTO memory_fts_data VALUES (10, X'00000000FF00000101080A000801010101010101010201010202000001030101030300000104010104040000010501010505000001060101060601010107010107070000010801010808000001');
INSERT INTO memory_fts_data VALUES (137438953473, X'0000005B0530706E706D0102050206726F6A656374010203010273310106010902010374686501020202066F6F6C696E67010601030205017301060104020104757365730102040103E5BBBA01060104040103E69E84010601040304090B09080D08090A');
INSERT INTO memory_fts_data VALUES (274877906945, X'0000003D043061646102060106020102733102060109020103E4B88A0202050103E585AC02020202028FB802020302029CA80202040103E6B5B7020206040A0908080707');
INSERT INTO memory_fts_data VALUES (412316860417, X'0000002703303232030804010802010269730302030104706F7274030202010273310306010902040A0709');
INSERT INTO memory_fts_data VALUES (549755813889, X'0000002704306164610402020105677261636504020401036D657404020301027331040601090204080A08');
INSERT INTO memory_fts_data VALUES (687194767361, X'0000002D0230610502040105647261667405020201026F660502030104706C616E05020501027332050601090204060A0709');
INSERT INTO memory_fts_data VALUES (824633720833, X'0000002405306E6F7465060203010273310606010902010977697468647261776E060202040909');
INSERT INTO memory_fts_data VALUES (962072674305, X'0000002A06303439323232070804010802010269730702030104706F7274070202010273310706010902040D0709');
INSERT INTO memory_fts_data VALUES (1099511627777, X'000000690830696E7374616C6C01060107020104706E706D0102050206726F6A656374010203010273310106010902010374686501020202066F6F6C696E67010601030205017301060104020104757365730102040103E5BBBA01060104040103E69E840106010403040E090B09080D08090A');
INSERT INTO memory_fts_data VALUES (9007336693694464, X'04000000000000010000000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO memory_fts_data VALUES (9008023888461824, X'04000000000000010000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO memory_fts_idx VALUES (1, X'', 2);
INSERT INTO memory_fts_idx VALUES (2, X'', 2);
INSERT INTO memory_fts_idx VALUES (3, X'', 2);
INSERT INTO memory_fts_idx VALUES (4, X'', 2);
INSERT INTO memory_fts_idx VALUES (5, X'', 2);
INSERT INTO memory_fts_idx VALUES (6, X'', 2);
INSERT INTO memory_fts_idx VALUES (7, X'', 2);
INSERT INTO memory_fts_idx VALUES (8, X'', 2);
INSERT INTO memory_fts_docsize VALUES (1, X'04000001030000010001', 8);
INSERT INTO memory_fts_docsize VALUES (2, X'05000000000001000001', 2);
INSERT INTO memory_fts_docsize VALUES (3, X'03000000000000000101', 3);
INSERT INTO memory_fts_docsize VALUES (4, X'03000000000000000001', 4);
INSERT INTO memory_fts_docsize VALUES (5, X'04000000000000000001', 5);
INSERT INTO memory_fts_docsize VALUES (7, X'03000000000000000101', 7);
INSERT INTO memory_fts_config VALUES ('version', 4);
INSERT INTO memory_index VALUES (1, 1, 'install pnpm project the tooling tools uses 建 构');
INSERT INTO memory_index VALUES (2, 1, 'ada 上 公 司 在 海');
INSERT INTO memory_index VALUES (3, 1, '22 is port');
INSERT INTO memory_index VALUES (4, 1, 'ada grace met');
INSERT INTO memory_index VALUES (5, 2, 'a draft of plan');
INSERT INTO memory_index VALUES (7, 1, '49222 is port');
INSERT INTO term VALUES ('22', 1, 1);
INSERT INTO term VALUES ('49222', 1, 1);
INSERT INTO term VALUES ('a', 2, 1);
INSERT INTO term VALUES ('ada', 1, 2);
INSERT INTO term VALUES ('draft', 2, 1);
INSERT INTO term VALUES ('grace', 1, 1);
INSERT INTO term VALUES ('install', 1, 1);
INSERT INTO term VALUES ('is', 1, 2);
INSERT INTO term VALUES ('met', 1, 1);
INSERT INTO term VALUES ('of', 2, 1);
INSERT INTO term VALUES ('plan', 2, 1);
INSERT INTO term VALUES ('pnpm', 1, 1);
INSERT INTO term VALUES ('port', 1, 2);
INSERT INTO term VALUES ('project', 1, 1);
INSERT INTO term VALUES ('the', 1, 1);
INSERT INTO term VALUES ('tooling', 1, 1);
INSERT INTO term VALUES ('tools', 1, 1);
INSERT INTO term VALUES ('uses', 1, 1);
INSERT INTO term VALUES ('上', 1, 1);
INSERT INTO term VALUES ('公', 1, 1);
INSERT INTO term VALUES ('司', 1, 1);
INSERT INTO term VALUES ('在', 1, 1);
INSERT INTO term VALUES ('建', 1, 1);
INSERT INTO term VALUES ('构', 1, 1);
INSERT INTO term VALUES ('海', 1, 1);
INSERT INTO scope_statistics VALUES (1, 5);
INSERT INTO scope_statistics VALUES (2, 1);
INSERT INTO vector_statistics VALUES (1, 6, X'00000000010000000100000002000000020000000200000002000000010000000200000004000000040000000100000004000000020000000100000003000000');
INSERT INTO vector VALUES (1, X'010000008D69E63B040007000A000C000F00E0207F2020');
INSERT INTO vector VALUES (2, X'01000000BCC6663B080009000C000E000F00817F7F7F7F');
INSERT INTO vector VALUES (3, X'0100000042AB523B0300060009000A000C000F00818181818181');
INSERT INTO vector VALUES (4, X'0100000015EDA23B040009000A000D00814081C0');
INSERT INTO vector VALUES (5, X'0100000042AB523B0200050008000A000B000D0081817F7F7F7F');
INSERT INTO vector VALUES (7, X'0100000042AB523B010003000500060009000C007F8181818181');
INSERT INTO vector_code VALUES (1, X'917A6D58A1D6B84ED597F4C08D311BC2D0C1CB2ADC3494D5E5C8C5473785D4F3F65B017DACD434D4A9B6117568868C619381AB3EF67965B84783BD493963CE31AE6D3C5286B450AFEB212B001D5F49E65A3CA417ED3CC41D2DED0512F8CFCB8BFCFCEEBD73AF12A4EDBEE2C6E489D5C8897F5164860E39239D84A6E9585E1A15');
INSERT INTO vector_code VALUES (2, X'AA77D84ACD2E3A65D04F0EA417A7B8BA94ADB6D2F62A9231E1FB46C15255BE5BE04EAD6E74D21E92325D34ED5ADC8D7A13406F3930B9C574A4326E0FACA5C0A61519E0B8169A5B5CD0FA5DB310199080ABFD2C276A7744BB3B2D094693002998ED7A823FB7266B9EA7BE9CF08486DD8FAAB457A7D2B80EE299BDBC5D3918585B');
INSERT INTO vector_code VALUES (3, X'1C8C14261AC941812C08983860D464156E40014183872106190C2A188170C8240B805A920305CB6D0FA2FADC852023DC643E14E1891289051AC911B242DA204036B04300F948A0875751447D23E42A38F58252E810C2120450D2B6C8463124440202B542489984400849456B5B3D0A224240A2581050C095426F4612E669A528');
INSERT INTO vector_code VALUES (4, X'60209483548804B5B84E0905008990B98F06584402ABEA3906057430EAF0354301202A016346438B16086A6A73581F042D1E7F510592D61390587AA66A88F104579080FC7D1A271010EA1CE382215218ADA26A4110E17AB20030AAEA137E3C30B383110C0050C8DE02601D601546223B1E802A0A68D0A6462143D8833F00C09D');
INSERT INTO vector_code VALUES (5, X'11480D523115984890B6C4CE181043EA0909432EC9D82844A44008640B8081B07C5F056386C4000D68F8C91149B4428130830034306102B952A4300981215639C0252D100120D4EAA9083854698221EE5A109156A51CA0458C83F41B32E0232CC45C18E003993226ECC48236809B05005073658455174922194180A881381824');
INSERT INTO vector_code VALUES (7, X'148814641A886809273870B8501046116E48014180852206380808488109D8A007900B36050403CD0DE218D8812203A0602B9C2CC130812552E990BB5242224022F04042B144C0C57741447965663B3390831384900A124C10C2A4C82C11804002013480C99994028808452B521D428A4240B3521454499100230422C63D292D');
INSERT INTO entity VALUES (1, 'tooling', 'Tooling');
INSERT INTO entity VALUES (2, 'the', 'The');
INSERT INTO entity VALUES (3, 'ada', 'Ada');
INSERT INTO entity VALUES (4, 'grace', 'Grace');
INSERT INTO entity VALUES (5, 'trip', 'trip');
INSERT INTO mention VALUES (1, 1, 'subject');
INSERT INTO mention VALUES (2, 1, 'text');
INSERT INTO mention VALUES (3, 2, 'subject');
INSERT INTO mention VALUES (3, 4, 'text');
INSERT INTO mention VALUES (3, 5, 'stated');
INSERT INTO mention VALUES (4, 4, 'text');
INSERT INTO mention VALUES (5, 5, 'stated');
INSERT INTO relation VALUES (1, 3, 'plans', 5, 5);
INSERT INTO answer VALUES ('ans_1ae1fd5975c89921e1663c41', 1, 'Ada owns it', 0, 1781524800000, 1781524800000, 1781524800000);
INSERT INTO phrasing VALUES ('ans_1ae1fd5975c89921e1663c41', 1, 'who owns it', 'Who owns it?', 1781524800000);
INSERT INTO ledger VALUES (1, 1781524800000, 'created', 'mem_e1ebe53172ef239e3af2b900', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (2, 1781524800000, 'confirmed', 'mem_e1ebe53172ef239e3af2b900', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (3, 1781524800000, 'created', 'mem_0ac1e90f6ea81e3c411bbe1f', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (4, 1781524800000, 'created', 'mem_fc7e3b68bd1f3b2f81cae936', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (5, 1781524800000, 'created', 'mem_ad239c3ba9441c8175a40f65', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (6, 1781524800000, 'created', 'mem_4e9d6eee5c97828459c541a9', 2, NULL, NULL, NULL);
INSERT INTO ledger VALUES (7, 1781524800000, 'created', 'mem_0f6cd1ad4689a4a293335639', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (8, 1781524800000, 'created', 'mem_da068650fcbde2e9a1ffda39', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (9, 1781524800000, 'superseded', 'mem_fc7e3b68bd1f3b2f81cae936', 1, NULL, NULL, 'mem_da068650fcbde2e9a1ffda39');
INSERT INTO ledger VALUES (10, 1781524800000, 'forgotten', 'mem_0f6cd1ad4689a4a293335639', 1, NULL, NULL, NULL);
INSERT INTO ledger VALUES (11, 1781524800000, 'feedback', 'mem_e1ebe53172ef239e3af2b900', 1, NULL, NULL, 'helped');
INSERT INTO ledger VALUES (12, 1781524800000, 'answer-told', 'ans_1ae1fd5975c89921e1663c41', 1, NULL, NULL, NULL);
INSERT INTO run VALUES (1, 1781524800000, '9dac2a329652b8ab89970e4b0d3125bf', '[1]', 'assist', 1, '', '', NULL);
INSERT INTO sqlite_sequence VALUES ('run', 1);
INSERT INTO decision VALUES (1, 'mem_e1ebe53172ef239e3af2b900', 1, 'use', 'strong', 0.5, 0.5, 0.5, 0.5, 0.5, '{"keyword": 1}', NULL);
INSERT INTO injection VALUES (1, 0, 'mem_e1ebe53172ef239e3af2b900');
INSERT INTO consumption VALUES (1, 'mem_e1ebe53172ef239e3af2b900', 'helped', 1781524800000, 'it did', NULL);
INSERT INTO believed VALUES (1, 1781524800000, NULL);
INSERT INTO believed VALUES (2, 1781524800000, NULL);
INSERT INTO believed VALUES (3, 1781524800000, NULL);
INSERT INTO believed VALUES (4, 1781524800000, NULL);
INSERT INTO believed VALUES (5, 1781524800000, NULL);
INSERT INTO believed VALUES (6, 1781524800000, 1781524800000);
INSERT INTO believed VALUES (7, 1781524800000, NULL);
