import type { MessageID, MessageWithParts, SessionID, Storage } from "@pawl/core/storage"

export interface FollowOptions {
  /** Number of newest messages to begin with. */
  readonly limit: number
  /** Ends the generator. */
  readonly signal: AbortSignal
}

/**
 * Yields the newest complete messages of a session, oldest first, then each message when it is complete, whichever process
 * writes it. A message is complete when it does not wait to be delivered and all its calls have ended. Ends when the signal
 * aborts or the session is removed.
 */
export async function* followedMessages(
  storage: Pick<Storage, "readMessages" | "watch" | "getSession">,
  sessionID: SessionID,
  { limit, signal }: FollowOptions,
): AsyncGenerator<MessageWithParts> {
  const commits = storage.watch({ sessionID }, signal)[Symbol.asyncIterator]()
  let last: MessageID | undefined
  // A watched storage does not keep the process alive.
  const keepAlive = setInterval(() => undefined, 60_000)
  try {
    for (;;) {
      // Asked for before the messages are read, so that no commit is missed.
      const commit = commits.next()
      commit.catch(() => undefined)
      for (const message of await messagesAfter(storage, sessionID, last, limit)) {
        if (signal.aborted) return
        if (!isComplete(message)) break
        last = message.info.id
        yield message
      }
      if ((await commit).done === true || !(await storage.getSession(sessionID))) return
    }
  } finally {
    clearInterval(keepAlive)
    await commits.return?.()
  }
}

/** Returns the messages after one, oldest first. Without one, the newest messages. */
async function messagesAfter(
  storage: Pick<Storage, "readMessages">,
  sessionID: SessionID,
  last: MessageID | undefined,
  limit: number,
): Promise<MessageWithParts[]> {
  const found: MessageWithParts[] = []
  for await (const message of storage.readMessages(sessionID, last === undefined ? { limit } : {})) {
    if (last !== undefined && message.info.id <= last) break
    // Waiting prompts have ids ahead of all messages.
    if (!isWaiting(message)) found.push(message)
  }
  return found.toReversed()
}

function isComplete({ info, parts }: MessageWithParts): boolean {
  if (info.role === "user") return true
  if (info.time.completed === undefined) return false
  return parts.every(
    (part) => part.type !== "tool" || part.state.status === "completed" || part.state.status === "error",
  )
}

function isWaiting({ info }: MessageWithParts): boolean {
  return info.role === "user" && info.delivery?.state === "waiting"
}
