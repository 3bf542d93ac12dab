import type { SessionID } from "@pawl/core/tool"

/** Keeps a text unchanged for a session, because it is a part of the prompt prefix that providers cache. */
export interface SessionTexts {
  of(sessionID: SessionID): Promise<string>
}

/** Maximum number of remembered sessions. */
const MAX_SESSIONS = 500

export function createSessionTexts(read: () => Promise<string>): SessionTexts {
  const texts = new Map<SessionID, string>()
  return {
    async of(sessionID) {
      const text = texts.get(sessionID) ?? (await read())
      texts.delete(sessionID)
      texts.set(sessionID, text)
      const oldest = texts.keys().next().value
      if (texts.size > MAX_SESSIONS && oldest !== undefined) texts.delete(oldest)
      return text
    },
  }
}
