/**
 * The new JSON of a file, or null to remove it. The removal of a message's part directory takes effect only if it is
 * empty.
 */
export type FileChange = readonly [path: string, json: string | null]
