import type { Session, SessionID, Write } from "@pawl/core/storage"
import { changingValues, committing, type Fault, replacing } from "../fault.ts"

/** Copies into plain objects, key by key, as a hand-made copy does. */
function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy)
  if (typeof value !== "object" || value === null) return value
  const copied: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) copied[name] = plainCopy(field)
  return copied
}

function cutBelow(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return null
  if (Array.isArray(value)) return value.map((element) => cutBelow(element, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutBelow(field, depth - 1)]))
}

const takingLater = replacing((storage) => ({
  commit: async (id, writes, lease) => {
    await Promise.resolve()
    return storage.commit(id, writes, lease)
  },
}))

export const roundTrip: readonly Fault[] = [
  {
    fault: "replaces lone surrogates",
    breaks: ["keeps lone surrogates", "keeps titles, directories and projects with odd characters apart"],
    open: changingValues((value) => (typeof value === "string" ? value.toWellFormed() : value)),
  },
  {
    fault: "cuts strings at NUL",
    breaks: [
      "keeps NUL and other control characters",
      "keeps titles, directories and projects with odd characters apart",
    ],
    open: changingValues((value) => (typeof value === "string" ? value.split("\0")[0] : value)),
  },
  {
    fault: "normalizes Unicode",
    breaks: ["keeps Unicode of every plane as it is"],
    open: changingValues((value) => (typeof value === "string" ? value.normalize("NFC") : value)),
  },
  {
    fault: "unescapes strings",
    breaks: ["keeps quotes, backslashes and what looks like markup or SQL"],
    open: changingValues((value) => (typeof value === "string" ? value.replaceAll('\\"', '"') : value)),
  },
  {
    fault: "keeps 15 digits of a number",
    breaks: ["keeps numbers to the last digit"],
    open: changingValues((value) => (typeof value === "number" ? Number(value.toPrecision(15)) : value)),
  },
  {
    fault: "drops empty values",
    breaks: ["keeps empty values"],
    open: changingValues((value) => (value === "" || value === null ? undefined : value)),
  },
  {
    fault: "keeps undefined as null",
    breaks: ["drops fields that are undefined"],
    open: committing((writes) => {
      const json = JSON.stringify(writes, (_, value: unknown) => value ?? null)
      return JSON.parse(json) as Write[]
    }),
  },
  {
    fault: "keeps 64 KB of a string",
    breaks: ["keeps a part of 1 MB", "keeps a session and a message of 1 MB"],
    open: changingValues((value) => (typeof value === "string" ? value.slice(0, 65_536) : value)),
  },
  {
    fault: "copies 100 levels deep",
    breaks: ["keeps deeply nested values"],
    open: committing((writes) => writes.map((write) => cutBelow(write, 100) as Write)),
  },
  {
    fault: "loses keys that objects inherit",
    breaks: ["keeps keys that mean something to JavaScript"],
    open: committing((writes) => writes.map((write) => plainCopy(write) as Write)),
  },
  {
    fault: "knows the fields of a session of long ago",
    breaks: ["returns a session with all its fields"],
    open: changingValues((value, name) => (name === "share" || name === "compacting" ? undefined : value)),
  },
  {
    fault: "knows the fields of a message of long ago",
    breaks: ["returns user and assistant messages with all their fields"],
    open: changingValues((value, name) => (name === "variant" || name === "responseHeaders" ? undefined : value)),
  },
  {
    fault: "knows the parts of long ago",
    breaks: ["returns parts of all twelve types and tools in all four states"],
    open: committing((writes) => writes.filter((write) => write.type !== "part.put" || write.part.type !== "subtask")),
  },
  {
    fault: "makes up a session that was never stored",
    breaks: ["knows no session that was never stored"],
    open: replacing((storage) => ({
      getSession: async (id) => (await storage.getSession(id)) ?? ({ id } as Session),
    })),
  },
  {
    fault: "takes what it stores a moment later",
    breaks: ["keeps what was committed when the caller changes it afterwards"],
    open: takingLater,
  },
  {
    fault: "hands out its own objects",
    breaks: ["keeps what was committed when a reader changes what it got"],
    open: replacing((storage) => {
      const known = new Map<SessionID, Session | undefined>()
      return {
        getSession: async (id) => {
          if (!known.has(id)) known.set(id, await storage.getSession(id))
          return known.get(id)
        },
      }
    }),
  },
]
