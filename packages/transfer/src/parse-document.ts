import type { z } from "zod"
import { DocumentError, EXPORT_AGAIN, jsonPath } from "./document-error.ts"
import { checkLinks } from "./document-links.ts"
import { FORMAT, sessionDocument, type SessionDocument, VERSION } from "./document.ts"
import { isObject } from "./json.ts"
import { sha256 } from "./record-hash.ts"

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
