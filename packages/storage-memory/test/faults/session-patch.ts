import type { Session, SessionChanges, Write } from "@pawl/core/storage"
import { memoryStorage } from "../../src/memory-storage.ts"
import { changingValues, committing, type Fault, replacing } from "../fault.ts"

type TimeChanges = NonNullable<SessionChanges["time"]>

function deepMerge(into: unknown, from: unknown): unknown {
  if (typeof into !== "object" || typeof from !== "object" || into === null || from === null) return from
  const target = { ...into } as Record<string, unknown>
  for (const [name, value] of Object.entries(from)) target[name] = deepMerge(target[name], value)
  return target
}

const takingLater = replacing((storage) => ({
  commit: async (id, writes, lease) => {
    await Promise.resolve()
    return storage.commit(id, writes, lease)
  },
}))

/** Commits patches with another `time`, made of theirs; `isLast` where no later write of the commit has one. */
function changingTime(change: (time: TimeChanges, isLast: boolean) => TimeChanges | undefined): Fault["open"] {
  return committing((writes) => {
    const last = writes.findLastIndex((write) => write.type === "session.patch" && write.changes.time)
    return writes.map((write, index): Write => {
      if (write.type !== "session.patch" || !write.changes.time) return write
      const { time, ...others } = write.changes
      const changed = change(time, index === last)
      return { type: "session.patch", changes: { ...others, ...(changed && { time: changed }) } }
    })
  })
}

export const sessionPatch: readonly Fault[] = [
  {
    fault: "takes undefined for an absent change",
    breaks: ["removes a field that is set to undefined"],
    open: changingValues((value) => value),
  },
  {
    fault: "keeps a removed field as null",
    breaks: ["removes a field that is set to undefined", "does nothing to removed fields that are not there"],
    open: committing((writes) => {
      return writes.map((write): Write => {
        if (write.type !== "session.patch") return write
        const changes = Object.entries(write.changes).map(([name, value]) => [name, value ?? null])
        return { type: "session.patch", changes: Object.fromEntries(changes) as object }
      })
    }),
  },
  {
    fault: "replaces time whole",
    breaks: ["changes the named fields of time and leaves its others"],
    open: changingTime((time) => ({ created: undefined, archived: undefined, compacting: undefined, ...time })),
  },
  {
    fault: "keeps what of time is removed",
    breaks: ["removes a field of time that is set to undefined"],
    open: changingTime((time) => JSON.parse(JSON.stringify(time)) as TimeChanges),
  },
  {
    fault: "takes of several changes of time the last alone",
    breaks: ["joins what several changes of one commit do to time"],
    open: changingTime((time, isLast) => (isLast ? time : undefined)),
  },
  {
    fault: "takes the changes a moment later",
    breaks: ["keeps the changes as they were given when the caller changes them afterwards"],
    open: takingLater,
  },
  {
    fault: "merges a changed field into the one before",
    breaks: ["replaces a field whole, without merging into it"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const before = await storage.getSession(id)
        const merged = writes.map((write): Write => {
          if (write.type !== "session.patch" || !before) return write
          const changes = Object.entries(write.changes).map(([name, value]) => {
            return [name, deepMerge(before[name as keyof Session], value)] as const
          })
          return { type: "session.patch", changes: Object.fromEntries(changes) }
        })
        return storage.commit(id, merged, lease)
      },
    })),
  },
  {
    fault: "forgets the fields that a change does not name",
    breaks: ["sets the named fields and leaves the others", "is reported as the whole session"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const replaced = writes.map((write): Write => {
          if (write.type !== "session.patch") return write
          return { type: "session.patch", changes: { agent: undefined, metadata: undefined, ...write.changes } }
        })
        return storage.commit(id, replaced, lease)
      },
    })),
  },
  {
    fault: "lists sessions by what they were first",
    breaks: ["changes what lists find"],
    open: replacing((storage) => {
      const first = memoryStorage()
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          if (revision === 1) await first.commit(id, writes)
          return revision
        },
        listSessions: (query) => first.listSessions(query),
      }
    }),
  },
  {
    fault: "changes what was stored before the commit",
    breaks: ["builds on the writes before it in the same commit"],
    open: committing((writes) => writes.filter((write, index) => write.type !== "session.patch" || index < 2)),
  },
]
