/** Value of `place` if all records of a session up to a revision have derived data. */
export const LAST_PLACE = 2_147_483_647

/**
 * Stores data derived from a session's records between two points, unless another process was faster or the session was
 * removed. Words are separated by spaces; null for a removed record or one without text.
 */
export const deriveFunction = `
CREATE OR REPLACE FUNCTION pawl.put_derived(
  p_key bigint, p_revision bigint, p_place integer, p_to_revision bigint, p_to_place integer,
  p_messages text[], p_parts text[], p_words text[],
  p_blob_messages text[], p_blob_parts text[], p_blobs text[]
) RETURNS boolean LANGUAGE plpgsql AS $function$
BEGIN
  -- Against a removal; commits go on.
  PERFORM FROM pawl.session s WHERE s.key = p_key FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO pawl.derived (session, revision, place) VALUES (p_key, 0, 0) ON CONFLICT DO NOTHING;
  UPDATE pawl.derived d SET revision = p_to_revision, place = p_to_place
    WHERE d.session = p_key AND d.revision = p_revision AND d.place = p_place;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM pawl.search x USING unnest(p_messages, p_parts, p_words) AS r (message_id, part_id, words)
    WHERE r.words IS NULL AND x.part_id = r.part_id AND x.session = p_key AND x.message_id = r.message_id;
  INSERT INTO pawl.search (part_id, session, message_id, words)
    SELECT r.part_id, p_key, r.message_id, array_to_tsvector(string_to_array(r.words, ' '))
    FROM unnest(p_messages, p_parts, p_words) AS r (message_id, part_id, words) WHERE r.words IS NOT NULL
    ON CONFLICT (part_id, session, message_id) DO UPDATE SET words = excluded.words;
  DELETE FROM pawl.blob_reference x USING unnest(p_messages, p_parts) AS r (message_id, part_id)
    WHERE x.session = p_key AND x.message_id = r.message_id AND x.part_id = r.part_id;
  INSERT INTO pawl.blob_reference (session, message_id, part_id, blob)
    SELECT p_key, r.message_id, r.part_id, r.blob
    FROM unnest(p_blob_messages, p_blob_parts, p_blobs) AS r (message_id, part_id, blob)
    ON CONFLICT DO NOTHING;
  RETURN true;
END $function$;
`
