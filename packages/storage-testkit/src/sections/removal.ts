import { NotFoundError, StaleLeaseError } from "@pawl/core/storage"
import { expect } from "vitest"
import { acquire } from "../leasing.ts"
import { messageID, partID, sampleSession, sampleText, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putPart, putSession, storeConversation } from "../writes.ts"

const [root, child, grandchild, other] = [sessionID(1), sessionID(2), sessionID(3), sessionID(4)]

export const removal = section("removal", {
  "removes a session with its messages and parts": async ({ storage }) => {
    await storeConversation(storage, root, 3)
    await storage.removeSession(root)
    expect(await storage.getSession(root)).toBeUndefined()
    expect(await collect(storage.listSessions())).toEqual([])
    expect(await collect(storage.readMessages(root))).toEqual([])
    await expect(storage.readContext(root)).rejects.toThrow(NotFoundError)
    await expect(storage.readChanges(root, 0)).rejects.toThrow(NotFoundError)
  },
  "removes every session below it and no other": async ({ storage }) => {
    for (const id of [root, child, grandchild, other]) await storeConversation(storage, id, 1)
    await storage.commit(child, [{ type: "session.patch", changes: { parentID: root } }])
    await storage.commit(grandchild, [{ type: "session.patch", changes: { parentID: child } }])
    await storage.removeSession(root)
    expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([other])
    for (const id of [child, grandchild]) await expect(storage.readContext(id)).rejects.toThrow(NotFoundError)
    expect((await storage.readContext(other)).messages).toHaveLength(1)
  },
  "keeps the parent when a child is removed": async ({ storage }) => {
    await storeConversation(storage, root, 1)
    await storage.commit(child, [putSession(sampleSession(child, { parentID: root }))])
    await storage.removeSession(child)
    expect((await storage.readContext(root)).messages).toHaveLength(1)
  },
  "ends where sessions are each other's parents": async ({ storage }) => {
    await storage.commit(root, [putSession(sampleSession(root, { parentID: child }))])
    await storage.commit(child, [putSession(sampleSession(child, { parentID: root }))])
    await storage.removeSession(root)
    expect(await collect(storage.listSessions())).toEqual([])
  },
  "does nothing without such a session, or when asked again": async ({ storage }) => {
    await storeConversation(storage, other, 1)
    await storage.removeSession(root)
    await storage.removeSession(other)
    await storage.removeSession(other)
    expect(await collect(storage.listSessions())).toEqual([])
  },
  "leaves the children of a session that was never stored": async ({ storage }) => {
    await storage.commit(child, [putSession(sampleSession(child, { parentID: root }))])
    await storage.removeSession(root)
    expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([child])
  },
  "starts at revision 1 when the same id is stored again": async ({ storage }) => {
    await storeConversation(storage, root, 3)
    await storage.removeSession(root)
    expect(await storage.commit(root, [putSession(sampleSession(root))])).toBe(1)
    expect(await storage.readContext(root)).toEqual({ session: sampleSession(root), revision: 1, messages: [] })
    expect(await storage.readChanges(root, 0)).toHaveLength(1)
  },
  "refuses writes to a removed session": async ({ storage }) => {
    await storeConversation(storage, root, 1)
    await storage.removeSession(root)
    const part = putPart(sampleText(root, messageID(1), partID(2)))
    await expect(storage.commit(root, [part])).rejects.toThrow(NotFoundError)
  },
  "ends the lease on a removed session": async ({ storage }) => {
    await storeConversation(storage, root, 1)
    const lease = await storage.acquire(root, "own_a", 60_000)
    await storage.removeSession(root)
    await expect(lease?.renew()).rejects.toThrow(StaleLeaseError)
    await lease?.release()
    const revival = storage.commit(root, [putSession(sampleSession(root))], lease?.token)
    await expect(revival).rejects.toThrow(StaleLeaseError)
    expect(await storage.getSession(root)).toBeUndefined()
  },
  "takes nothing by a lease on a removed session once another has its id": async ({ storage }) => {
    for (let time = 0; time < 3; time++) {
      await storeConversation(storage, root, 1)
      const stale = await acquire(storage, root, "own_a")
      await storage.removeSession(root)
      await storeConversation(storage, root, 1)
      await expect(storage.commit(root, [], stale.token)).rejects.toThrow(StaleLeaseError)
      const current = await acquire(storage, root, "own_a")
      await expect(storage.commit(root, [], stale.token)).rejects.toThrow(StaleLeaseError)
      await expect(stale.renew()).rejects.toThrow(StaleLeaseError)
      await stale.release()
      expect(await storage.commit(root, [], current.token)).toBe(2)
      await storage.removeSession(root)
    }
  },
  "removes a message with its parts": async ({ storage }) => {
    const messages = await storeConversation(storage, root, 3)
    await storage.commit(root, [{ type: "message.remove", messageID: messageID(2) }])
    expect((await storage.readContext(root)).messages).toEqual([messages[0], messages[2]])
  },
  "removes one part": async ({ storage }) => {
    const [message] = await storeConversation(storage, root, 1)
    await storage.commit(root, [putPart(sampleText(root, messageID(1), partID(2)))])
    await storage.commit(root, [{ type: "part.remove", messageID: messageID(1), partID: partID(2) }])
    expect((await storage.readContext(root)).messages).toEqual([message])
  },
  "keeps blobs, which sessions share": async ({ storage }) => {
    await storeConversation(storage, root, 1)
    const blob = await storage.blobs.put(Buffer.from("shared"))
    await storage.removeSession(root)
    expect(await storage.blobs.get(blob)).toBeDefined()
  },
})
