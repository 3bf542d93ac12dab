import type { EngineEvent } from "@pawl/core"

/** Tracks by the events which messages are summaries of compactions. */
export interface Summaries {
  follow(event: EngineEvent): void
  has(messageID: string): boolean
}

export function createSummaries(): Summaries {
  const ids = new Set<string>()
  return {
    follow(event) {
      if (event.type !== "message.updated") return
      const { info } = event.properties
      if (info.role === "assistant" && info.summary) ids.add(info.id)
    },
    has: (messageID) => ids.has(messageID),
  }
}
