import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createProgress } from "./progress.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it("reports many changes as few, the last one included", () => {
  let changes = 0
  const reported: number[] = []
  const progress = createProgress(() => reported.push(changes), 20)
  for (let elapsed = 0; elapsed < 100; elapsed++) {
    changes++
    progress.changed()
    vi.advanceTimersByTime(1)
  }
  vi.advanceTimersByTime(40)
  expect(reported.at(-1)).toBe(changes)
  expect(reported.length).toBeGreaterThan(1)
  expect(reported.length).toBeLessThanOrEqual(100 / 20 + 2)
})

it("reports nothing after it was stopped", () => {
  let reports = 0
  const progress = createProgress(() => reports++, 1)
  progress.changed()
  progress.stop()
  progress.changed()
  vi.advanceTimersByTime(10)
  expect(reports).toBe(0)
})
