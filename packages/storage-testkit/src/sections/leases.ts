import { setTimeout as sleep } from "node:timers/promises"
import { type Lease, NotFoundError, StaleLeaseError, type MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { acquire, LONG, takeOver } from "../leasing.ts"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putSession } from "../writes.ts"

const session = sessionID(1)

const user = (number: number) => putMessage(sampleUserMessage(session, messageID(number)))

export const leases = section("leases", {
  "gives the session to its first owner": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const { token } = await acquire(storage, session, "own_a")
    expect(token).toEqual({ sessionID: session, owner: "own_a", epoch: 1 })
  },
  "refuses a second owner while the first holds it": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    await acquire(storage, session, "own_a")
    expect(await storage.acquire(session, "own_b", LONG)).toBeUndefined()
    expect(await storage.acquire(session, "own_b", LONG)).toBeUndefined()
  },
  "gives other sessions to other owners": async ({ storage }) => {
    for (const id of [session, sessionID(2)]) await storage.commit(id, [putSession(sampleSession(id))])
    await acquire(storage, session, "own_a")
    expect((await storage.acquire(sessionID(2), "own_b", LONG))?.token.epoch).toBe(1)
  },
  "commits under a current lease": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const { token } = await acquire(storage, session, "own_a")
    expect(await storage.commit(session, [user(1)], token)).toBe(2)
  },
  "commits without a lease while another owner holds one": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const { token } = await acquire(storage, session, "own_a")
    expect(await storage.commit(session, [user(1)])).toBe(2)
    expect(await storage.commit(session, [user(2)], token)).toBe(3)
  },
  "is free again once released": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    await (await acquire(storage, session, "own_a")).release()
    expect((await acquire(storage, session, "own_b")).token.epoch).toBe(2)
  },
  "raises the epoch with each acquisition, by the same owner too": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const first = await acquire(storage, session, "own_a")
    const second = await acquire(storage, session, "own_a")
    await second.release()
    const third = await acquire(storage, session, "own_a")
    expect([first, second, third].map(({ token }) => token.epoch)).toEqual([1, 2, 3])
    await expect(storage.commit(session, [user(1)], first.token)).rejects.toThrow(StaleLeaseError)
    expect(await storage.commit(session, [user(1)], third.token)).toBe(2)
  },
  "ends when its time passes without renewal": async ({ storage }) => {
    const { current } = await takeOver(storage, session)
    expect(current.token).toEqual({ sessionID: session, owner: "own_b", epoch: 2 })
  },
  "lasts as long as it is renewed": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    // On a slow machine the lease may expire between two calls, so try a longer one.
    for (let ttl = 250; ttl < 60_000; ttl *= 2) {
      const lease = await acquire(storage, session, "own_a", ttl)
      const takenAfter = await renewedUntilTaken(storage, lease, ttl / 5)
      if (takenAfter === undefined) return
      expect(takenAfter).toBeGreaterThan(ttl)
    }
    throw new Error("A call took longer than 30 seconds, eight times.")
  },
  "still commits and renews after its time if no other owner took the session": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const lease = await acquire(storage, session, "own_a", 1)
    await sleep(10)
    expect(await storage.commit(session, [user(1)], lease.token)).toBe(2)
    await lease.renew()
  },
  "rejects a stale owner's commit and writes nothing of it": async ({ storage }) => {
    const { stale, current } = await takeOver(storage, session)
    const before = await storage.readContext(session)
    await expect(storage.commit(session, [user(1)], stale.token)).rejects.toThrow(StaleLeaseError)
    expect(await storage.readContext(session)).toEqual(before)
    expect(await storage.commit(session, [user(1)], current.token)).toBe(before.revision + 1)
  },
  "rejects a stale owner's renewal": async ({ storage }) => {
    const { stale, current } = await takeOver(storage, session)
    await expect(stale.renew()).rejects.toThrow(StaleLeaseError)
    await current.renew()
  },
  "leaves the current owner alone when a stale one releases": async ({ storage }) => {
    const { stale, current } = await takeOver(storage, session)
    await stale.release()
    expect(await storage.acquire(session, "own_c", LONG)).toBeUndefined()
    expect(await storage.commit(session, [user(1)], current.token)).toBe(2)
  },
  "does nothing when released twice": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const lease = await acquire(storage, session, "own_a")
    await lease.release()
    await lease.release()
    await acquire(storage, session, "own_b")
    await lease.release()
    expect(await storage.acquire(session, "own_c", LONG)).toBeUndefined()
  },
  "rejects commits and renewals after the release": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const lease = await acquire(storage, session, "own_a")
    await lease.release()
    await expect(storage.commit(session, [user(1)], lease.token)).rejects.toThrow(StaleLeaseError)
    await expect(lease.renew()).rejects.toThrow(StaleLeaseError)
    expect((await storage.readContext(session)).revision).toBe(1)
  },
  "rejects a token that was never given": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const invented = { sessionID: session, owner: "own_a", epoch: 1 }
    await expect(storage.commit(session, [user(1)], invented)).rejects.toThrow(StaleLeaseError)
    const { token } = await acquire(storage, session, "own_a")
    for (const wrong of [
      { ...token, owner: "own_b" },
      { ...token, epoch: 2 },
      { ...token, epoch: 0 },
    ]) {
      await expect(storage.commit(session, [user(1)], wrong)).rejects.toThrow(StaleLeaseError)
    }
  },
  "rejects a token of another session": async ({ storage }) => {
    for (const id of [session, sessionID(2)]) await storage.commit(id, [putSession(sampleSession(id))])
    const { token } = await acquire(storage, session, "own_a")
    await storage.acquire(sessionID(2), "own_a", LONG)
    const change = { type: "session.patch", changes: { title: "Changed" } } as const
    await expect(storage.commit(sessionID(2), [change], token)).rejects.toThrow(StaleLeaseError)
  },
  "gives a free session to one of many who ask at once": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const owners = Array.from({ length: 10 }, (_, index) => `own_${index}`)
    const given = await Promise.all(owners.map((owner) => storage.acquire(session, owner, LONG)))
    expect(given.filter((lease) => lease !== undefined)).toHaveLength(1)
  },
  "does not count as a commit": async ({ storage }) => {
    await storage.commit(session, [putSession(sampleSession(session))])
    const lease = await acquire(storage, session, "own_a")
    await lease.renew()
    await lease.release()
    expect((await storage.readContext(session)).revision).toBe(1)
    expect(await storage.readChanges(session, 1)).toEqual([])
  },
  "names the holder of a lease, and when it ends": async ({ storage }) => {
    // The contract makes this member optional.
    if (!storage.leaseHolder) return
    await storage.commit(session, [putSession(sampleSession(session))])
    expect(await storage.leaseHolder(session)).toBeUndefined()
    const lease = await acquire(storage, session, "own_a", LONG)
    const holder = await storage.leaseHolder(session)
    expect(holder).toMatchObject({ epoch: 1 })
    expect(holder?.remaining).toBeGreaterThan(0)
    expect(holder?.remaining).toBeLessThanOrEqual(LONG)
    await sleep(2)
    await lease.renew()
    const renewed = await storage.leaseHolder(session)
    expect(renewed?.ends).toBeGreaterThan(holder?.ends ?? Number.POSITIVE_INFINITY)
    await lease.release()
    expect(await storage.leaseHolder(session)).toBeUndefined()
  },
  "names no holder of a lease whose time is over": async ({ storage }) => {
    if (!storage.leaseHolder) return
    await storage.commit(session, [putSession(sampleSession(session))])
    await acquire(storage, session, "own_a", 1)
    await sleep(10)
    expect(await storage.leaseHolder(session)).toBeUndefined()
  },
  "refuses a session that does not exist to anybody": async ({ storage }) => {
    await expect(storage.acquire(session, "own_a", LONG)).rejects.toThrow(NotFoundError)
  },
})

/**
 * Renews the lease for longer than it lasts. Returns the milliseconds between the last renewal and the acquisition by
 * another owner.
 */
async function renewedUntilTaken(storage: MaintainedStorage, lease: Lease, pause: number): Promise<number | undefined> {
  for (let beat = 0; beat < 7; beat++) {
    await sleep(pause)
    const renewed = performance.now()
    await lease.renew()
    const taken = await storage.acquire(session, "own_b", LONG)
    if (!taken) continue
    await taken.release()
    return performance.now() - renewed
  }
  return undefined
}
