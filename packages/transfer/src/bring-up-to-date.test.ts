import type { MessageWithParts, Part, Session, Storage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { storages } from "../test/places.ts"
import { everything, session, store, turn } from "../test/sessions.ts"
import { bringUpToDate } from "./bring-up-to-date.ts"
import { createCarriedBlobs } from "./carried-blobs.ts"
import { recordHash } from "./record-hash.ts"
import { storedSession } from "./session-source.ts"

/** For each of four messages, and each of its three parts: which version of it is there; 0 is none. */
const version = fc.integer({ min: 0, max: 2 })
const state = fc.array(fc.tuple(version, fc.array(version, { minLength: 3, maxLength: 3 })), {
  minLength: 4,
  maxLength: 4,
})
type State = [number, number[]][]

function messagesOf(sessionID: Session["id"], given: State): MessageWithParts[] {
  return given.flatMap(([version, parts], at) => {
    if (version === 0) return []
    const id = `msg_${at}` as const
    const [user] = turn(sessionID, "x")
    const owner = { sessionID, messageID: id, type: "text" as const }
    const present = parts.flatMap((version, part): Part[] => {
      return version === 0 ? [] : [{ ...owner, id: `prt_${part}`, text: `version ${version}` }]
    })
    return user ? [{ info: { ...user.info, id, agent: `version ${version}` }, parts: present }] : []
  }) as MessageWithParts[]
}

const bring = async (from: Storage, to: Storage, { id }: Session) => {
  const current = await from.getSession(id)
  if (!current) throw new Error("The session is not in its source.")
  return bringUpToDate(to, storedSession(from, current), { blobs: createCarriedBlobs(to) })
}

describe.each(storages)("in %s", (_name, open) => {
  it("makes any session any other, and then finds nothing to do", async () => {
    const target = await open()
    const property = fc.asyncProperty(state, state, async (before, after) => {
      const source = memoryStorage()
      const root = session()
      await store(target, { ...root, title: "before" }, messagesOf(root.id, before))
      await store(source, root, messagesOf(root.id, after))
      const { outcome, hash } = await bring(source, target, root)
      expect(outcome).toBe("updated")
      expect(await recordHash(target, root.id)).toBe(await recordHash(source, root.id))
      expect(hash).toBe(await recordHash(source, root.id))
      const messages = []
      for await (const message of target.readMessages(root.id)) messages.push(message)
      expect(messages).toEqual((await everything(source))[0]?.messages)
      expect((await bring(source, target, root)).outcome).toBe("unchanged")
    })
    await fc.assert(property, { numRuns: 25, seed: 11 })
  })
})

it("refuses a source whose messages do not come newest first", async () => {
  const root = session()
  const messages = turn(root.id, "x")
  const source = {
    session: root,
    async *messages() {
      yield* messages
    },
    readBlob: async () => undefined,
  }
  const to = memoryStorage()
  await expect(bringUpToDate(to, source, { blobs: createCarriedBlobs(to) })).rejects.toThrow("newest message first")
})

it("gives equal hashes to equal records only", async () => {
  const storage = memoryStorage()
  const root = session()
  await store(storage, root, turn(root.id, "x"))
  const hash = await recordHash(storage, root.id)
  const other = memoryStorage()
  const { time, ...rest } = root
  for (const { session: stored, messages } of await everything(storage)) {
    await store(other, { ...stored, ...rest, time }, messages)
  }
  expect(await recordHash(other, root.id)).toBe(hash)
  await store(storage, root, turn(root.id, "y"))
  expect(await recordHash(storage, root.id)).not.toBe(hash)
  await expect(recordHash(other, "ses_none")).rejects.toThrow("does not exist")
})
