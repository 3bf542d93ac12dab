import { expect, it } from "vitest"
import { createEventLog } from "./event-log.ts"
import { eventStream } from "./event-stream.ts"

const MINUTES = 600_000
const event = (n: number) => ({ id: `evt_${n}`, type: "test", properties: { n } })

function following(gather: number) {
  const log = createEventLog()
  const reader = eventStream(log, { gather }).getReader()
  const decoder = new TextDecoder()
  /** Returns the numbers of the events that are written together. */
  const written = async () => {
    const { value } = await reader.read()
    return [...decoder.decode(value).matchAll(/"n":(\d+)/g)].map(([, digits]) => Number(digits))
  }
  return { log, reader, written }
}

it("writes events that follow a write closely together, and at once for a request that waits for them", async () => {
  const { log, reader, written } = following(MINUTES)
  await written()
  const both = written()
  log.append("/a", event(1))
  await new Promise((resolve) => setImmediate(resolve))
  log.append("/a", event(2))

  const delivered = log.delivered()

  expect(await both).toEqual([1, 2])
  const end = reader.read()
  await delivered
  await reader.cancel()
  await end
})

it("writes the first event after a pause at once", async () => {
  const { log, reader, written } = following(0)
  await written()
  const first = written()
  log.append("/a", event(1))
  expect(await first).toEqual([1])
  await reader.cancel()
})

it("writes what was gathered when the time is over", async () => {
  const { log, reader, written } = following(20)
  await written()
  const gathered = written()
  log.append("/a", event(1))
  expect(await gathered).toEqual([1])
  await reader.cancel()
})

it("ends while it gathers", async () => {
  const { log, reader, written } = following(MINUTES)
  await written()
  const next = reader.read()
  log.append("/a", event(1))
  await new Promise((resolve) => setImmediate(resolve))
  log.close()
  expect(await next).toEqual({ done: true, value: undefined })
})
