import { DocumentError, jsonPath } from "../document-error.ts"

/** Limits for documents, far above the sessions that pawl and OpenCode write. */
export interface DocumentLimits {
  /** Characters of the whole text. */
  readonly total: number
  /** Characters of a string, a number or a field name. */
  readonly text: number
  /** Characters of `base64` and `url` fields, which contain whole files. */
  readonly content: number
  /** Characters of a session's title. */
  readonly title: number
  /** Characters of a path. */
  readonly path: number
  /** Characters of ids, names and kinds. */
  readonly name: number
  /** Entries of a list or an object. */
  readonly entries: number
  /** Lists and objects in the whole text. */
  readonly values: number
  /** Nesting depth. Storages parse JSON recursively, and some fail at a depth of a thousand. */
  readonly levels: number
}

export const documentLimits: DocumentLimits = {
  total: 512 * 2 ** 20,
  text: 64 * 2 ** 20,
  content: 128 * 2 ** 20,
  title: 10_000,
  path: 32_768,
  name: 10_000,
  entries: 1_000_000,
  values: 5_000_000,
  levels: 500,
}

const NAMES = new Set(
  [
    "format version id sessionID messageID partID parentID projectID callID boundary hash",
    "type role status mime tool agent providerID modelID mode finish variant slug",
  ].flatMap((names) => names.split(" ")),
)
const PATHS = new Set(["directory", "cwd", "root", "filename"])
/** Names of a session's field in pawl's and in OpenCode's documents. */
const SESSIONS = new Set(["session", "info"])
const CONTENTS = new Set(["base64", "url"])

/** Objects whose field names are chosen by tools and plugins. */
const FREE = new Set(["input", "metadata", "data", "structured", "tools", "responseHeaders"])

export function isFree(name: PropertyKey): boolean {
  return FREE.has(String(name))
}

/** Returns the maximum length of a string at this path. */
export function textLimit(path: readonly PropertyKey[], limits: DocumentLimits): number {
  const name = path.findLast((step) => typeof step === "string") ?? ""
  if (CONTENTS.has(name)) return limits.content
  if (path.some((step) => isFree(step))) return limits.text
  if (name === "title" && SESSIONS.has(String(path.at(-2) ?? "session"))) return limits.title
  if (PATHS.has(name)) return limits.path
  return NAMES.has(name) ? limits.name : limits.text
}

/** `what` is a plural noun, such as "characters". */
export function tooMuch(path: readonly PropertyKey[], size: number, limit: number, what: string): DocumentError {
  const grouped = (count: number) => count.toLocaleString("en-US")
  return new DocumentError(
    jsonPath(path),
    `It has ${grouped(size)} ${what}, and at most ${grouped(limit)} are read.`,
    "Shorten it there, or export the session again.",
  )
}

/** Number of path steps that a message shows. */
const MAX_SHOWN_STEPS = 8

export function tooDeep(path: readonly PropertyKey[], levels: number): DocumentError {
  return new DocumentError(
    `${jsonPath(path.slice(0, MAX_SHOWN_STEPS))}…`,
    `It is nested deeper than ${levels} levels, which no session is.`,
    "Give a document that pawl or OpenCode exported.",
  )
}
