import { getEventListeners } from "node:events"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { InactivityError, supervise } from "./supervise.ts"

const never = new Promise<never>(() => {})
const reason = new Error("stopped by the user")

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Work under supervision: what became of it, and what it left behind. */
function supervised<T>(inactivity: number, work: Parameters<typeof supervise<T>>[1], grace = 5_000) {
  const controller = new AbortController()
  const end: { value?: T; error?: unknown } = {}
  const { signal } = controller
  supervise({ signal, inactivity, grace }, work).then(
    (value) => (end.value = value),
    (error: unknown) => (end.error = error),
  )
  const leftovers = () => ({ timers: vi.getTimerCount(), listeners: getEventListeners(signal, "abort").length })
  return { controller, end, leftovers }
}
const nothing = { timers: 0, listeners: 0 }

/** Work that ends soon after it is told to. */
const obedient = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("I was told to stop")))
  })

describe("work that ends by itself", () => {
  it.each<[string, Parameters<typeof supervise<string>>[1], object]>([
    ["gives its value", async () => "done", { value: "done" }],
    ["gives its error", async () => Promise.reject(reason), { error: reason }],
    [
      "may throw before its first wait",
      () => {
        throw reason
      },
      { error: reason },
    ],
  ])("%s and leaves nothing behind", async (_name, work, expected) => {
    const { end, leftovers } = supervised(60_000, work)
    await vi.advanceTimersByTimeAsync(0)
    expect(end).toEqual(expected)
    expect(leftovers()).toEqual(nothing)
  })
})

describe("an abort", () => {
  it("stops the work and rejects with its own reason, not the work's", async () => {
    const { controller, end, leftovers } = supervised(60_000, obedient)
    await vi.advanceTimersByTimeAsync(1_000)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect(end).toEqual({ error: reason })
    expect(leftovers()).toEqual(nothing)
  })

  it("gives work up that does not heed it, once its grace is over", async () => {
    const { controller, end, leftovers } = supervised(0, () => never)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(end).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(end).toEqual({ error: reason })
    expect(leftovers()).toEqual(nothing)
  })

  it("waits for ever with a grace of 0", async () => {
    const { controller, end } = supervised(0, () => never, 0)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(2 ** 31)
    expect(end).toEqual({})
  })

  it("leaves work its value that ends well within the grace", async () => {
    const work = (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("as far as I came")))
    const { controller, end, leftovers } = supervised(0, work)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(0)
    expect(end).toEqual({ value: "as far as I came" })
    expect(leftovers()).toEqual(nothing)
  })

  it("that came before keeps the work from beginning", async () => {
    const work = vi.fn(async () => "done")
    await expect(supervise({ signal: AbortSignal.abort(reason), inactivity: 0, grace: 0 }, work)).rejects.toBe(reason)
    expect(work).not.toHaveBeenCalled()
  })

  it("that comes after the end does nothing", async () => {
    let given: AbortSignal | undefined
    const { controller, end } = supervised(0, async (signal) => {
      given = signal
      return "done"
    })
    await vi.advanceTimersByTimeAsync(0)
    controller.abort(reason)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(end).toEqual({ value: "done" })
    expect(given?.aborted).toBe(false)
  })
})

describe("silence", () => {
  it("stops the work and says for how long nothing came", async () => {
    const { end, leftovers } = supervised(60_000, obedient)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(end).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(end.error).toBeInstanceOf(InactivityError)
    expect(end.error).toMatchObject({ message: "No progress for 60 s." })
    expect(leftovers()).toEqual(nothing)
  })

  it("counts from the last sign of life", async () => {
    let alive = () => {}
    const { end } = supervised(60_000, (signal, sign) => {
      alive = sign
      return obedient(signal)
    })
    for (let n = 0; n < 10; n++) {
      await vi.advanceTimersByTimeAsync(50_000)
      alive()
    }
    await vi.advanceTimersByTimeAsync(59_999)
    expect(end).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(end.error).toBeInstanceOf(InactivityError)
  })

  it("gives work up that does not heed its signal", async () => {
    const { end, leftovers } = supervised(60_000, () => never)
    await vi.advanceTimersByTimeAsync(64_999)
    expect(end).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(end.error).toBeInstanceOf(InactivityError)
    expect(leftovers()).toEqual(nothing)
  })

  it.each([
    ["is not minded with 0", 0],
    ["may last longer than a timer can", 2 ** 32],
  ])("%s", async (_name, inactivity) => {
    const { end } = supervised(inactivity, obedient)
    await vi.advanceTimersByTimeAsync(2 ** 31 + 1_000)
    expect(end).toEqual({})
  })
})
