import { expect, it, vi } from "vitest"
import { createFlow } from "@pawl/terminal-text/flow"
import { createLiveText } from "./live-text.ts"

function recorded(columns = 20) {
  const shown: string[] = []
  const live = createLiveText(
    createFlow(() => columns),
    (text) => void (text === "" || shown.push(text)),
  )
  return { live, shown }
}

it("shows deltas together, and not one by one", async () => {
  const { live, shown } = recorded(Infinity)

  for (let count = 0; count < 10_000; count++) live.append("word ")
  await new Promise((resolve) => setTimeout(resolve, 40))
  live.end()

  expect(shown.join("")).toBe("word ".repeat(10_000).trimEnd())
  expect(shown.length).toBeLessThan(10)
})

it("shows nothing of the white space around a text", () => {
  const { live, shown } = recorded()

  live.append("\n\n  ")
  live.append("text")
  live.append("\n\n")

  expect(live.end()).toBe(true)
  expect(shown.join("")).toBe("text")
})

it("says whether anything was shown, and starts over", () => {
  const { live, shown } = recorded()

  live.append(" \n")
  expect(live.end()).toBe(false)
  live.append("\nnext")
  expect(live.end()).toBe(true)
  expect(live.end()).toBe(false)
  expect(shown.join("")).toBe("next")
})

it("neither obeys nor counts what is not to be seen", () => {
  const { live, shown } = recorded()

  live.append("\u001B[31mred\u001B[0m and \u001B[1mbold\u001B[0m text that goes on")
  live.end()

  expect(shown.join("")).toBe("red and bold text\nthat goes on")
})

it("shows a character whole that comes in two halves", () => {
  vi.useFakeTimers()
  const { live, shown } = recorded()

  live.append(`${"x".repeat(40)}\ud83d`)
  vi.runOnlyPendingTimers()
  live.append("\ude00 end")
  vi.runOnlyPendingTimers()
  live.end()
  vi.useRealTimers()

  expect(shown.join("")).toBe(`${"x".repeat(40)}\u{1F600}\nend`)
  expect(shown.every((piece) => piece.isWellFormed())).toBe(true)
})
