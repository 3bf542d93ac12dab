import { hash } from "node:crypto"

/** Returns a short name for a text: the same for equal texts, different for different ones. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 16)
}
