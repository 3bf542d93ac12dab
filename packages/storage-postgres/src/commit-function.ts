/** Error codes that functions of the schema raise. Class "PW" is used by pawl only. */
export const raised = { missingSession: "PW001", missingMessage: "PW002", staleLease: "PW003" } as const

/**
 * Makes a commit with one statement: one round trip, one transaction, no state of the connection. Locks the session's row,
 * so that readers see revisions without gaps; checks the lease under that lock; and recognizes a repeated commit. If a
 * patch was made from an older state of the session (`p_base` is the MD5 of its JSON), writes nothing and returns the
 * current state instead of a revision. Locks the parent, so that its removal either includes this child or has ended.
 */
export const commitFunction = `
CREATE OR REPLACE FUNCTION pawl.commit_writes(
  p_id text, p_writer uuid, p_number bigint, p_owner text, p_epoch bigint, p_creates boolean, p_base text,
  p_listing text[], p_kinds text[], p_messages text[], p_parts text[], p_data text[],
  OUT o_revision bigint, OUT o_base text
) LANGUAGE plpgsql AS $function$
DECLARE
  head pawl.session;
  item record;
  next_revision bigint;
  last_place integer := 0;
  changed_rows integer;
BEGIN
  -- Before the session's own row, as removals lock parents before their children.
  PERFORM FROM pawl.session s WHERE s.id = p_listing[1] FOR KEY SHARE;
  SELECT * INTO head FROM pawl.session s WHERE s.id = p_id FOR NO KEY UPDATE;
  IF NOT FOUND AND p_creates AND p_owner IS NULL THEN
    INSERT INTO pawl.session (id) VALUES (p_id) ON CONFLICT (id) DO NOTHING;
    SELECT * INTO head FROM pawl.session s WHERE s.id = p_id FOR NO KEY UPDATE;
  END IF;

  IF head.writer = p_writer THEN
    IF head.commit_number >= p_number THEN
      o_revision := head.revision;
      RETURN;
    END IF;
  ELSIF head.writer IS NOT NULL THEN
    SELECT e.revision INTO o_revision FROM pawl.earlier_commit e
      WHERE e.session = head.key AND e.writer = p_writer AND e.commit_number >= p_number;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;

  IF p_owner IS NOT NULL AND (head.owner IS DISTINCT FROM p_owner OR head.epoch <> p_epoch) THEN
    RAISE EXCEPTION 'The lease on session % is no longer current.', p_id USING ERRCODE = '${raised.staleLease}';
  END IF;
  IF head.key IS NULL OR (head.revision = 0 AND NOT p_creates) THEN
    RAISE EXCEPTION 'Session % does not exist.', p_id USING ERRCODE = '${raised.missingSession}';
  END IF;
  IF p_base IS NOT NULL THEN
    SELECT r.data INTO o_base FROM pawl.record r
      WHERE r.session = head.key AND r.message_id = '' AND r.part_id = '';
    IF md5(o_base) IS DISTINCT FROM p_base THEN
      RETURN;
    END IF;
    o_base := NULL;
  END IF;

  next_revision := head.revision + 1;
  FOR item IN SELECT * FROM unnest(p_kinds, p_messages, p_parts, p_data) AS w (kind, message_id, part_id, data) LOOP
    IF item.kind = 'put' THEN
      IF item.part_id <> '' THEN
        PERFORM FROM pawl.record r
          WHERE r.session = head.key AND r.message_id = item.message_id AND r.part_id = '' AND r.data IS NOT NULL;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'Message % does not exist in session %.', item.message_id, p_id
            USING ERRCODE = '${raised.missingMessage}', DETAIL = item.message_id;
        END IF;
      END IF;
      last_place := last_place + 1;
      INSERT INTO pawl.record (session, message_id, part_id, revision, place, data)
        VALUES (head.key, item.message_id, item.part_id, next_revision, last_place, item.data)
        ON CONFLICT (session, message_id, part_id)
        DO UPDATE SET revision = excluded.revision, place = excluded.place, data = excluded.data;
    ELSE
      UPDATE pawl.record r SET data = NULL, revision = next_revision, place = last_place + gone.place
        FROM (
          SELECT g.part_id, row_number() OVER (ORDER BY g.part_id = '', g.part_id) AS place FROM pawl.record g
          WHERE g.session = head.key AND g.message_id = item.message_id AND g.data IS NOT NULL
            AND (item.kind = 'message.remove' OR g.part_id = item.part_id)
        ) AS gone
        WHERE r.session = head.key AND r.message_id = item.message_id AND r.part_id = gone.part_id;
      GET DIAGNOSTICS changed_rows = ROW_COUNT;
      last_place := last_place + changed_rows;
    END IF;
  END LOOP;

  IF p_listing IS NOT NULL THEN
    PERFORM pawl.put_listing(head.key, p_id, p_listing);
  END IF;
  IF head.writer <> p_writer THEN
    INSERT INTO pawl.earlier_commit (session, writer, commit_number, revision)
      VALUES (head.key, head.writer, head.commit_number, head.revision)
      ON CONFLICT (session, writer) DO UPDATE
      SET commit_number = excluded.commit_number, revision = excluded.revision, at = excluded.at;
  END IF;
  UPDATE pawl.session s
    SET revision = next_revision, changed = pg_current_xact_id(), writer = p_writer, commit_number = p_number
    WHERE s.key = head.key;
  o_revision := next_revision;
END $function$;
`

/** Writes nothing if no column of the listing changes, as with most commits. */
export const listingFunction = `
CREATE OR REPLACE FUNCTION pawl.put_listing(p_key bigint, p_id text, p_listing text[]) RETURNS void LANGUAGE sql AS $function$
  INSERT INTO pawl.listing AS l (session, id, parent_id, project_id, directory, title, archived, boundary)
  VALUES (p_key, p_id, p_listing[1], p_listing[2], p_listing[3], p_listing[4], p_listing[5]::boolean, p_listing[6])
  ON CONFLICT (session) DO UPDATE SET
    parent_id = excluded.parent_id, project_id = excluded.project_id, directory = excluded.directory,
    title = excluded.title, archived = excluded.archived, boundary = excluded.boundary
  WHERE (l.parent_id, l.project_id, l.directory, l.title, l.archived, l.boundary) IS DISTINCT FROM
    (excluded.parent_id, excluded.project_id, excluded.directory, excluded.title, excluded.archived, excluded.boundary)
$function$;
`

/** Does nothing if the session was removed or its record changed meanwhile. */
export const restoreListingFunction = `
CREATE OR REPLACE FUNCTION pawl.restore_listing(p_key bigint, p_id text, p_listing text[], p_data text) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
  PERFORM FROM pawl.session s WHERE s.key = p_key FOR SHARE;
  IF FOUND THEN
    PERFORM pawl.put_listing(p_key, p_id, p_listing) FROM pawl.record r
      WHERE r.session = p_key AND r.message_id = '' AND r.part_id = '' AND r.data = p_data;
  END IF;
END $function$;
`
