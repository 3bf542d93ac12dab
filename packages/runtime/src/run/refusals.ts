import type { EngineEvent } from "@pawl/core"
import type { StoredError } from "@pawl/core/record"

/** Tracks calls of subagents that were refused because no user could be asked. */
export interface Refusals {
  follow(event: EngineEvent): void
  first(): StoredError | undefined
}

export function createRefusals(): Refusals {
  /** Sessions in which the user has declined a call. */
  const refusedByPeople = new Set<string>()
  let first: StoredError | undefined
  return {
    follow(event) {
      if (event.type === "message.part.updated") {
        const { part } = event.properties
        const answer = part.type === "question" ? part.answer : undefined
        if (answer?.type === "permission" && answer.reply === "reject") refusedByPeople.add(part.sessionID)
      }
      if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return
      const { error, sessionID } = event.properties.info
      if (error?.name !== "PermissionDeniedError" || refusedByPeople.has(sessionID)) return
      first ??= error as StoredError
    },
    first: () => first,
  }
}
