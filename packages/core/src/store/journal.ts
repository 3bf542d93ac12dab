import { NotFoundError, toStoredError } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Part, Session } from "../record/message.ts"
import { writtenTodos } from "../record/todos.ts"
import { isStoredAgain } from "../record/tool-calls.ts"
import type { LeaseToken, Revision, Storage, Write } from "../contracts/storage.ts"

export interface JournalDeps {
  readonly storage: Pick<Storage, "commit" | "getSession">
  readonly bus: EventBus
  readonly now: () => number
}

/** A run's only way to write. Makes commits one after another, in the order of the calls. */
export interface Journal {
  /**
   * Resolves once the writes are durable and their events are published. Writes that arrive during a commit share the
   * next one. After a failure, every later write is refused with the same error.
   */
  commit(writes: readonly Write[]): Promise<void>
  /**
   * Like `commit`, for writes whose message another process may remove. Resolves with false, and writes nothing, if the
   * message of a part no longer exists.
   */
  attempt(writes: readonly Write[]): Promise<boolean>
  /** Keeps the writes for the next commit, which writes them first. For writes that need not be durable yet. */
  stage(writes: readonly Write[]): void
  /** The staged writes. */
  readonly staged: readonly Write[]
  /** Writes that may not be in the storage yet: those of running commits, then the staged ones. */
  readonly unwritten: readonly Write[]
  /**
   * Stages the write, and commits it soon if no other commit does. Callers do not wait for that; a failure shows at the
   * next `commit`.
   */
  save(write: Write): void
  /** Commits the staged writes. Resolves when all earlier calls have ended, with or without an error. */
  settled(): Promise<void>
}

export function createJournal(deps: JournalDeps, sessionID: SessionID, lease: LeaseToken): Journal {
  let batch: { writes: Write[]; done: Promise<void> } | undefined
  let last: Promise<void> = Promise.resolve()
  let staged: Write[] = []
  let runningCommits: readonly (readonly Write[])[] = []
  function commit(writes: readonly Write[]): Promise<void> {
    const collected = [...staged, ...writes]
    staged = []
    if (collected.length === 0) return last
    if (batch) {
      batch.writes.push(...collected)
      return batch.done
    }
    runningCommits = [...runningCommits, collected]
    const done = last
      .finally(() => (batch = undefined))
      .then(() => deps.storage.commit(sessionID, collected, lease))
      .finally(() => (runningCommits = runningCommits.filter((writes) => writes !== collected)))
      .then((revision) => publishWrites(deps, sessionID, { writes: collected, revision }))
    batch = { writes: collected, done }
    last = done
    return done
  }
  async function attempt(writes: readonly Write[]): Promise<boolean> {
    await commit([])
    let isWritten = true
    batch = undefined
    last = last.then(async () => {
      let revision: Revision
      try {
        revision = await deps.storage.commit(sessionID, writes, lease)
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
        isWritten = false
        return
      }
      await publishWrites(deps, sessionID, { writes, revision })
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
      return runningCommits.length > 0 ? [...runningCommits.flat(), ...staged] : staged
    },
    save(write) {
      staged.push(write)
      setImmediate(() => void commit([]).catch(() => undefined))
    },
    settled: () => commit([]).catch(() => undefined),
  }
}

/** Writes that were committed together. */
export interface CommittedWrites {
  readonly writes: readonly Write[]
  readonly revision: Revision
}

/**
 * Publishes the events of committed writes, without other events in between. Never rejects: an event cannot undo a
 * durable write.
 */
export async function publishWrites(
  deps: JournalDeps,
  sessionID: SessionID,
  { writes, revision }: CommittedWrites,
): Promise<void> {
  // A patch holds only some fields, so the whole session is published.
  const patched = writes.some(({ type }) => type === "session.patch") ? await readSession(deps, sessionID) : undefined
  const published = writes.filter(({ type }) => type !== "session.patch" || patched)
  for (const [at, write] of published.entries()) {
    const commit = { revision, isWhole: at === published.length - 1 }
    switch (write.type) {
      case "session.put":
        deps.bus.publish("session.updated", { sessionID, info: write.session }, commit)
        break
      case "session.patch":
        if (patched) deps.bus.publish("session.updated", { sessionID, info: patched }, commit)
        break
      case "message.put":
        deps.bus.publish("message.updated", { sessionID, info: write.message }, commit)
        break
      case "part.put":
        deps.bus.publish("message.part.updated", { sessionID, part: write.part, time: deps.now() }, commit)
        break
      case "message.remove":
        deps.bus.publish("message.removed", { sessionID, messageID: write.messageID }, commit)
        break
      case "part.remove":
        deps.bus.publish(
          "message.part.removed",
          { sessionID, messageID: write.messageID, partID: write.partID },
          commit,
        )
        break
    }
  }
  for (const write of writes) if (write.type === "part.put") publishWork(deps, write.part)
}

/** Publishes changes of the list of tasks and of files by a call that has just ended. */
function publishWork({ bus }: JournalDeps, part: Part): void {
  if (part.type !== "tool" || part.state.status === "pending" || part.state.status === "running") return
  if (isStoredAgain(part)) return
  const { sessionID } = part
  const todos = writtenTodos(part)
  if (todos) bus.publish("todo.updated", { sessionID, todos })
  for (const { path } of part.changes ?? []) bus.publish("file.edited", { sessionID, file: path })
}

async function readSession({ storage, bus }: JournalDeps, sessionID: SessionID): Promise<Session | undefined> {
  try {
    return await storage.getSession(sessionID)
  } catch (error) {
    bus.publish("session.error", { sessionID, error: toStoredError(error) })
    return undefined
  }
}
