import { describe, expect, it } from "vitest"
import { createKeyReader, type KeyPress, toKeyPress } from "./keys.ts"

describe("a key", () => {
  it.each([
    ["\r", "enter", undefined],
    ["\u001B\r", "alt+enter", undefined],
    ["\u001B[1;3A", "alt+up", undefined],
    ["\u001B[Z", "shift+tab", undefined],
    ["\u0003", "ctrl+c", undefined],
    ["\u001A", "ctrl+z", undefined],
    ["\u001B", "escape", undefined],
    ["\u007F", "backspace", undefined],
    ["a", "a", "a"],
    ["語", "語", "語"],
    ["\u001B[13;3u", "alt+enter", undefined],
    ["\u001B[99;5u", "ctrl+c", undefined],
  ])("of %j is %s", (data, name, text) => {
    const key = toKeyPress(data)

    expect([key.name, key.text]).toEqual([name, text])
  })

  it("is Escape twice if both come at once", async () => {
    const keys: KeyPress[] = []
    const reader = createKeyReader({ onKey: (key) => keys.push(key), onReport: () => undefined })

    reader.push("\u001B\u001B")

    await expect.poll(() => keys.map(({ name }) => name)).toEqual(["escape", "escape"])
    reader.close()
  })

  it("is read whole from pieces, and a paste as one", () => {
    const keys: KeyPress[] = []
    const reports: string[] = []
    const reader = createKeyReader({ onKey: (key) => keys.push(key), onReport: (report) => reports.push(report) })

    for (const piece of ["\u001B[1;", "3A", "\u001B[200~one\ntwo", "\u001B[201~", "\u001B[?1u"]) reader.push(piece)
    reader.close()

    expect(keys.map(({ name, text }) => [name, text])).toEqual([
      ["alt+up", undefined],
      ["paste", "one\ntwo"],
    ])
    expect(reports).toEqual(["\u001B[?1u"])
  })
})
