import type { MessageWithParts } from "./message.ts"

/** Returns whether a user's own message began a turn: not a compaction's marker, and not a message of the engine. */
export function isUserTurn({ info, parts }: MessageWithParts): boolean {
  if (info.role !== "user" || parts.some((part) => part.type === "compaction")) return false
  return parts.some((part) => part.type !== "text" || (!part.synthetic && !part.ignored))
}
