/**
 * Keys of removed sessions whose rows in other tables are not deleted yet. No query finds these rows, since records are
 * only read through `listing` or `session`.
 */
export const removedTable = `
CREATE TABLE pawl.removed (
  session bigint PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
`

/**
 * Removes the session and its descendants. Their records are deleted later, so the lock is held only for the rows of
 * the sessions, whatever their size. Each level is locked before its children are read, so that it waits for a child
 * that is being created or moved. The row in `session` stays, so that epochs continue, watchers notice the removal, and
 * a repeated commit is recognized. Its new key separates it from work that still uses the old one.
 */
export const removeFunction = `
CREATE OR REPLACE FUNCTION pawl.remove_session(p_id text) RETURNS bigint LANGUAGE plpgsql AS $function$
DECLARE
  ids text[] := '{}';
  level text[] := ARRAY[p_id];
BEGIN
  LOOP
    PERFORM FROM pawl.session s WHERE s.id = ANY (level) ORDER BY s.id FOR UPDATE;
    IF ids = '{}' THEN
      SELECT array_agg(s.id) INTO level FROM pawl.session s WHERE s.id = p_id AND s.revision > 0;
    ELSE
      -- Without those that were moved elsewhere while this waited for them.
      SELECT array_agg(l.id) INTO level FROM pawl.listing l WHERE l.id = ANY (level) AND l.parent_id = ANY (ids);
    END IF;
    EXIT WHEN level IS NULL;
    ids := ids || level;
    SELECT array_agg(l.id) INTO level FROM pawl.listing l WHERE l.parent_id = ANY (level) AND l.id <> ALL (ids);
    EXIT WHEN level IS NULL;
  END LOOP;
  INSERT INTO pawl.removed (session) SELECT s.key FROM pawl.session s WHERE s.id = ANY (ids);
  DELETE FROM pawl.listing l USING pawl.session s WHERE s.id = ANY (ids) AND l.session = s.key;
  UPDATE pawl.session s
    SET key = DEFAULT, revision = 0, owner = NULL, removed = clock_timestamp(), changed = pg_current_xact_id()
    WHERE s.id = ANY (ids);
  RETURN cardinality(ids);
END $function$;
`

/** Deletes some rows of removed sessions. Returns false if no row is left, or if other processes delete the rest. */
export const purgeFunction = `
CREATE OR REPLACE FUNCTION pawl.purge_removed(p_rows integer, p_bytes bigint) RETURNS boolean
LANGUAGE plpgsql AS $function$
DECLARE
  gone bigint;
  deleted integer;
BEGIN
  SELECT r.session INTO gone FROM pawl.removed r ORDER BY r.session LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM pawl.record r USING (
    SELECT sized.*, sum(sized.bytes) OVER (ORDER BY sized.message_id, sized.part_id) - sized.bytes AS bytes_before FROM (
      SELECT x.message_id, x.part_id, coalesce(octet_length(x.data), 0) AS bytes FROM pawl.record x
      WHERE x.session = gone ORDER BY x.message_id, x.part_id LIMIT p_rows) sized
  ) chosen
    WHERE chosen.bytes_before < p_bytes
      AND r.session = gone AND r.message_id = chosen.message_id AND r.part_id = chosen.part_id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted > 0 THEN
    RETURN true;
  END IF;
  DELETE FROM pawl.search x WHERE x.ctid = ANY (ARRAY(
    SELECT s.ctid FROM pawl.search s WHERE s.session = gone LIMIT p_rows));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted > 0 THEN
    RETURN true;
  END IF;
  DELETE FROM pawl.blob_reference x WHERE x.ctid = ANY (ARRAY(
    SELECT f.ctid FROM pawl.blob_reference f WHERE f.session = gone LIMIT p_rows));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted > 0 THEN
    RETURN true;
  END IF;
  DELETE FROM pawl.derived x WHERE x.session = gone;
  DELETE FROM pawl.earlier_commit x WHERE x.session = gone;
  DELETE FROM pawl.removed x WHERE x.session = gone;
  RETURN true;
END $function$;
`
