/** A file's new JSON, or null to remove it; the directory of a message's parts goes with the message, when it is empty. */
export type FileChange = readonly [path: string, json: string | null]
