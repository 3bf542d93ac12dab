import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { seeded } from "../../test/seeded.ts"
import type { EventMap, EventType, ReportedCommit } from "../contracts/events.ts"
import type { LeaseToken, Storage, Write } from "../contracts/storage.ts"
import { createJournal, publishWrites } from "./journal.ts"
import type { Session, UserMessage } from "../record/message.ts"

const sessionID = "ses_1"
const lease: LeaseToken = { sessionID, owner: "me", epoch: 1 }
const model = { providerID: "acme", modelID: "small" }
const put = (n: number): Write => {
  const message: UserMessage = { id: `msg_${n}`, sessionID, role: "user", time: { created: n }, agent: "build", model }
  return { type: "message.put", message }
}
const session: Session = {
  id: sessionID,
  projectID: "global",
  directory: "/",
  title: "As stored",
  version: "1",
  time: { created: 1, updated: 1 },
}

/** A journal over a storage that writes when it is told to, with a diary of what happened in which order. */
function testJournal() {
  const diary: string[] = []
  const leases: (LeaseToken | undefined)[] = []
  const begun: { succeed: () => void; fail: (error: Error) => void }[] = []
  const storage: Pick<Storage, "commit" | "getSession"> = {
    commit: (_id, writes, token) => {
      leases.push(token)
      const names = writes.map((write) => (write.type === "message.put" ? write.message.id : write.type)).join()
      diary.push(`begin ${names}`)
      return new Promise((resolve, reject) => {
        begun.push({ succeed: () => resolve(1), fail: reject })
      }).then(() => diary.push(`durable ${names}`))
    },
    getSession: async () => {
      await pause()
      return session
    },
  }
  const published: { type: EventType; properties: unknown }[] = []
  const commits: (ReportedCommit | undefined)[] = []
  const bus = {
    publish<T extends EventType>(type: T, properties: EventMap[T], commit?: ReportedCommit) {
      commits.push(commit)
      published.push({ type, properties })
      diary.push(`event ${type}`)
    },
    subscribe: () => () => {},
  }
  const deps = { storage, bus, now: () => 42 }
  /** The commit that has begun and waits for its end. */
  const next = async () => {
    await pause()
    return begun.shift() ?? expect.fail("no commit has begun")
  }
  const succeedAll = async () => {
    for (await pause(); begun.length > 0; await pause()) begun.shift()?.succeed()
  }
  return { deps, diary, leases, published, commits, next, succeedAll, journal: createJournal(deps, sessionID, lease) }
}

