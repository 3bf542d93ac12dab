/**
 * `session` has one row for each session that ever existed: the lock of its commits, its revision (0: removed) and its
 * lease. `changed` is the transaction of its last change, by which watchers and derived data find new changes. `writer`
 * and `commit_number` identify its last commit; `earlier_commit` has the last commits of other writers. `listing` is
 * the session list. `record` has the stored JSON of the session itself ('', ''), a message (id, '') or a part (id, id).
 * A record without data was removed. `place` is the order within a revision. `blob` has a row for each complete blob.
 * `search`, `blob_reference` and `derived` are derived from the records later.
 */
export const tables = `
CREATE TABLE pawl.session (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  revision bigint NOT NULL DEFAULT 0,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  writer uuid,
  commit_number bigint,
  owner text,
  epoch bigint NOT NULL DEFAULT 0,
  ttl double precision,
  expires timestamptz,
  removed timestamptz
) WITH (fillfactor = 80);
CREATE INDEX session_changed ON pawl.session (changed);

CREATE TABLE pawl.earlier_commit (
  session bigint NOT NULL,
  writer uuid NOT NULL,
  commit_number bigint NOT NULL,
  revision bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (session, writer)
);

CREATE TABLE pawl.listing (
  session bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  parent_id text COLLATE "C",
  project_id text COLLATE "C" NOT NULL,
  directory text COLLATE "C" NOT NULL,
  title text COLLATE "C" NOT NULL,
  archived boolean NOT NULL,
  boundary text COLLATE "C"
);
CREATE INDEX listing_child ON pawl.listing (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX listing_root ON pawl.listing (id) WHERE parent_id IS NULL;
CREATE INDEX listing_directory ON pawl.listing (directory, id);
CREATE INDEX listing_project ON pawl.listing (project_id, id);

CREATE TABLE pawl.record (
  session bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  part_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  place integer NOT NULL,
  data text COLLATE "C",
  PRIMARY KEY (session, message_id, part_id)
);
CREATE INDEX record_revision ON pawl.record (session, revision);

CREATE TABLE pawl.set_aside (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  part_id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  data text COLLATE "C",
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE pawl.blob (
  id text COLLATE "C" PRIMARY KEY,
  size bigint NOT NULL,
  put timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE pawl.blob_piece (
  blob text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  put timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (blob, position)
);
ALTER TABLE pawl.blob_piece ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE pawl.derived (
  session bigint PRIMARY KEY,
  revision bigint NOT NULL,
  place integer NOT NULL
);
CREATE TABLE pawl.derived_until (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  changed xid8 NOT NULL DEFAULT '0'
);
INSERT INTO pawl.derived_until DEFAULT VALUES;

CREATE TABLE pawl.search (
  part_id text COLLATE "C" NOT NULL,
  session bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (part_id, session, message_id)
);
CREATE INDEX search_session ON pawl.search (session, part_id);
CREATE INDEX search_words ON pawl.search USING gin (words) WITH (gin_pending_list_limit = 1024);

CREATE TABLE pawl.blob_reference (
  session bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  part_id text COLLATE "C" NOT NULL,
  blob text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, message_id, part_id, blob)
);
CREATE INDEX blob_reference_blob ON pawl.blob_reference (blob);
`

/** Indexes a hash, since a path may be longer than an index allows. */
export const directoryIndex = `
DROP INDEX pawl.listing_directory;
CREATE INDEX listing_directory ON pawl.listing (md5(directory), id);
`

/**
 * The process that acquired the lease with an epoch, as JSON. Earlier versions do not update these columns, so they are
 * valid only if `process_epoch` is the current epoch.
 */
export const leaseProcess = `
ALTER TABLE pawl.session ADD COLUMN process text COLLATE "C", ADD COLUMN process_epoch bigint;
`
