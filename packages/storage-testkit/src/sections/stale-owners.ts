import { setTimeout as sleep } from "node:timers/promises"
import { type Lease, StaleLeaseError, type Write } from "@pawl/core/storage"
import { expect } from "vitest"
import { acquire, acquireNext, LONG, takeOver } from "../leasing.ts"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession } from "../writes.ts"

const session = sessionID(1)

export const staleOwners = section("stale owners", {
  "rejects whatever a stale owner writes, nothing too": async ({ storage }) => {
    const { stale } = await takeOver(storage, session)
    await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(1)))])
    const before = await storage.readContext(session)
    const commits: Write[][] = [
      [],
      [putSession(sampleSession(session, { title: "Stale" }))],
      [{ type: "session.patch", changes: { title: "Stale" } }],
      [putMessage(sampleUserMessage(session, messageID(2)))],
      [putPart(sampleText(session, messageID(1), partID(1)))],
      [{ type: "message.remove", messageID: messageID(1) }],
    ]
    for (const writes of commits) {
      await expect(storage.commit(session, writes, stale.token)).rejects.toThrow(StaleLeaseError)
    }
    expect(await storage.readContext(session)).toEqual(before)
  },
  "rejects it though its successor has gone without a write": async ({ storage }) => {
    const { stale, current } = await takeOver(storage, session)
    await current.release()
    await expect(storage.commit(session, [], stale.token)).rejects.toThrow(StaleLeaseError)
    await expect(stale.renew()).rejects.toThrow(StaleLeaseError)
    expect(await storage.acquire(session, "own_c", LONG)).toBeDefined()
  },
  "rejects it though its successor's time is over as well": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const stale = await acquire(storage, session, "own_a", 1)
    const current = await acquireNext(storage, session, "own_b", 1)
    await sleep(5)
    await expect(storage.commit(session, [], stale.token)).rejects.toThrow(StaleLeaseError)
    expect(await storage.commit(session, [], current.token)).toBe(2)
  },
  "knows the last owner of many": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const held = []
    for (const owner of ["own_a", "own_b", "own_a", "own_c"]) {
      held.push(await acquireNext(storage, session, owner, 1))
    }
    expect(held.map(({ token }) => token.epoch)).toEqual([1, 2, 3, 4])
    for (const { token } of held.slice(0, -1)) {
      await expect(storage.commit(session, [], token)).rejects.toThrow(StaleLeaseError)
    }
    expect(await storage.commit(session, [], held.at(-1)?.token)).toBe(2)
  },
  "takes nothing by an old lease of an owner that has the session again": async ({ storage }) => {
    const { stale, current } = await takeOver(storage, session)
    await current.release()
    const again = await acquire(storage, session, "own_a")
    await expect(storage.commit(session, [], stale.token)).rejects.toThrow(StaleLeaseError)
    await expect(stale.renew()).rejects.toThrow(StaleLeaseError)
    await stale.release()
    expect(await storage.acquire(session, "own_b", LONG)).toBeUndefined()
    expect(await storage.commit(session, [], again.token)).toBe(2)
  },
  "keeps a new lease of an owner when its old one is released": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const first = await acquire(storage, session, "own_a", 1)
    const second = await acquire(storage, session, "own_a")
    await first.release()
    await expect(first.renew()).rejects.toThrow(StaleLeaseError)
    expect(await storage.acquire(session, "own_b", LONG)).toBeUndefined()
    expect(await storage.commit(session, [], second.token)).toBe(2)
  },
  "accepts commits in the order of their epochs while owners change": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const leases = [await acquire(storage, session, "own_0", 1)]
    const accepted: { revision: number; epoch: number }[] = []
    const commitWith = async ({ token }: Lease) => {
      const revision = await storage.commit(session, [], token).catch((error: unknown) => {
        if (!(error instanceof StaleLeaseError)) throw error
      })
      if (revision !== undefined) accepted.push({ revision, epoch: token.epoch })
    }
    for (let turn = 1; turn <= 4; turn++) {
      const [next] = await Promise.all([
        acquireNext(storage, session, `own_${turn}`, 1),
        ...[...leases, ...leases.toReversed()].map(commitWith),
      ])
      leases.push(next)
    }
    await Promise.all(leases.map(commitWith))
    const epochs = accepted.toSorted((a, b) => a.revision - b.revision).map(({ epoch }) => epoch)
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
    expect(epochs.at(-1)).toBe(5)
  },
})
