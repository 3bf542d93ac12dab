import { createHash } from "node:crypto"

/** A short name for a text: the same for the same text, and for no other. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16)
}
