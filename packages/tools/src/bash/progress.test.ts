import { setTimeout as delay } from "node:timers/promises"
import { expect, it } from "vitest"
import { createProgress } from "./progress.ts"

it("reports many changes as few, the last one included", async () => {
  let changes = 0
  const reported: number[] = []
  const progress = createProgress(() => reported.push(changes), 20)
  const start = performance.now()
  while (performance.now() - start < 100) {
    changes++
    progress.changed()
    await delay(1)
  }
  const elapsed = performance.now() - start
  await delay(40)
  expect(reported.at(-1)).toBe(changes)
  expect(reported.length).toBeGreaterThan(1)
  expect(reported.length).toBeLessThanOrEqual(elapsed / 20 + 2)
})

it("reports nothing after it was stopped", async () => {
  let reports = 0
  const progress = createProgress(() => reports++, 1)
  progress.changed()
  progress.stop()
  progress.changed()
  await delay(10)
  expect(reports).toBe(0)
})
