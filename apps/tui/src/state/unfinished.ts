import type { MessageWithParts } from "@pawl/core"

/** Returns true if the last turn did not end, such as after a crash. `messages`: oldest first. */
export function isUnfinished(messages: readonly MessageWithParts[]): boolean {
  const newest = messages.findLast(({ info }) => info.role !== "user" || info.delivery?.state !== "waiting")
  if (!newest) return false
  const { info } = newest
  if (info.role === "user") return true
  return info.error === undefined && (info.time.completed === undefined || info.finish === "tool-calls")
}
