import { createHash } from "node:crypto"

/** A content's hash as results tell it. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`
}
