import type { MessageWithParts } from "./message.ts"

/** Whether a person began a turn with it: neither a compaction's marker nor a message that the engine wrote. */
export function isUserTurn({ info, parts }: MessageWithParts): boolean {
  if (info.role !== "user" || parts.some((part) => part.type === "compaction")) return false
  return parts.some((part) => part.type !== "text" || (!part.synthetic && !part.ignored))
}
