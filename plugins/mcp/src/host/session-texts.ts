import type { SessionID } from "@pawl/core/tool"

/** A text that stays the same for a session: what stands in its system prompt is part of the prefix that providers cache. */
export interface SessionTexts {
  of(sessionID: SessionID): Promise<string>
}

/** Sessions that are remembered. */
const MOST = 500

export function createSessionTexts(read: () => Promise<string>): SessionTexts {
  const texts = new Map<SessionID, string>()
  return {
    async of(sessionID) {
      const text = texts.get(sessionID) ?? (await read())
      texts.delete(sessionID)
      texts.set(sessionID, text)
      const oldest = texts.keys().next().value
      if (texts.size > MOST && oldest !== undefined) texts.delete(oldest)
      return text
    },
  }
}
