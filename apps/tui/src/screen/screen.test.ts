import { describe, expect, it } from "vitest"
import { createScreen, type Frame } from "./screen.ts"

describe("a screen", () => {
  it("draws the first change at once, and others at most 30 times a second", () => {
    const { screen, frames, pass } = manualScreen()

    screen.changed()
    pass(0)
    for (let at = 0; at < 1000; at++) {
      screen.changed()
      pass(1)
    }

    expect(frames()).toBeGreaterThan(25)
    expect(frames()).toBeLessThanOrEqual(32)
  })

  it("echoes a key sooner", () => {
    const { screen, frames, pass } = manualScreen()
    screen.changed()
    pass(0)

    screen.changed()
    screen.changed(true)
    pass(8)

    expect(frames()).toBe(2)
  })

  it("writes nothing without a change", () => {
    const { screen, written, pass, show } = manualScreen()
    show({ commits: [], live: { lines: ["> "] } })
    screen.changed()
    pass(0)
    const before = written().length

    screen.changed()
    pass(10_000)

    expect(written()).toHaveLength(before)
  })

  it("waits for a terminal that is slower than the changes", () => {
    const { screen, frames, pass, busy } = manualScreen()
    busy(true)
    screen.changed()
    pass(0)
    screen.changed()
    pass(100)
    expect(frames()).toBe(0)

    busy(false)

    expect(frames()).toBe(1)
  })

  it("draws nothing while another program has the terminal", () => {
    const { screen, frames, pass } = manualScreen()
    screen.changed()
    pass(0)

    screen.suspend()
    screen.changed()
    pass(100)
    expect(frames()).toBe(1)

    screen.resume()
    expect(frames()).toBe(2)
  })
})

/** A screen whose clock and terminal a test moves. */
function manualScreen() {
  let now = 1000
  let timers: { at: number; run: () => void }[] = []
  let frames = 0
  let isBusy = false
  let onFree: (() => void) | undefined
  let written = ""
  let frame: Frame | undefined
  const screen = createScreen({
    output: { write: (text) => (written += text), isBusy: () => isBusy, onceFree: (listener) => (onFree = listener) },
    timer: {
      now: () => now,
      after(milliseconds, run) {
        const timer = { at: now + milliseconds, run }
        timers.push(timer)
        return () => (timers = timers.filter((each) => each !== timer))
      },
    },
    size: () => ({ columns: 20, rows: 5 }),
    compose() {
      frames++
      return frame ?? { commits: [], live: { lines: [`frame ${frames}`] } }
    },
  })
  return {
    screen,
    frames: () => frames,
    written: () => written,
    show: (next: Frame) => (frame = next),
    pass: (milliseconds: number) => {
      now += milliseconds
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { run } of due) run()
    },
    busy: (next: boolean) => {
      isBusy = next
      if (!next) onFree?.()
    },
  }
}
