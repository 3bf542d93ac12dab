import { NotFoundError, toStoredError } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Part } from "../record/message.ts"
import { writtenTodos } from "../record/todos.ts"
import { isStoredAgain } from "../record/tool-calls.ts"
import type { LeaseToken, Storage, Write } from "../contracts/storage.ts"

export interface JournalDeps {
  readonly storage: Pick<Storage, "commit" | "getSession">
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
  /**
   * The same for writes that hang on a message that others may remove: false, and nothing written of these, where a part
   * finds its message gone.
   */
  attempt(writes: readonly Write[]): Promise<boolean>
  /** Leaves the writes for the next commit, which puts them first: for what is done before anything else has to wait. */
  stage(writes: readonly Write[]): void
  /** What is staged. */
  readonly staged: readonly Write[]
  /** What may not be in the storage yet: writes whose commit is under way, then those that are staged. */
  readonly unwritten: readonly Write[]
  /** Staged, and committed soon if nobody else commits: nobody waits for it, and a failure shows at the next `commit`. */
  save(write: Write): void
  /** Commits what is staged. Resolves when everything asked for has ended, well or not. */
  settled(): Promise<void>
}

export function createJournal(deps: JournalDeps, sessionID: SessionID, lease: LeaseToken): Journal {
  let batch: { writes: Write[]; done: Promise<void> } | undefined
  let last: Promise<void> = Promise.resolve()
  let staged: Write[] = []
  let underWay: readonly (readonly Write[])[] = []
  function commit(writes: readonly Write[]): Promise<void> {
    const collected = [...staged, ...writes]
    staged = []
    if (collected.length === 0) return last
    if (batch) {
      batch.writes.push(...collected)
      return batch.done
    }
    underWay = [...underWay, collected]
    const done = last
      .finally(() => (batch = undefined))
      .then(() => deps.storage.commit(sessionID, collected, lease))
      .finally(() => (underWay = underWay.filter((writes) => writes !== collected)))
      .then(() => publishWrites(deps, sessionID, collected))
    batch = { writes: collected, done }
    last = done
    return done
  }
  async function attempt(writes: readonly Write[]): Promise<boolean> {
    await commit([])
    let isWritten = true
    batch = undefined
    last = last.then(async () => {
      try {
        await deps.storage.commit(sessionID, writes, lease)
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
        isWritten = false
        return
      }
      await publishWrites(deps, sessionID, writes)
    })
    await last
    return isWritten
  }
  return {
    commit,
    attempt,
    stage: (writes) => void staged.push(...writes),
    get staged() {
      return staged
    },
    get unwritten() {
      return underWay.length > 0 ? [...underWay.flat(), ...staged] : staged
    },
    save(write) {
      staged.push(write)
      setImmediate(() => void commit([]).catch(() => undefined))
    },
    settled: () => commit([]).catch(() => undefined),
  }
}

/** The events that follow a commit of these writes. Never rejects: what is durable is not undone by an event. */
export async function publishWrites(deps: JournalDeps, sessionID: SessionID, writes: readonly Write[]): Promise<void> {
  for (const write of writes) {
    switch (write.type) {
      case "session.put":
        deps.bus.publish("session.updated", { sessionID, info: write.session })
        break
      case "session.patch": {
        await publishSession(deps, sessionID)
        break
      }
      case "message.put":
        deps.bus.publish("message.updated", { sessionID, info: write.message })
        break
      case "part.put":
        deps.bus.publish("message.part.updated", { sessionID, part: write.part, time: deps.now() })
        publishWork(deps, write.part)
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

/** What a call that has just ended did to the list of tasks and to files. */
function publishWork({ bus }: JournalDeps, part: Part): void {
  if (part.type !== "tool" || part.state.status === "pending" || part.state.status === "running") return
  if (isStoredAgain(part)) return
  const { sessionID } = part
  const todos = writtenTodos(part)
  if (todos) bus.publish("todo.updated", { sessionID, todos })
  for (const { path } of part.changes ?? []) bus.publish("file.edited", { sessionID, file: path })
}

/** A patch holds some fields, the event all of them. */
async function publishSession({ storage, bus }: JournalDeps, sessionID: SessionID): Promise<void> {
  try {
    const info = await storage.getSession(sessionID)
    if (info) bus.publish("session.updated", { sessionID, info })
  } catch (error) {
    bus.publish("session.error", { sessionID, error: toStoredError(error) })
  }
}
