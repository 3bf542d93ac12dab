import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { isUnfinishedFork } from "../record/fork-marker.ts"
import type { AssistantMessage, Message, MessageWithParts, Session, UsagePart } from "../record/message.ts"
import { addSpent, allTokens, counted, nothingSpent, type Spent } from "../record/spent.ts"

/** Returns the usage of a message, counted once however often it was copied. */
export function spentFor({ info, parts }: MessageWithParts): Spent {
  if (info.role === "assistant") return spentOf(info)
  return parts.reduce((sum, part) => (part.type === "usage" ? addSpent(sum, spentIn(part)) : sum), nothingSpent)
}

export function spentOf({ tokens, cost, requests, estimated, copyOf }: AssistantMessage): Spent {
  if (copyOf !== undefined) return nothingSpent
  const requestCount = requests ?? (allTokens(tokens) > 0 ? 1 : 0)
  return counted({ requests: requestCount, tokens, cost, ...(estimated ? { estimated } : {}) })
}

export function spentIn({ requests, tokens, cost, estimated }: UsagePart): Spent {
  return counted({ requests, tokens, cost, ...(estimated ? { estimated } : {}) })
}

/** Returns the milliseconds of work on a message of the topmost session. Work of sessions below falls within these. */
export function timeOf(info: Message, { parentID }: Pick<Session, "parentID">): number {
  if (parentID !== undefined || info.role === "user" || info.copyOf !== undefined) return 0
  return Math.max(0, (info.time.completed ?? info.time.created) - info.time.created)
}

/** Returns the usage of a session and all sessions below, and the milliseconds of work. */
export async function spentInTree(
  storage: Pick<Storage, "getSession" | "listSessions" | "readMessages">,
  root: SessionID,
): Promise<Spent & { readonly time: number }> {
  let spent = nothingSpent
  let time = 0
  const session = await storage.getSession(root)
  const open = session ? [session] : []
  for (let at = open.pop(); at; at = open.pop()) {
    for await (const message of storage.readMessages(at.id)) {
      spent = addSpent(spent, spentFor(message))
      time += timeOf(message.info, at)
    }
    for await (const child of storage.listSessions({ parentID: at.id })) if (!isUnfinishedFork(child)) open.push(child)
  }
  return { ...spent, time }
}
