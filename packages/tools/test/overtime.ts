import { existsSync } from "node:fs"
import { expect, onTestFinished, vi } from "vitest"

/** What comes of running work when this many milliseconds pass at once, as soon as the file is there that the work makes. */
export async function overtime<T>(work: () => Promise<T>, milliseconds: number, file: string): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const running = work()
  await expect.poll(() => existsSync(file)).toBe(true)
  vi.advanceTimersByTime(milliseconds)
  vi.useRealTimers()
  return running
}
