const REFERENCE = /"(?:blob:)?([0-9a-f]{64})"/g

/**
 * Returns the ids of the blobs that a record refers to, from its JSON. A reference is a string that is an id, alone or
 * after `blob:`.
 */
export function blobReferences(json: string): string[] {
  return [...new Set(Array.from(json.matchAll(REFERENCE), ([, id = ""]) => id))]
}
