import type { EventBus } from "../events.ts"
import type { SessionID } from "../ids.ts"
import type { LeaseToken, Storage, Write } from "../storage/storage.ts"

export interface JournalDeps {
  readonly storage: Storage
  readonly bus: EventBus
  readonly now: () => number
}

/** A run's only way to write. Commits are made one after another, in the order asked for. */
export interface Journal {
  /**
   * Resolves once durable; then the events of the writes have been published. Writes asked for while a commit is under
   * way share the next one. After a failure every later write is refused with the same error.
   */
  commit(writes: readonly Write[]): Promise<void>
  /** A commit that nobody waits for: a failure shows at the next `commit`. */
  save(write: Write): void
  /** Resolves when everything asked for has ended, well or not. */
  settled(): Promise<void>
}

export function createJournal(deps: JournalDeps, sessionID: SessionID, lease: LeaseToken): Journal {
  let batch: { writes: Write[]; done: Promise<void> } | undefined
  let last: Promise<void> = Promise.resolve()
  const settled = () => last.catch(() => undefined)
  function commit(writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return last
    if (batch) {
      batch.writes.push(...writes)
      return batch.done
    }
    const collected = [...writes]
    const done = last.then(async () => {
      batch = undefined
      await deps.storage.commit(sessionID, collected, lease)
      await publishWrites(deps, sessionID, collected)
    })
    batch = { writes: collected, done }
    last = done
    return done
  }
  return {
    commit,
    save(write) {
      void commit([write])
      void settled()
    },
    settled,
  }
}

/** The events that follow a commit of these writes. */
export async function publishWrites(deps: JournalDeps, sessionID: SessionID, writes: readonly Write[]): Promise<void> {
  for (const write of writes) {
    switch (write.type) {
      case "session.put":
        deps.bus.publish("session.updated", { sessionID, info: write.session })
        break
      case "session.patch": {
        const info = await deps.storage.getSession(sessionID)
        if (info) deps.bus.publish("session.updated", { sessionID, info })
        break
      }
      case "message.put":
        deps.bus.publish("message.updated", { sessionID, info: write.message })
        break
      case "part.put":
        deps.bus.publish("message.part.updated", { sessionID, part: write.part, time: deps.now() })
        break
      case "message.remove":
        deps.bus.publish("message.removed", { sessionID, messageID: write.messageID })
        break
      case "part.remove":
        deps.bus.publish("message.part.removed", { sessionID, messageID: write.messageID, partID: write.partID })
        break
    }
  }
}
