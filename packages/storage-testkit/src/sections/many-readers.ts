import type { Context, MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { foldChanges } from "../fold-changes.ts"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { search } from "../searching.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart, putSession } from "../writes.ts"

const session = sessionID(1)
const COMMITS = 20
const READERS = 8

/** Makes the commit with revision `number`: sets the title to the number and adds a message with two parts. */
async function commit(storage: MaintainedStorage, number: number): Promise<void> {
  const message = messageID(number)
  const revision = await storage.commit(session, [
    putSession(sampleSession(session, { title: String(number) })),
    putMessage(sampleUserMessage(session, message)),
    putPart(sampleText(session, message, partID(2 * number), { text: "needle" })),
    putPart(sampleText(session, message, partID(2 * number + 1))),
  ])
  expect(revision).toBe(number)
}

/** Commits while each reader reads repeatedly, and once more after the last commit. */
async function readMeanwhile<T>(storage: MaintainedStorage, read: (reader: number) => Promise<T>): Promise<T[][]> {
  await commit(storage, 1)
  const writer = { isWriting: true }
  const readOn = async (reader: number) => {
    const seen: T[] = []
    while (writer.isWriting) {
      seen.push(await read(reader))
      await new Promise(setImmediate)
    }
    return [...seen, await read(reader)]
  }
  const write = async () => {
    try {
      for (let number = 2; number <= COMMITS; number++) {
        await commit(storage, number)
        await new Promise(setImmediate)
      }
    } finally {
      writer.isWriting = false
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, (_, reader) => readOn(reader)))
  const [seen] = await Promise.all([readers, write()])
  return seen
}

function expectRising(numbers: readonly number[]): void {
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers.at(-1)).toBe(COMMITS)
}

export const manyReaders = section("many readers", {
  "shows whole commits to each of them": async ({ storage }) => {
    for (const seen of await readMeanwhile(storage, () => storage.readContext(session))) {
      for (const { session: info, revision, messages } of seen) {
        expect(info.title).toBe(String(revision))
        expect(messages.map(({ parts }) => parts.length)).toEqual(Array.from({ length: revision }, () => 2))
      }
      expectRising(seen.map(({ revision }) => revision))
    }
  },
  "shows no reader an older session after a newer one": async ({ storage }) => {
    const title = async (reader: number) => {
      const found = reader % 2 ? await storage.getSession(session) : (await collect(storage.listSessions()))[0]
      return Number(found?.title)
    }
    for (const titles of await readMeanwhile(storage, title)) expectRising(titles)
  },
  "shows no page with half a message": async ({ storage }) => {
    const page = () => collect(storage.readMessages(session, { limit: 5 }))
    for (const pages of await readMeanwhile(storage, page)) {
      for (const messages of pages) expect(messages.map(({ parts }) => parts.length)).toEqual(messages.map(() => 2))
      expectRising(pages.map(([newest]) => Number(newest?.info.id.slice(4))))
    }
  },
  "brings each that follows the changes to the same end": async ({ storage }) => {
    const contexts = new Map<number, Context>()
    const follow = async (reader: number) => {
      const context = contexts.get(reader) ?? (await storage.readContext(session))
      const next = foldChanges(context, await storage.readChanges(session, context.revision))
      contexts.set(reader, next)
      return next
    }
    const ends = (await readMeanwhile(storage, follow)).map((seen) => seen.at(-1))
    const end = await storage.readContext(session)
    expect(end.revision).toBe(COMMITS)
    expect(ends).toEqual(ends.map(() => end))
  },
  "finds for each what was committed before it searched": async ({ storage }) => {
    const find = async () => {
      const { revision } = await storage.readContext(session)
      return { revision, found: (await search(storage, "needle")).length }
    }
    for (const seen of await readMeanwhile(storage, find)) {
      for (const { revision, found } of seen) expect(found).toBeGreaterThanOrEqual(revision)
      expectRising(seen.map(({ found }) => found))
    }
  },
})
