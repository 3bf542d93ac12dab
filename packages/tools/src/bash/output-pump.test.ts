import { PassThrough, Readable } from "node:stream"
import { expect, it } from "vitest"
import { eventually } from "../../test/processes.ts"
import { pumpOutput } from "./output-pump.ts"

it("takes what is still on its way when the command has ended", async () => {
  const stream = new PassThrough()
  const taken: string[] = []
  const pump = pumpOutput(stream, (chunk) => void taken.push(String(chunk)))
  const settled = pump.settle()
  stream.write("late")
  stream.end("later")
  await settled
  expect(taken.join("")).toBe("latelater")
})

it("does not wait for a stream that stays open and quiet, and drops what comes then", async () => {
  const stream = new PassThrough()
  const taken: string[] = []
  const pump = pumpOutput(stream, (chunk) => void taken.push(String(chunk)))
  stream.write("before")
  await pump.settle()
  stream.write("after")
  await eventually(() => stream.readableLength === 0)
  expect(taken).toEqual(["before"])
  expect(stream.destroyed).toBe(false)
  stream.destroy()
})

it.concurrent("does not wait for ever for a stream that never stays quiet", async ({ expect }) => {
  const stream = new PassThrough()
  const timer = setInterval(() => stream.write("x"), 5)
  await expect(pumpOutput(stream, () => undefined).settle()).resolves.toBeUndefined()
  clearInterval(timer)
  stream.destroy()
})

it("hands over the next piece only when the last one was taken in", async () => {
  const stream = new PassThrough()
  const first = Promise.withResolvers<void>()
  const taken: string[] = []
  const pump = pumpOutput(stream, (chunk) => {
    taken.push(String(chunk))
    return taken.length === 1 ? first.promise : undefined
  })
  stream.write("one")
  await eventually(() => taken.length === 1)
  stream.end("two")
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toEqual(["one"])
  first.resolve()
  await pump.settle()
  expect(taken).toEqual(["one", "two"])
})

it.concurrent("takes no more from a stream that never stays quiet than a pipe holds, and reads on slowly", async ({
  expect,
}) => {
  let reads = 0
  const flood = new Readable({
    highWaterMark: 64 * 1024,
    read() {
      reads++
      setImmediate(() => this.push(Buffer.alloc(16 * 1024)))
    },
  })
  let taken = 0
  const pump = pumpOutput(flood, (chunk) => void (taken += chunk.length))
  await eventually(() => taken > 0)
  const before = taken + flood.readableLength
  await pump.settle()
  expect(taken - before).toBeLessThanOrEqual(64 * 1024)

  const start = performance.now()
  const [settled, readBefore] = [taken, reads]
  await eventually(() => reads > readBefore + 8)
  // Each of its chunks is a quarter of what is read at once.
  expect(reads - readBefore).toBeLessThanOrEqual((performance.now() - start) / 20 + 10)
  expect(taken).toBe(settled)
  flood.destroy()
})

it.concurrent("goes on reading although what it handed over is never taken in", async ({ expect }) => {
  const stream = new PassThrough()
  const pump = pumpOutput(stream, () => new Promise(() => undefined))
  stream.write("never taken in")
  await pump.settle()
  stream.write("after")
  await eventually(() => stream.readableLength === 0)
  expect(stream.destroyed).toBe(false)
  stream.destroy()
})
