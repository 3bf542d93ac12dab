import { createHash } from "node:crypto"

const ownForm = /^pawl-signature-/

/** The signature of reasoning text for which the script gives none: a digest, so that a changed text is noticed. */
export function signatureOf(reasoning: string): string {
  return `pawl-signature-${createHash("sha256").update(reasoning).digest("base64url")}`
}

/** Is this signature one of this server for another text? Signatures that a script gave say nothing about their text. */
export function isForeignTo(reasoning: string, signature: string): boolean {
  return ownForm.test(signature) && signature !== signatureOf(reasoning)
}
