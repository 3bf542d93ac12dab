import { expect, it, vi } from "vitest"
import { createEventLog, type LoggedEvent } from "./event-log.ts"

const event = (n: number, text = "") => ({ id: `evt_${n}`, type: "test", properties: { n, text } })
const numbers = (logged: readonly LoggedEvent[] | undefined) => logged?.map((each) => each.event.properties["n"])

it("returns what came after a position, and nothing after the newest", () => {
  const log = createEventLog()
  const start = log.position
  for (const n of [1, 2, 3]) log.append("/a", event(n))
  expect(numbers(log.after(start))).toEqual([1, 2, 3])
  const [first] = log.after(start) ?? []
  expect(numbers(log.after(first?.position ?? ""))).toEqual([2, 3])
  expect(log.after(log.position)).toEqual([])
})

it.each(["", "x", "0.0", "aaaaaaaaaaaa.1", "1", "-1", "9".repeat(400)])("does not know the position %j", (position) => {
  const log = createEventLog()
  log.append("/a", event(1))
  expect(log.after(position)).toBeUndefined()
})

it("does not know a position of another server, or one that has not come yet", () => {
  const log = createEventLog()
  log.append("/a", event(1))
  const [epoch = "", number = ""] = log.position.split(".")
  expect(log.after(`${epoch}.${Number(number) + 1}`)).toBeUndefined()
  expect(createEventLog().after(log.position)).toBeUndefined()
})

it("keeps the newest events within its memory, and says which ones are gone", () => {
  const log = createEventLog({ maxBytes: 100_000 })
  const start = log.position
  const positions: string[] = []
  for (let n = 0; n < 2000; n++) {
    log.append("/a", event(n, "x".repeat(100)))
    positions.push(log.position)
  }
  expect(log.after(start)).toBeUndefined()
  const oldest = positions.findIndex((position) => log.after(position) !== undefined)
  expect(2000 - oldest).toBeGreaterThan(100)
  expect(2000 - oldest).toBeLessThan(1000)
  const kept = numbers(log.after(positions[oldest] ?? ""))
  expect(kept).toEqual(Array.from({ length: 1999 - oldest }, (_, index) => oldest + 1 + index))
})

it("waits until all streams have written, but not long for one that does not", async () => {
  const log = createEventLog()
  let write: () => void = () => undefined
  const remove = log.addStream({ close: () => undefined, delivered: () => new Promise((resolve) => (write = resolve)) })
  let isDelivered = false
  const delivered = log.delivered().then(() => (isDelivered = true))
  await Promise.resolve()
  expect(isDelivered).toBe(false)
  write()
  await delivered
  remove()
  let read: () => void = () => undefined
  const still = vi.fn(() => new Promise<void>((resolve) => (read = resolve)))
  log.addStream({ close: () => undefined, delivered: still })
  await log.delivered()
  expect(still).toHaveBeenCalledTimes(1)
  // It is not waited for again until it has read.
  await log.delivered()
  expect(still).toHaveBeenCalledTimes(1)
  read()
  await Promise.resolve()
  const again = log.delivered()
  expect(still).toHaveBeenCalledTimes(2)
  read()
  await again
})
