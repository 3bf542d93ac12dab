import type { Change } from "@pawl/core/storage"
import { committing, type Fault, replacing } from "../fault.ts"

export const changes: readonly Fault[] = [
  {
    fault: "says nothing of removals",
    breaks: ["reports a removed part", "brings a reader from any revision to the present"],
    open: replacing((storage) => ({
      readChanges: async (id, after) => {
        const changes = await storage.readChanges(id, after)
        return changes.filter(({ type }) => type !== "part.remove" && type !== "message.remove")
      },
    })),
  },
  {
    fault: "reads everything whatever the revision",
    breaks: ["reads only what came after", "reads nothing after the last revision or beyond it"],
    open: replacing((storage) => ({ readChanges: async (id) => storage.readChanges(id, 0) })),
  },
  {
    fault: "reads the newest first",
    breaks: ["is in order of revision, and as written within one", "reads everything after revision 0"],
    open: replacing((storage) => ({
      readChanges: async (id, after) => (await storage.readChanges(id, after)).toReversed(),
    })),
  },
  {
    fault: "puts a record where it was written first in a commit",
    breaks: ["puts a record written twice in a commit where it was written last"],
    open: committing((writes) => {
      const last = new Map(writes.map((write) => [write.type === "part.put" ? write.part.id : write, write]))
      return [...last.values()]
    }),
  },
  {
    fault: "tells of every write to a record",
    breaks: ["has each record once, with its last state and revision"],
    open: replacing((storage) => {
      const log: Change[] = []
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          log.push(...(await storage.readChanges(id, revision - 1)))
          return revision
        },
        readChanges: async (_, after) => log.filter(({ revision }) => revision > after),
      }
    }),
  },
  {
    fault: "forgets the parts that went with their message",
    breaks: [
      "reports a removed message and each part removed with it",
      "still reports the parts of a message that was removed and put again",
    ],
    open: replacing((storage) => ({
      readChanges: async (id, after) => {
        const changes = await storage.readChanges(id, after)
        const { messages } = await storage.readContext(id)
        const live = new Set(messages.map(({ info, parts }) => (parts.length > 0 ? info.id : undefined)))
        return changes.filter((change) => change.type !== "part.remove" || live.has(change.messageID))
      },
    })),
  },
  {
    fault: "tells of a removal again with each later one",
    breaks: ["reports a removal once, however late it is read"],
    open: replacing((storage) => ({
      readChanges: async (id, after) => {
        const changes = await storage.readChanges(id, after)
        const last = changes.at(-1)
        return changes.map((change) =>
          change.type === "part.remove" && last ? { ...change, revision: last.revision } : change,
        )
      },
    })),
  },
  {
    fault: "keeps the removal of a record that was put again",
    breaks: ["has a record that was removed and put again as put"],
    open: replacing((storage) => {
      const removals: Change[] = []
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          const changes = await storage.readChanges(id, revision - 1)
          removals.push(...changes.filter(({ type }) => type === "part.remove"))
          return revision
        },
        readChanges: async (id, after) => {
          const puts = (await storage.readChanges(id, after)).filter(({ type }) => type !== "part.remove")
          return [...removals.filter(({ revision }) => revision > after), ...puts]
        },
      }
    }),
  },
  {
    fault: "has no changes where there is no session",
    breaks: ["refuses a session that does not exist"],
    open: replacing((storage) => ({
      readChanges: async (id, after) => ((await storage.getSession(id)) ? storage.readChanges(id, after) : []),
    })),
  },
]
