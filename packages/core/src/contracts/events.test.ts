import { expect, it } from "vitest"
import { createEventBus, type EngineEvent } from "./events.ts"

const sessionID = "ses_1"

function testBus() {
  let ids = 0
  const errors: unknown[] = []
  return {
    errors,
    bus: createEventBus(
      () => `evt_${++ids}`,
      (error) => errors.push(error),
    ),
  }
}

it("calls listeners in order of subscription, each with the same event", () => {
  const { bus } = testBus()
  const calls: [string, EngineEvent][] = []
  bus.subscribe((event) => calls.push(["first", event]))
  bus.subscribe((event) => calls.push(["second", event]))

  bus.publish("session.idle", { sessionID })

  expect(calls.map(([name]) => name)).toEqual(["first", "second"])
  expect(calls[0]?.[1]).toEqual({ id: "evt_1", type: "session.idle", properties: { sessionID } })
  expect(calls[1]?.[1]).toBe(calls[0]?.[1])
})

it("gives each event an id of its own", () => {
  const { bus } = testBus()
  const ids: string[] = []
  bus.subscribe(({ id }) => ids.push(id))

  for (let n = 0; n < 3; n++) bus.publish("session.idle", { sessionID })

  expect(ids).toEqual(["evt_1", "evt_2", "evt_3"])
})

it("reports a listener that throws, keeps it, and calls the others", () => {
  const { bus, errors } = testBus()
  const heard: string[] = []
  const broken = new Error("broken")
  bus.subscribe(() => {
    throw broken
  })
  bus.subscribe(({ type }) => heard.push(type))

  bus.publish("session.idle", { sessionID })
  bus.publish("session.idle", { sessionID })

  expect(heard).toHaveLength(2)
  expect(errors).toEqual([broken, broken])
})

it("tells nothing more to a listener that has unsubscribed, and goes on with the others", () => {
  const { bus } = testBus()
  const heard: string[] = []
  const unsubscribe = bus.subscribe(() => heard.push("gone"))
  bus.subscribe(() => heard.push("stays"))

  unsubscribe()
  unsubscribe()
  bus.publish("session.idle", { sessionID })

  expect(heard).toEqual(["stays"])
})

it("lets a listener unsubscribe itself while it is told", () => {
  const { bus, errors } = testBus()
  const heard: string[] = []
  const unsubscribe = bus.subscribe(() => {
    heard.push("once")
    unsubscribe()
  })
  bus.subscribe(() => heard.push("always"))

  bus.publish("session.idle", { sessionID })
  bus.publish("session.idle", { sessionID })

  expect(heard).toEqual(["once", "always", "always"])
  expect(errors).toEqual([])
})