/** Lets everything happen that waits for nothing outside. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error)

describe("commits", () => {
  it("are durable first and published then, before they resolve", async () => {
    const { journal, diary, leases, next } = testJournal()
    const committed = journal.commit([put(1)]).then(() => diary.push("resolved"))
    const storing = await next()
    await pause()
    expect(diary).toEqual(["begin msg_1"])

    storing.succeed()
    await committed

    expect(diary).toEqual(["begin msg_1", "durable msg_1", "event message.updated", "resolved"])
    expect(leases).toEqual([lease])
  })

  it("of a patch resolve when the session has been read and published", async () => {
    const { journal, published, next } = testJournal()
    const committed = journal.commit([{ type: "session.patch", changes: { title: "Patched" } }])
    const storing = await next()
    storing.succeed()
    await committed

    expect(published).toEqual([{ type: "session.updated", properties: { sessionID, info: session } }])
  })

  it("are made one after another; what is asked for meanwhile shares the next one", async () => {
    const { journal, diary, next } = testJournal()
    const first = journal.commit([put(1)])
    const storing = await next()
    const others = [journal.commit([put(2), put(3)]), journal.commit([put(4)])]
    journal.save(put(5))
    await pause()
    expect(diary).toEqual(["begin msg_1"])

    storing.succeed()
    await first
    const shared = await next()
    shared.succeed()
    await Promise.all(others)

    expect(diary.filter((line) => !line.startsWith("event"))).toEqual([
      "begin msg_1",
      "durable msg_1",
      "begin msg_2,msg_3,msg_4,msg_5",
      "durable msg_2,msg_3,msg_4,msg_5",
    ])
  })

  it("keep the order asked for, however they are mixed", async () => {
    const { journal, diary, succeedAll } = testJournal()
    const random = seeded(5)
    const asked: number[] = []
    for (let n = 10; n < 60; n++) {
      asked.push(n)
      if (random() < 0.5) journal.save(put(n))
      else void journal.commit([put(n)])
      if (random() < 0.2) await succeedAll()
    }
    await succeedAll()
    const stored = diary.filter((line) => line.startsWith("durable")).flatMap((line) => line.slice(8).split(","))

    expect(stored).toEqual(asked.map((n) => `msg_${n}`))
  })

  it("of nothing wait for what is under way", async () => {
    const { journal, diary, next } = testJournal()
    await journal.commit([])
    void journal.commit([put(1)])
    const empty = journal.commit([]).then(() => diary.push("resolved"))
    const storing = await next()
    storing.succeed()
    await empty

    expect(diary.at(-1)).toBe("resolved")
    expect(diary.filter((line) => line.startsWith("begin"))).toEqual(["begin msg_1"])
  })
})

describe("what is staged", () => {
  it("is stored first by the next commit, in the same one, and told of once durable", async () => {
    const { journal, diary, next } = testJournal()
    journal.stage([put(1), put(2)])
    await pause()
    expect(journal.staged).toEqual([put(1), put(2)])
    expect(diary).toEqual([])

    const committed = journal.commit([put(3)])
    expect(journal.staged).toEqual([])
    const storing = await next()
    storing.succeed()
    await committed

    expect(diary).toEqual([
      "begin msg_1,msg_2,msg_3",
      "durable msg_1,msg_2,msg_3",
      ...Array.from({ length: 3 }, () => "event message.updated"),
    ])
  })

  it("counts as unwritten until its commit is durable, whoever has asked for the commit", async () => {
    const { journal, next } = testJournal()
    journal.stage([put(1)])
    const first = journal.commit([put(2)])
    journal.stage([put(3)])
    expect(journal.unwritten).toEqual([put(1), put(2), put(3)])
    const storing = await next()
    const second = journal.commit([])
    journal.stage([put(4)])
    expect(journal.unwritten).toEqual([put(1), put(2), put(3), put(4)])
    storing.succeed()
    await first
    expect(journal.unwritten).toEqual([put(3), put(4)])
    ;(await next()).succeed()
    await second
    expect(journal.unwritten).toEqual([put(4)])
  })

  it("is stored by a save, by a commit of nothing, and at the latest before the journal is settled", async () => {
    const { journal, diary, succeedAll } = testJournal()
    journal.stage([put(1)])
    journal.save(put(2))
    await succeedAll()
    journal.stage([put(3)])
    const committed = journal.commit([])
    await succeedAll()
    await committed
    journal.stage([put(4)])
    const settled = journal.settled()
    await succeedAll()
    await settled

    const stored = diary.filter((line) => line.startsWith("durable"))
    expect(stored).toEqual(["durable msg_1,msg_2", "durable msg_3", "durable msg_4"])
  })
})

it("of a patch stays a success when the session cannot be read for its event, which says so", async () => {
  const { deps, journal, published, next, succeedAll } = testJournal()
  deps.storage.getSession = () => Promise.reject(new Error("disk removed"))
  const committed = journal.commit([{ type: "session.patch", changes: { title: "Patched" } }])
  const storing = await next()
  storing.succeed()
  await committed
  const later = journal.commit([put(1)])
  await succeedAll()
  await later

  expect(published).toMatchObject([
    { type: "session.error", properties: { sessionID, error: { data: { message: "disk removed" } } } },
    { type: "message.updated" },
  ])
})

describe("a failure", () => {
  const broken = new Error("disk full")

  it("rejects the commit and refuses every later write with the same error", async () => {
    const { journal, diary, next } = testJournal()
    const first = failureOf(journal.commit([put(1)]))
    const storing = await next()
    const waiting = failureOf(journal.commit([put(2)]))
    storing.fail(broken)

    expect(await first).toBe(broken)
    expect(await waiting).toBe(broken)
    await expect(journal.commit([put(3)])).rejects.toBe(broken)
    await expect(journal.commit([])).rejects.toBe(broken)
    await expect(journal.settled()).resolves.toBeUndefined()
    expect(diary).toEqual(["begin msg_1"])
  })

  it("of a save shows at the next commit, not before", async () => {
    const { journal, next } = testJournal()
    journal.save(put(1))
    const storing = await next()
    storing.fail(broken)
    // The runner fails on an unhandled rejection.
    await journal.settled()
    await pause()
    journal.save(put(2))
    await pause()

    await expect(journal.commit([put(3)])).rejects.toBe(broken)
  })

  it("keeps nothing of what is written later", async () => {
    const { journal, next } = testJournal()
    const committed = failureOf(journal.commit([put(1)]))
    const storing = await next()
    storing.fail(broken)
    await committed
    // Saved in a function of its own, so that no variable holds it.
    const save = () => {
      const write = put(2)
      journal.save(write)
      return new WeakRef(write)
    }
    const saved = save()
    await pause()
    collectGarbage()

    expect(saved.deref()).toBeUndefined()
    await expect(journal.commit([put(3)])).rejects.toBe(broken)
  })

  it("publishes nothing", async () => {
    const { journal, published, next } = testJournal()
    const committed = failureOf(journal.commit([put(1)]))
    const storing = await next()
    storing.fail(broken)

    expect(await committed).toBe(broken)
    expect(published).toEqual([])
  })
})

it("has settled when all that was asked for has ended", async () => {
  const { journal, diary, next } = testJournal()
  journal.save(put(1))
  const ended = journal.settled().then(() => diary.push("settled"))
  const storing = await next()
  await pause()
  expect(diary).toEqual(["begin msg_1"])

  storing.succeed()
  await ended
  expect(diary.at(-1)).toBe("settled")
})

it("publishes an event for each kind of write, in their order", async () => {
  const { deps, published, commits } = testJournal()
  const part = { id: "prt_1", sessionID, messageID: "msg_1", type: "step-start" } as const
  const message = put(1)
  const writes: Write[] = [
    { type: "session.put", session: { ...session, title: "As written" } },
    message,
    { type: "part.put", part },
    { type: "part.remove", messageID: "msg_1", partID: "prt_1" },
    { type: "message.remove", messageID: "msg_1" },
    { type: "session.patch", changes: { title: "Patched" } },
  ]
  await publishWrites(deps, sessionID, { writes, revision: 7 })

  expect(published).toEqual([
    { type: "session.updated", properties: { sessionID, info: { ...session, title: "As written" } } },
    { type: "message.updated", properties: { sessionID, info: message.type === "message.put" && message.message } },
    { type: "message.part.updated", properties: { sessionID, part, time: 42 } },
    { type: "message.part.removed", properties: { sessionID, messageID: "msg_1", partID: "prt_1" } },
    { type: "message.removed", properties: { sessionID, messageID: "msg_1" } },
    // A patch says nothing of the rest, so the session comes as it is stored.
    { type: "session.updated", properties: { sessionID, info: session } },
  ])
  expect(commits).toEqual(writes.map((_write, at) => ({ revision: 7, isWhole: at === writes.length - 1 })))
})

function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
}
