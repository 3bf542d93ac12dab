import type { z } from "zod"
import { FORMAT, sessionDocument, type SessionDocument, VERSION } from "./document.ts"
import { isObject } from "./json.ts"
import { sha256 } from "./record-hash.ts"

/** What was given is no document that can be imported. Nothing was written. `message` names place and next step. */
export class DocumentError extends Error {
  override readonly name = "DocumentError"
  /** Where, as a JSON path: `$.sessions[0].messages[3].info.role`. */
  readonly path: string
  constructor(path: string, reason: string, nextStep: string) {
    super(`The document cannot be imported: at ${path}: ${reason} ${nextStep}`)
    this.path = path
  }
}

const EXPORT_AGAIN = "Correct it there, or export the session again."

/**
 * The document itself, checked: shape, version, links between records, blobs by their hash. Fields that this version
 * does not know stay. Throws DocumentError.
 */
export function parseDocument(value: unknown): SessionDocument {
  requireVersion(value)
  const result = sessionDocument.safeParse(value)
  if (!result.success) throw firstIssue(result.error)
  // Not the parsed copy, which lacks what the schemas do not name.
  const document = value as SessionDocument
  checkLinks(document)
  checkBlobs(document)
  return document
}

function requireVersion(value: unknown): void {
  if (!isObject(value) || value["format"] !== FORMAT) {
    const found = isObject(value)
      ? `The format is ${JSON.stringify(value["format"])}, not "${FORMAT}".`
      : "It is no JSON object."
    throw new DocumentError("$.format", found, "Give a document that pawl or OpenCode exported.")
  }
  const { version } = value
  if (typeof version === "number" && version > VERSION) {
    const reason = `Version ${version} was written by a newer pawl; this one reads up to version ${VERSION}.`
    throw new DocumentError("$.version", reason, "Update pawl and import it again.")
  }
}

function firstIssue({ issues: [issue] }: z.ZodError): DocumentError {
  return new DocumentError(jsonPath(issue?.path ?? []), `${issue?.message ?? "Invalid input"}.`, EXPORT_AGAIN)
}

function jsonPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => {
    if (typeof step === "number") return `[${step}]`
    const name = String(step)
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
  })
  return `$${steps.join("")}`
}

/** Every record names its owner, and every id stands once. */
function checkLinks({ sessions }: SessionDocument): void {
  const seen = new Set<string>()
  const once = (id: string, path: readonly PropertyKey[]) => {
    if (seen.has(id)) throw new DocumentError(jsonPath(path), `The id ${id} stands here a second time.`, EXPORT_AGAIN)
    seen.add(id)
  }
  const same = (found: string, owner: string, path: readonly PropertyKey[]) => {
    if (found === owner) return
    throw new DocumentError(jsonPath(path), `The record stands in ${owner} and says ${found}.`, EXPORT_AGAIN)
  }
  for (const [s, { session, messages }] of sessions.entries()) {
    once(session.id, ["sessions", s, "session", "id"])
    for (const [m, { info, parts }] of messages.entries()) {
      const at = ["sessions", s, "messages", m]
      once(`${session.id} ${info.id}`, [...at, "info", "id"])
      same(info.sessionID, session.id, [...at, "info", "sessionID"])
      for (const [p, part] of parts.entries()) {
        const place = [...at, "parts", p]
        once(`${session.id} ${info.id} ${part.id}`, [...place, "id"])
        same(part.sessionID, session.id, [...place, "sessionID"])
        same(part.messageID, info.id, [...place, "messageID"])
      }
    }
  }
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
