import type { SessionID } from "@pawl/core/storage"
import type { Attempt } from "./attempt.ts"
import type { Subjects } from "./observe.ts"

/** Returns the sessions and blobs that occur in the attempts. */
export function subjectsOf(attempts: readonly Attempt[]): Subjects {
  const sessions = new Set<SessionID>()
  const blobs = new Set<string>()
  for (const { operation } of attempts) {
    if (operation.type === "blob") blobs.add(operation.id)
    else sessions.add(operation.sessionID)
  }
  return { sessions, blobs }
}
