import type { MessageWithParts, SessionID, MaintainedStorage, StorageProblem } from "@pawl/core/storage"
import type { StoredRecord } from "@pawl/storage-testkit"

/** A storage in memory of which records can be damaged, and what is then left to read. */
export interface DamagedMemory {
  readonly storage: MaintainedStorage
  readonly damage: (record: StoredRecord) => void
}

export function damagedMemory(intact: MaintainedStorage): DamagedMemory {
  const damaged = new Map<string, StoredRecord>()

  function problemsOf(id?: SessionID): StorageProblem[] {
    return [...damaged]
      .filter(([, { sessionID }]) => id === undefined || sessionID === id)
      .map(([subject]) => ({ kind: "damaged", subject, message: `${subject} cannot be read.` }))
  }
  function readable(messages: readonly MessageWithParts[]): MessageWithParts[] {
    return messages
      .filter(({ info }) => !damaged.has(info.id))
      .map((message) => ({ ...message, parts: message.parts.filter(({ id }) => !damaged.has(id)) }))
  }

  return {
    damage: (record) => void damaged.set(record.partID ?? record.messageID ?? record.sessionID, record),
    storage: {
      ...intact,
      async *listSessions(query) {
        for await (const session of intact.listSessions(query)) if (!damaged.has(session.id)) yield session
      },
      async readContext(id) {
        const context = await intact.readContext(id)
        const problems = problemsOf(id)
        return {
          ...context,
          messages: readable(context.messages),
          ...(problems.length > 0 && { damaged: problems }),
        }
      },
      async *readMessages(id, query) {
        for await (const message of intact.readMessages(id, query)) yield* readable([message])
      },
      async *verify(work) {
        yield* problemsOf()
        yield* intact.verify(work)
      },
      async rebuild(work) {
        await intact.rebuild(work)
        for (const { sessionID, messageID, partID } of damaged.values()) {
          if (messageID === undefined) await intact.removeSession(sessionID)
          else if (partID === undefined) await intact.commit(sessionID, [{ type: "message.remove", messageID }])
          else await intact.commit(sessionID, [{ type: "part.remove", messageID, partID }])
        }
        damaged.clear()
      },
    },
  }
}
