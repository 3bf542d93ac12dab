import type { HookInput, HookOutput } from "@pawl/core/plugin"
import type { KeepRule } from "./options.ts"

type Messages = HookOutput<"chat.messages.transform">["messages"]
type SessionID = HookInput<"chat.messages.transform">["sessionID"]

/** Finds the messages and texts of each session that stay unchanged. */
export interface KeptMessages {
  /** Replaces what was found in the session before. */
  update(sessionID: SessionID, messages: Messages): void
  /** Returns ids of kept messages and parts among these messages, limited to the newest. */
  among(sessionID: SessionID, messageIDs: readonly string[]): string[]
}

/** Kept messages take space in every following request. */
const MAX_KEPT = 20
/** Maximum number of characters of a text that are searched, because a slow expression takes time with the length. */
const MAX_SEARCHED_LENGTH = 10_000

interface Found {
  readonly messageID: string
  /** Id of the message or of a part. */
  readonly id: string
}

export function createKeptMessages(rules: readonly KeepRule[]): KeptMessages {
  const searches = rules.map((rule) => ({ ...rule, expression: new RegExp(rule.pattern, "mu") }))
  const found = new Map<SessionID, readonly Found[]>()

  function find({ info, parts }: Messages[number]): Found[] {
    const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic && !part.ignored ? [part] : []))
    const own = searches.filter(({ from }) => from === "any" || from === info.role)
    const ids = texts.flatMap(({ id, text }) => {
      const matching = own.filter(({ expression }) => expression.test(text.slice(0, MAX_SEARCHED_LENGTH)))
      return matching.map(({ scope }) => (scope === "message" ? info.id : id))
    })
    return [...new Set<string>(ids)].map((id) => ({ messageID: info.id, id }))
  }

  return {
    update(sessionID, messages) {
      const matching = messages.flatMap((message) => find(message))
      if (matching.length > 0) found.set(sessionID, matching)
      else found.delete(sessionID)
    },
    among(sessionID, messageIDs) {
      const matching = found.get(sessionID) ?? []
      return matching
        .filter(({ messageID }) => messageIDs.includes(messageID))
        .slice(-MAX_KEPT)
        .map(({ id }) => id)
    },
  }
}
