import { hash } from "node:crypto"

/** A short name for a text: the same for the same text, and for no other. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16)
}
