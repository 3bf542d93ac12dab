import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createInactivityTimer } from "./inactivity-timer.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("ends when nothing is heard, and never for 0", () => {
  let late = 0
  createInactivityTimer(10, () => late++)
  createInactivityTimer(0, () => (late += 100))
  vi.advanceTimersByTime(60)
  expect(late).toBe(1)
})

it("waits on while it is held, as often as it is", () => {
  let late = 0
  const timer = createInactivityTimer(10, () => late++)
  const releases = [timer.hold(), timer.hold()]
  vi.advanceTimersByTime(40)
  releases[0]?.()
  releases[0]?.()
  timer.touch()
  vi.advanceTimersByTime(40)
  expect(late).toBe(0)

  releases[1]?.()
  vi.advanceTimersByTime(40)
  expect(late).toBe(1)
})

it("does not come back after its end", () => {
  let late = 0
  const timer = createInactivityTimer(10, () => late++)
  timer.end()
  timer.touch()
  vi.advanceTimersByTime(40)
  expect(late).toBe(0)
})
