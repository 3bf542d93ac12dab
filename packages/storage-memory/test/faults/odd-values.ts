import type { SessionID, Write } from "@pawl/core/storage"
import { changingValues, collect, committing, type Fault, replacing } from "../fault.ts"

const ids = new Set(["id", "messageID", "sessionID"])

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0
}

export const oddValues: readonly Fault[] = [
  {
    fault: "replaces lone surrogates in names",
    breaks: ["keeps lone surrogates and control characters in names of fields"],
    open: committing((writes) => {
      return JSON.parse(JSON.stringify(writes).replaceAll(/\\ud[89a-f]../g, "\uFFFD")) as Write[]
    }),
  },
  {
    fault: "takes what looks like a number or a word of JSON for one",
    breaks: ["keeps texts that look like other values"],
    open: changingValues((value) => {
      return typeof value === "string" && /^(null|true|\d+)$/.test(value) ? (JSON.parse(value) as unknown) : value
    }),
  },
  {
    fault: "drops empty lists and objects",
    breaks: ["keeps nested and empty values in each place"],
    open: changingValues((value) => (isEmpty(value) ? undefined : value)),
  },
  {
    fault: "keeps 1000 values of a list",
    breaks: ["keeps long lists and objects with many fields"],
    open: changingValues((value) => (Array.isArray(value) ? value.slice(0, 1000) : value)),
  },
  {
    fault: "keeps 1 MB of a string",
    breaks: ["keeps a part of 2 MB"],
    open: changingValues((value) => (typeof value === "string" ? value.slice(0, 1_048_576) : value)),
  },
  {
    fault: "ignores case in the ids of messages and parts",
    breaks: ["knows ids apart by case and by what follows"],
    open: changingValues((value, name) => {
      return ids.has(name) && typeof value === "string" && !value.startsWith("ses_") ? value.toLowerCase() : value
    }),
  },
  {
    fault: "ignores case in the ids of sessions",
    breaks: ["knows sessions apart by the case of their ids"],
    open: replacing((storage) => {
      const lower = (id: SessionID) => id.toLowerCase() as SessionID
      return {
        commit: async (id, writes, lease) => {
          const lowered = writes.map((write) => JSON.parse(JSON.stringify(write).replaceAll(id, lower(id))) as Write)
          return storage.commit(lower(id), lowered, lease)
        },
        removeSession: async (id) => storage.removeSession(lower(id)),
        readContext: async (id) => storage.readContext(lower(id)),
      }
    }),
  },
  {
    fault: "removes messages and parts by their ids, of whatever session",
    breaks: ["keeps the messages of sessions apart that have the same id"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const removals = writes.filter(({ type }) => type.endsWith(".remove"))
        if (removals.length > 0) {
          for (const { id: other } of await collect(storage.listSessions())) {
            if (other !== id) await storage.commit(other, removals)
          }
        }
        return storage.commit(id, writes, lease)
      },
    })),
  },
  {
    fault: "keeps 32 characters of an id",
    breaks: ["keeps ids of 64 characters"],
    open: changingValues((value, name) => {
      return name !== "sessionID" && ids.has(name) && String(value).startsWith("prt_")
        ? String(value).slice(0, 32)
        : value
    }),
  },
]
