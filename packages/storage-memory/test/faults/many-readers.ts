import type { Change, MessageWithParts, SearchHit, Session } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"

/** Answers every third call with what the first was answered. */
function fallingBack<T>(answer: () => Promise<T>): () => Promise<T> {
  let calls = 0
  let first: Promise<T> | undefined
  return () => {
    const answered = answer()
    first ??= answered
    return ++calls % 3 === 0 ? first : answered
  }
}

const writeByWrite = replacing((storage) => ({
  commit: async (id, writes, lease) => {
    let revision = 0
    for (const [index, write] of writes.entries()) {
      if (index > 0) await new Promise(setImmediate)
      revision = await storage.commit(id, [write], lease)
    }
    return revision
  },
}))

export const manyReaders: readonly Fault[] = [
  {
    fault: "shows each write of a commit",
    breaks: ["shows whole commits to each of them", "shows no page with half a message"],
    open: writeByWrite,
  },
  {
    fault: "shows messages before all their parts are written",
    breaks: ["shows no page with half a message"],
    open: replacing((storage) => {
      let writing = 0
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          writing++
          await new Promise(setImmediate)
          writing--
          return revision
        },
        readMessages: async function* (id, query) {
          for await (const message of storage.readMessages(id, query)) {
            const half: MessageWithParts = { ...message, parts: message.parts.slice(0, 1) }
            yield writing > 0 ? half : message
          }
        },
      }
    }),
  },
  {
    fault: "shows sessions that are out of date",
    breaks: ["shows no reader an older session after a newer one"],
    open: replacing((storage) => {
      const list = fallingBack(() => collect(storage.listSessions()))
      const read = fallingBack<Session | undefined>(async () => (await list())[0])
      return {
        getSession: read,
        listSessions: async function* () {
          yield* await list()
        },
      }
    }),
  },
  {
    fault: "shows contexts that are out of date",
    breaks: ["shows whole commits to each of them"],
    open: replacing((storage) => {
      return { readContext: fallingBack(() => storage.readContext("ses_000001")) }
    }),
  },
  {
    fault: "tells at most three changes at a time",
    breaks: ["brings each that follows the changes to the same end"],
    open: replacing((storage) => ({
      readChanges: async (id, after): Promise<readonly Change[]> => (await storage.readChanges(id, after)).slice(0, 3),
    })),
  },
  {
    fault: "finds what the search before had found",
    breaks: ["finds for each what was committed before it searched"],
    open: replacing((storage) => {
      let before: SearchHit[] = []
      return {
        search: async function* (query) {
          const hits = before
          before = await collect(storage.search(query))
          yield* hits
        },
      }
    }),
  },
]
