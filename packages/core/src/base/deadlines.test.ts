import { getEventListeners } from "node:events"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { within } from "./deadlines.ts"

const late = () => new Error("late")
const never = new Promise<never>(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("gives the promise's value and leaves no timer behind", async () => {
  await expect(within(1_000, Promise.resolve("done"), late)).resolves.toBe("done")
  expect(vi.getTimerCount()).toBe(0)
})

it("gives the promise's own error and leaves no timer behind", async () => {
  await expect(within(1_000, Promise.reject(new Error("broken")), late)).rejects.toThrow("broken")
  expect(vi.getTimerCount()).toBe(0)
})

it("waits until the deadline and not longer", async () => {
  const outcome: string[] = []
  const waiting = within(1_000, never, late).catch((error: Error) => outcome.push(error.message))

  await vi.advanceTimersByTimeAsync(999)
  expect(outcome).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(outcome).toEqual(["late"])
})

it("makes the error of being late only when it is late", async () => {
  const made = vi.fn(late)
  await within(1_000, Promise.resolve(), made)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(made).not.toHaveBeenCalled()
})

it("waits for ever with 0", async () => {
  let ended = false
  void within(0, never, late).finally(() => (ended = true))
  await vi.advanceTimersByTimeAsync(1e12)
  expect(ended).toBe(false)
})

it("keeps a rejection that comes after the deadline to itself", async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  const waiting = within(10, promise, late).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10)
  expect(await waiting).toMatchObject({ message: "late" })
  // The runner fails on an unhandled rejection.
  reject(new Error("too late to matter"))
  await vi.advanceTimersByTimeAsync(1)
})

it("ends with the signal's reason as soon as it aborts, and leaves nothing behind", async () => {
  const controller = new AbortController()
  const reason = new Error("stopped")
  const waiting = within(0, never, late, controller.signal).catch((error: unknown) => error)
  const bounded = within(1_000, never, late, controller.signal).catch((error: unknown) => error)
  controller.abort(reason)

  expect([await waiting, await bounded]).toEqual([reason, reason])
  await expect(within(0, never, late, controller.signal)).rejects.toBe(reason)
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(controller.signal, "abort")).toEqual([])
})

it("leaves no listener on a signal that goes on", async () => {
  const { signal } = new AbortController()
  await within(1_000, Promise.resolve(), late, signal)
  expect(getEventListeners(signal, "abort")).toEqual([])
})

it("waits for a month where a month is asked for", async () => {
  vi.useRealTimers()
  const soon = new Promise((resolve) => setTimeout(resolve, 20, "done"))
  await expect(within(30 * 86_400_000, soon, late)).resolves.toBe("done")
})
