import { expect, it } from "vitest"
import type { EngineEvent } from "../contracts/events.ts"
import { createEventQueue } from "./event-queue.ts"

const event = (id: string, type: "session.idle" | "message.part.delta" = "session.idle") => {
  return { id, type, properties: { sessionID: "ses_1" } } as EngineEvent
}
const delta = (id: string) => event(id, "message.part.delta")

/** A queue whose handler waits until it is let go. */
function heldQueue() {
  const handled: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let overflows = 0
  const queue = createEventQueue(
    async ({ id }) => {
      await released
      handled.push(id)
    },
    () => overflows++,
  )
  return { queue, handled, release, overflows: () => overflows }
}
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`)

it("handles events in their order, one at a time", async () => {
  const log: string[] = []
  const queue = createEventQueue(
    async ({ id }) => {
      log.push(`begin ${id}`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`end ${id}`)
    },
    () => expect.fail("it overflowed"),
  )
  const added = ["1", "2"].map((id) => queue.add(event(id)))
  await Promise.all(added)
  await queue.add(event("3"))
  expect(log).toEqual(["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
})

it("drops the oldest deltas first, and keeps everything else", async () => {
  const { queue, handled, release, overflows } = heldQueue()
  void queue.add(event("handled now"))
  for (const id of numbers(0, 400)) void queue.add(event(id))
  for (const id of numbers(400, 900)) void queue.add(delta(id))
  for (const id of numbers(900, 1_200)) void queue.add(event(id))
  expect(overflows()).toBe(1)
  release()
  await queue.idle()

  expect(handled).toEqual(["handled now", ...numbers(0, 400), ...numbers(600, 1_200)])
})

it("drops a delta that comes rather than another event that waits", async () => {
  const { queue, handled, release } = heldQueue()
  void queue.add(event("handled now"))
  for (const id of numbers(0, 1_000)) void queue.add(event(id))
  void queue.add(delta("late"))
  release()
  await queue.idle()
  expect(handled).toEqual(["handled now", ...numbers(0, 1_000)])
})

it("is bounded even where no delta waits", async () => {
  const { queue, handled, release } = heldQueue()
  void queue.add(event("handled now"))
  for (const id of numbers(0, 3_000)) void queue.add(event(id))
  release()
  await queue.idle()
  expect(handled).toEqual(["handled now", ...numbers(2_000, 3_000)])
})

it("tells of each overflow once", async () => {
  const { queue, release, overflows } = heldQueue()
  for (const id of numbers(0, 3_000)) void queue.add(delta(id))
  expect(overflows()).toBe(1)
  release()
  await queue.idle()

  for (const id of numbers(0, 3_000)) void queue.add(delta(id))
  expect(overflows()).toBe(2)
  await queue.idle()
})

it("forgets what waits, not what is being handled", async () => {
  const { queue, handled, release } = heldQueue()
  for (const id of numbers(0, 5)) void queue.add(event(id))
  expect(queue.clear()).toBe(4)
  release()
  await queue.idle()
  expect(handled).toEqual(["0"])
})
