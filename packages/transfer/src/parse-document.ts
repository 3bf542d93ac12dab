import { z } from "zod"
import { DocumentError, EXPORT_AGAIN, jsonPath } from "./document-error.ts"
import { checkLinks } from "./document-links.ts"
import {
  blobEntry,
  FORMAT,
  messageEntry,
  sessionDocument,
  type SessionDocument,
  sessionEntry,
  VERSION,
} from "./document.ts"
import { isObject } from "./json.ts"
import { sha256 } from "./record-hash.ts"

/**
 * Checks a document: shape, version, links between records, and hashes of blobs. Returns the document itself with
 * unknown fields. Throws DocumentError.
 */
export function parseDocument(value: unknown): SessionDocument {
  requireVersion(value)
  checkShape(value)
  // Not zod's copy, which lacks unknown fields.
  const document = value as SessionDocument
  checkLinks(document)
  checkBlobs(document)
  return document
}

function requireVersion(value: unknown): void {
  if (!isObject(value) || value["format"] !== FORMAT) {
    const found = isObject(value)
      ? `The format is ${JSON.stringify(value["format"])}, not "${FORMAT}".`
      : "It is not a JSON object."
    throw new DocumentError("$.format", found, "Give a document that pawl or OpenCode exported.")
  }
  const { version } = value
  if (typeof version === "number" && version > VERSION) {
    const reason = `Version ${version} was written by a newer pawl; this one reads up to version ${VERSION}.`
    throw new DocumentError("$.version", reason, "Update pawl and import it again.")
  }
}

const list = z.array(z.unknown())
const frame = sessionDocument.extend({ sessions: list.min(1), blobs: list })
const sessionFrame = sessionEntry.extend({ messages: list })

/** Checks record by record, because zod copies what it checks, and a large document would need twice the memory. */
function checkShape(value: unknown): void {
  const { sessions, blobs } = checked(frame, value, [])
  for (const [s, entry] of sessions.entries()) {
    const { messages } = checked(sessionFrame, entry, ["sessions", s])
    for (const [m, message] of messages.entries()) checked(messageEntry, message, ["sessions", s, "messages", m])
  }
  for (const [b, blob] of blobs.entries()) checked(blobEntry, blob, ["blobs", b])
}

function checked<T>(schema: z.ZodType<T>, value: unknown, place: readonly PropertyKey[]): T {
  const result = schema.safeParse(value)
  if (!result.success) throw firstIssue(result.error, place)
  return result.data
}

function firstIssue({ issues: [issue] }: z.ZodError, place: readonly PropertyKey[]): DocumentError {
  return new DocumentError(
    jsonPath([...place, ...(issue?.path ?? [])]),
    `${issue?.message ?? "Invalid input"}.`,
    EXPORT_AGAIN,
  )
}

function checkBlobs({ blobs }: SessionDocument): void {
  for (const [at, { id, base64 }] of blobs.entries()) {
    if (sha256(Buffer.from(base64, "base64")) === id) continue
    throw new DocumentError(
      jsonPath(["blobs", at]),
      `The content is not that of blob ${id}.`,
      "Export the session again.",
    )
  }
}
