import type { HookInput, HookOutput } from "@pawl/core/plugin"
import type { KeepRule } from "./options.ts"

type Messages = HookOutput<"chat.messages.transform">["messages"]
type SessionID = HookInput<"chat.messages.transform">["sessionID"]

/** Which messages and texts of each session stay word for word. */
export interface KeptMessages {
  /** Takes the place of what was seen of the session before. */
  look(sessionID: SessionID, messages: Messages): void
  /** Ids of messages and parts in these messages, the newest at most. */
  among(sessionID: SessionID, messageIDs: readonly string[]): string[]
}

/** What stays costs room in every request that follows. */
const MOST = 20
/** Characters of a text that are looked at: a careless expression takes time with the length of what it searches. */
const LOOKED_AT = 10_000

interface Found {
  readonly messageID: string
  /** Of the message or of a part. */
  readonly id: string
}

export function createKeptMessages(rules: readonly KeepRule[]): KeptMessages {
  const searches = rules.map((rule) => ({ ...rule, expression: new RegExp(rule.pattern, "mu") }))
  const found = new Map<SessionID, readonly Found[]>()

  function find({ info, parts }: Messages[number]): Found[] {
    const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic && !part.ignored ? [part] : []))
    const own = searches.filter(({ from }) => from === "any" || from === info.role)
    const ids = texts.flatMap(({ id, text }) => {
      const matching = own.filter(({ expression }) => expression.test(text.slice(0, LOOKED_AT)))
      return matching.map(({ scope }) => (scope === "message" ? info.id : id))
    })
    return [...new Set<string>(ids)].map((id) => ({ messageID: info.id, id }))
  }

  return {
    look(sessionID, messages) {
      const matching = messages.flatMap((message) => find(message))
      if (matching.length > 0) found.set(sessionID, matching)
      else found.delete(sessionID)
    },
    among(sessionID, messageIDs) {
      const matching = found.get(sessionID) ?? []
      return matching
        .filter(({ messageID }) => messageIDs.includes(messageID))
        .slice(-MOST)
        .map(({ id }) => id)
    },
  }
}
