import { toName } from "./record-name.ts"

// Paths below the root of a storage:
//   session/{projectID}/{sessionID}.json      message/{sessionID}/{messageID}.json      part/{messageID}/{partID}.json
//   blob/{first two digits}/{sha256}          .pawl/…: pawl's own data, such as journals, locks and indexes

export const STATE = ".pawl"
export const STAMP = `${STATE}/version.json`
export const JOURNALS = `${STATE}/journal`
export const CHANGES = `${STATE}/changes`
export const LEASES = `${STATE}/lease`
export const LOCKS = `${STATE}/lock`
export const OWNERS = `${STATE}/owner`
export const TEMPORARY = `${STATE}/tmp`
export const INDEX = `${STATE}/index`
export const SESSION_INDEX = `${INDEX}/sessions.json`
export const CONTEXTS = `${STATE}/context`
export const PACKS = `${STATE}/pack`
export const QUARANTINE = `${STATE}/quarantine`

/** Directories that are created when a storage is opened, parents first. */
export const DIRECTORIES = [
  "session",
  "message",
  "part",
  "blob",
  STATE,
  JOURNALS,
  CHANGES,
  LEASES,
  LOCKS,
  OWNERS,
  TEMPORARY,
  INDEX,
  CONTEXTS,
] as const

export function sessionPath(projectID: string, sessionID: string): string {
  return `session/${toName(projectID)}/${toName(sessionID)}.json`
}

export function messageDirectory(sessionID: string): string {
  return `message/${toName(sessionID)}`
}

export function messagePath(sessionID: string, messageID: string): string {
  return `${messageDirectory(sessionID)}/${toName(messageID)}.json`
}

/** Directory of a message's parts, unless another session has a message with the same id. */
export function partDirectory(messageID: string): string {
  return `part/${toName(messageID)}`
}

/** Directory of a message's parts if another session has a message with the same id. */
export function sharedPartDirectory(sessionID: string, messageID: string): string {
  return `part/${toName(messageID)}@${toName(sessionID)}`
}

export function journalPath(sessionID: string): string {
  return `${JOURNALS}/${toName(sessionID)}`
}

export function changesPath(sessionID: string): string {
  return `${CHANGES}/${toName(sessionID)}`
}

export function leasePath(sessionID: string): string {
  return `${LEASES}/${toName(sessionID)}`
}

export function contextPath(sessionID: string): string {
  return `${CONTEXTS}/${toName(sessionID)}`
}

export function packPath(sessionID: string): string {
  return `${PACKS}/${toName(sessionID)}`
}

export function blobPath(id: string): string {
  return `blob/${id.slice(0, 2)}/${id}`
}

/** Returns the parent directory; `""` for a path in the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

/** Recognizes files that systems and editors leave in directories. */
export function isStray(name: string): boolean {
  return (
    name.startsWith(".") ||
    name.endsWith("~") ||
    /\.(?:tmp|swp|part|crdownload)$/i.test(name) ||
    /^(?:Thumbs\.db|desktop\.ini)$/i.test(name)
  )
}
