import { describe, expect, it } from "vitest"
import { NotFoundError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import { createEventBus, type EngineEvent } from "../contracts/events.ts"
import { createSessionEvents, SlowReaderError } from "./session-events.ts"

const ID = "ses_one"

describe("the events of a session", () => {
  it("come in the order of publication, from the call on", async () => {
    const { bus, open, notice } = setup()
    notice("before")
    const events = open(ID)
    notice("first")
    notice("second")

    expect(await texts(events, 2)).toEqual(["first", "second"])
    const third = events.next()
    bus.publish("session.idle", { sessionID: ID })
    expect((await third).value?.type).toBe("session.idle")
  })

  it("are those of this session, and the questions of the sessions below it", async () => {
    const { bus, open, notice } = setup()
    const events = open(ID)
    notice("other", "ses_other")
    bus.publish("session.notice", { message: "of no session" })
    bus.publish("question.rejected", { sessionID: "ses_child", rootSessionID: ID, requestID: "prt_1" })
    bus.publish("session.idle", { sessionID: "ses_child" })
    notice("own")

    expect((await events.next()).value?.type).toBe("question.rejected")
    expect(await texts(events, 1)).toEqual(["own"])
  })

  it("reach each reader", async () => {
    const { open, notice } = setup()
    const [one, two] = [open(ID), open(ID)]
    notice("both")
    expect(await texts(one, 1)).toEqual(["both"])
    expect(await texts(two, 1)).toEqual(["both"])
  })
})

describe("a loop over events", () => {
  it("ends its subscription when it is left, with the events that wait", async () => {
    const { open, notice, isFollowed } = setup()
    const events = open(ID)
    notice("first")
    notice("second")
    for await (const event of events) {
      expect(event.type).toBe("session.notice")
      break
    }

    expect(isFollowed()).toBe(false)
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it("ends its subscription when its body throws", async () => {
    const { open, notice, isFollowed } = setup()
    const events = open(ID)
    notice("first")
    const read = async () => {
      for await (const event of events) throw new Error(event.type)
    }
    await expect(read()).rejects.toThrow("session.notice")
    expect(isFollowed()).toBe(false)
  })

  it("reads what waits, then ends, with the signal", async () => {
    const { open, notice, isFollowed } = setup()
    const leaving = new AbortController()
    const [busy, waiting] = [open(ID, { signal: leaving.signal }), open(ID, { signal: leaving.signal })]
    notice("one")
    expect(await texts(waiting, 1)).toEqual(["one"])
    const next = waiting.next()
    leaving.abort()
    notice("late")

    expect(await next).toEqual({ done: true, value: undefined })
    expect(await texts(busy)).toEqual(["one"])
    expect(await texts(open(ID, { signal: leaving.signal }))).toEqual([])
    expect(isFollowed()).toBe(false)
  })

  it("ends after the event that removes the session", async () => {
    const { bus, open, notice, isFollowed } = setup()
    const events = open(ID)
    bus.publish("session.deleted", { sessionID: "ses_other", info: {} as never })
    bus.publish("session.deleted", { sessionID: ID, info: {} as never })
    notice("late")

    const read: string[] = []
    for await (const event of events) read.push(event.type)
    expect(read).toEqual(["session.deleted"])
    expect(isFollowed()).toBe(false)
  })

  it("reads what waits, then ends, when the engine closes", async () => {
    const { open, close, notice, isFollowed } = setup()
    const [events, waiting] = [open(ID), open(ID)]
    notice("last")
    expect(await texts(waiting, 1)).toEqual(["last"])
    const next = waiting.next()
    close()
    notice("late")

    expect(await next).toEqual({ done: true, value: undefined })
    expect(await texts(events)).toEqual(["last"])
    expect(await texts(open(ID))).toEqual([])
    expect(isFollowed()).toBe(false)
  })

  it("throws the reason if the session does not exist, once", async () => {
    const { open, isFollowed } = setup(async () => {
      throw new NotFoundError("There is no session ses_one in memory.")
    })
    const events = open(ID)
    await expect(texts(events)).rejects.toThrow(new NotFoundError("There is no session ses_one in memory."))
    expect(await texts(events)).toEqual([])
    expect(isFollowed()).toBe(false)
  })
})

describe("a slow reader", () => {
  it("gets deltas of a part as one, in their place", async () => {
    const { bus, open } = setup()
    const events = open(ID)
    const delta = (partID: `prt_${string}`, text: string) => {
      bus.publish("message.part.delta", { sessionID: ID, messageID: "msg_1", partID, field: "text", delta: text })
    }
    delta("prt_1", "a")
    delta("prt_1", "b")
    delta("prt_2", "c")
    delta("prt_1", "d")
    bus.publish("session.idle", { sessionID: ID })
    delta("prt_1", "e")

    const read: string[] = []
    for await (const event of events) {
      read.push(event.type === "message.part.delta" ? event.properties.delta : event.type)
      if (read.length === 5) break
    }
    expect(read).toEqual(["ab", "c", "d", "session.idle", "e"])
  })

  it("changes no event of another reader by joining deltas", async () => {
    const { bus, open } = setup()
    const seen: EngineEvent[] = []
    bus.subscribe((event) => seen.push(event))
    open(ID)
    for (const delta of ["a", "b"]) {
      bus.publish("message.part.delta", { sessionID: ID, messageID: "msg_1", partID: "prt_1", field: "text", delta })
    }
    expect(seen).toMatchObject([{ properties: { delta: "a" } }, { properties: { delta: "b" } }])
  })

  it("reads what waits and then learns that there was more", async () => {
    const { open, notice, isFollowed } = setup()
    const events = open(ID, { maxWaiting: 2 })
    for (const text of ["one", "two", "three"]) notice(text)

    expect(isFollowed()).toBe(false)
    expect(await texts(events, 2)).toEqual(["one", "two"])
    await expect(events.next()).rejects.toThrow(new SlowReaderError(ID, 2))
    expect(await texts(events)).toEqual([])
  })

  it("may let a thousand events wait", async () => {
    const { open, notice } = setup()
    const events = open(ID)
    for (let count = 0; count < 1001; count++) notice(`${count}`)
    expect(await texts(events, 1000)).toHaveLength(1000)
    await expect(events.next()).rejects.toThrow("More than 1000 events of session ses_one wait for their reader.")
  })

  it.each([0, -1, NaN])("may not let %d events wait", (maxWaiting) => {
    expect(() => setup().open(ID, { maxWaiting })).toThrow(RangeError)
  })
})

function setup(getSession: (id: SessionID) => Promise<unknown> = async () => undefined) {
  let count = 0
  const bus = createEventBus(
    () => `evt_${++count}`,
    (error) => {
      throw error
    },
  )
  const notice = (message: string, sessionID: SessionID = ID) => bus.publish("session.notice", { sessionID, message })
  return {
    ...createSessionEvents({ subscribe: (listener) => bus.subscribe(listener), getSession }),
    ...{ bus, notice },
    /** The bus makes no event without a listener. */
    isFollowed: () => {
      const before = count
      notice("probe")
      return count > before
    },
  }
}

/** The texts of the next notices: of so many, or until the loop ends. Does not leave the loop. */
async function texts(events: AsyncIterator<EngineEvent>, count = Infinity): Promise<string[]> {
  const read: string[] = []
  while (read.length < count) {
    const { done, value } = await events.next()
    if (done) break
    read.push(value.type === "session.notice" ? value.properties.message : value.type)
  }
  return read
}
