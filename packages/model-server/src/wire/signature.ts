import { createHash } from "node:crypto"

const ownForm = /^pawl-signature-/

/** Returns the default signature of reasoning text: a digest, so that a changed text is noticed. */
export function signatureOf(reasoning: string): string {
  return `pawl-signature-${createHash("sha256").update(reasoning).digest("base64url")}`
}

/**
 * Returns true if this is a default signature of this server, but for another text. A signature from a script can
 * belong to any text.
 */
export function isForeignTo(reasoning: string, signature: string): boolean {
  return ownForm.test(signature) && signature !== signatureOf(reasoning)
}
