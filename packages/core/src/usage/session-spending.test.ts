import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { createIDSource, type SessionID } from "../base/ids.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { noTokens } from "../record/tokens.ts"
import { createSessionSpending } from "./session-spending.ts"

const ids = createIDSource(() => 1)
const time = { created: 1 }
const model = { providerID: "p", modelID: "m" }

function answer(
  sessionID: SessionID,
  cost: number,
  { id = ids.message(), copyOf = undefined as string | undefined } = {},
) {
  const info = {
    ...{ id, sessionID, role: "assistant", parentID: ids.message(), agent: "build", mode: "build", ...model, time },
    ...{ path: { cwd: "/", root: "/" }, cost, tokens: { ...noTokens, input: cost * 10 } },
    ...(copyOf === undefined ? {} : { copyOf }),
  }
  return { type: "message.put", message: info } as unknown as Write
}

function prompt(sessionID: SessionID, cost: number): Write[] {
  const id = ids.message()
  const usage = { id: ids.part(), sessionID, messageID: id, type: "usage", purpose: "title", agent: "title", ...model }
  return [
    { type: "message.put", message: { id, sessionID, role: "user", agent: "build", model, time } },
    { type: "part.put", part: { ...usage, requests: 1, cost, tokens: noTokens, time } as never },
  ]
}

async function session(storage: Storage, writes: (id: SessionID) => readonly Write[]): Promise<SessionID> {
  const id = ids.session()
  const info = { id, projectID: "p", directory: "/", title: "", version: "1", time: { created: 1, updated: 1 } }
  await storage.commit(id, [{ type: "session.put", session: info }, ...writes(id)])
  return id
}

/** A storage that counts which sessions' messages are read. */
function counted() {
  const storage = memoryStorage()
  const reads: SessionID[] = []
  const counting: typeof storage = {
    ...storage,
    readMessages(id, query) {
      reads.push(id)
      return storage.readMessages(id, query)
    },
  }
  return { storage: counting, reads }
}

it("adds the answers and the other requests of a session, and no copies", async () => {
  const { storage } = counted()
  const id = await session(storage, (own) => [
    ...prompt(own, 1),
    answer(own, 2),
    answer(own, 4),
    answer(own, 8, { copyOf: "ses_other" }),
  ])
  const other = await session(storage, (own) => [answer(own, 16)])
  const spent = await createSessionSpending({ storage }).of([id, other, "ses_unknown"])
  expect(
    [id, other, "ses_unknown" as const].map((each) => [spent.get(each)?.cost, spent.get(each)?.tokens.input]),
  ).toEqual([
    [7, 60],
    [16, 160],
    [0, 0],
  ])
})

it("reads a session again only after a commit", async () => {
  const { storage, reads } = counted()
  const messageID = ids.message()
  const [first, second] = [
    await session(storage, (own) => [answer(own, 1, { id: messageID })]),
    await session(storage, (own) => [answer(own, 2)]),
  ]
  const spending = createSessionSpending({ storage })
  const costs = async () => {
    const spent = await spending.of([first, second])
    return [first, second].map((id) => spent.get(id)?.cost)
  }
  expect(await costs()).toEqual([1, 2])
  expect(await costs()).toEqual([1, 2])
  expect(reads).toEqual([first, second])

  await storage.commit(first, [answer(first, 4)])
  expect(await costs()).toEqual([5, 2])
  expect(reads).toEqual([first, second, first])
  await storage.commit(first, [{ type: "message.remove", messageID }])
  expect(await costs()).toEqual([4, 2])
})

it("reads a session again if it changed while it was read", async () => {
  const storage = memoryStorage()
  const id = await session(storage, (own) => [answer(own, 1)])
  let during: (() => Promise<unknown>) | undefined = () => storage.commit(id, [answer(id, 2)])
  const changing: typeof storage = {
    ...storage,
    async *readMessages(...query) {
      for await (const message of storage.readMessages(...query)) {
        await during?.()
        during = undefined
        yield message
      }
    },
  }
  const spending = createSessionSpending({ storage: changing })
  await spending.of([id])
  expect((await spending.of([id])).get(id)?.cost).toBe(3)
})

it("reads a session once for callers that ask at the same time", async () => {
  const { storage, reads } = counted()
  const id = await session(storage, (own) => [answer(own, 1)])
  const spending = createSessionSpending({ storage })
  const both = await Promise.all([spending.of([id]), spending.of([id])])
  expect(both.map((spent) => spent.get(id)?.cost)).toEqual([1, 1])
  expect(reads).toEqual([id])
})

it("keeps the usage of no more sessions than its limit, those that were asked for last", async () => {
  const { storage, reads } = counted()
  const all: SessionID[] = []
  for (let n = 0; n < 3; n++) all.push(await session(storage, (own) => [answer(own, n)]))
  const [a, b, c] = all as [SessionID, SessionID, SessionID]
  const spending = createSessionSpending({ storage }, 2)
  await spending.of([a])
  await spending.of([b])
  await spending.of([a])
  await spending.of([c])
  reads.length = 0
  await spending.of([a])
  await spending.of([c])
  expect(reads).toEqual([])
  await spending.of([b])
  expect(reads).toEqual([b])
})

it("reads every time from a storage without revisions, and tries again after a failure", async () => {
  const { storage, reads } = counted()
  const id = await session(storage, (own) => [answer(own, 1)])
  const spending = createSessionSpending({ storage: { readMessages: (...query) => storage.readMessages(...query) } })
  await spending.of([id])
  await spending.of([id])
  expect(reads).toEqual([id, id])

  let isBroken = true
  const broken: typeof storage = {
    ...storage,
    readMessages(...query) {
      if (isBroken) throw new Error("The disk is gone.")
      return storage.readMessages(...query)
    },
  }
  const failing = createSessionSpending({ storage: broken })
  await expect(failing.of([id])).rejects.toThrow("The disk is gone.")
  isBroken = false
  expect((await failing.of([id])).get(id)?.cost).toBe(1)
})

it("lets other work run while it reads a long session", async () => {
  const storage = memoryStorage()
  const id = await session(storage, (own) => [answer(own, 1)])
  const other = { hasRun: false }
  const long: typeof storage = {
    ...storage,
    async *readMessages(...query) {
      setImmediate(() => (other.hasRun = true))
      const end = performance.now() + 10_000
      while (!other.hasRun) {
        if (performance.now() > end) throw new Error("Nothing else has run.")
        yield* storage.readMessages(...query)
      }
    },
  }
  await createSessionSpending({ storage: long }).of([id])
  expect(other.hasRun).toBe(true)
})
