const REFERENCE = /"(?:blob:)?([0-9a-f]{64})"/g

/** The ids of the blobs that a record refers to, given its JSON: those of its strings that are an id, alone or behind `blob:`. */
export function blobReferences(json: string): string[] {
  return [...new Set(Array.from(json.matchAll(REFERENCE), ([, id = ""]) => id))]
}
