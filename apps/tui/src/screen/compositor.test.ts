import { describe, expect, it } from "vitest"
import { createVirtualTerminal, frameProblems } from "../../test/virtual-terminal.ts"
import { createCompositor } from "./compositor.ts"

describe("a compositor", () => {
  it("prints finished lines above the live region", async () => {
    const { show, scrollback } = terminal(20, 5)

    await show([], ["> "])
    await show(["one", "two"], ["> a"])
    await show(["three", "four", "five", "six"], ["> ab", "status"])

    expect(scrollback()).toEqual(["one", "two", "three", "four", "five", "six", "> ab", "status"])
  })

  it("redraws from the first changed line on, and nothing without a change", async () => {
    const { show, screen } = terminal(20, 5)
    await show([], ["same", "old", "status"])

    const changed = await show([], ["same", "new", "status"])
    const unchanged = await show([], ["same", "new", "status"])

    expect(changed).not.toContain("same")
    expect(unchanged).toBe("")
    expect(screen()).toEqual(["same", "new", "status"])
  })

  it("grows and shrinks without leaving anything behind", async () => {
    const { show, screen } = terminal(20, 6)

    await show([], ["a"])
    await show([], ["a", "b", "c", "d"])
    await show([], ["a", "x"])
    await show([], ["y"])

    expect(screen()).toEqual(["y"])
  })

  it("keeps the last lines of a live region that is higher than the screen", async () => {
    const { show, screen, scrollback } = terminal(20, 4)

    await show([], ["1", "2", "3", "4", "5"])
    await show(["done"], ["4", "5"])

    expect(screen()).toEqual(["done", "4", "5"])
    expect(scrollback()).toEqual(["done", "4", "5"])
  })

  it("stands at the caret, whatever lies before it", async () => {
    const { show, cursor } = terminal(20, 5)

    await show([], ["above", "> 日本", "status"], { row: 1, column: 6 })
    expect(cursor()).toEqual({ row: 1, column: 6 })
    await show([], ["above", "> ab", "status"], { row: 1, column: 3 })

    expect(cursor()).toEqual({ row: 1, column: 3 })
  })

  it.each([
    ["wide characters", "日本語日本語日本語日本語"],
    ["a family of emoji", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"],
    ["combining marks", "é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂"],
    ["right-to-left text", "שלום עולם שלום עולם שלום"],
  ])("never wraps a live line of %s", async (_name, line) => {
    const { show, screen } = terminal(20, 6)

    await show(["done"], [line, "status"])
    await show(["more"], [line, "status"])

    expect(screen()).toHaveLength(4)
    expect(screen()[0]).toBe("done")
    expect(screen()[1]).toBe("more")
    expect(screen()[3]).toBe("status")
  })

  it("prints 10,000 lines into the scrollback in order", async () => {
    const { show, scrollback } = terminal(40, 10)
    const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at}`)

    for (let at = 0; at < lines.length; at += 500) await show(lines.slice(at, at + 500), ["> ", `at ${at}`])

    expect(scrollback()).toEqual([...lines, "> ", "at 9500"])
  })

  it.each([
    [10, 5],
    [40, 5],
    [20, 3],
    [20, 12],
    [7, 8],
  ])("has the same finished lines after a resize to %i x %i", async (columns, rows) => {
    const { show, resize, scrollback } = terminal(20, 5)
    await show(["one", "two", "three"], ["a longer live line", "> in", "status"], { row: 1, column: 4 })

    await resize(columns, rows)
    await show(["four"], ["live", "> input", "status"], { row: 1, column: 7 })

    const live = ["live", "> input", "status"].slice(-Math.min(3, rows - 1))
    expect(scrollback()).toEqual(["one", "two", "three", "four", ...live])
  })

  it("leaves only finished lines at its end", async () => {
    const { show, end, scrollback, cursor } = terminal(20, 5)
    await show(["one"], ["> a", "status"], { row: 0, column: 3 })

    await end()

    expect(scrollback()).toEqual(["one"])
    expect(cursor()).toEqual({ row: 1, column: 0 })
  })
})

/** A compositor in a terminal whose screen can be read. Each frame is checked for sequences that must not be there. */
function terminal(columns: number, rows: number) {
  const compositor = createCompositor()
  const terminal = createVirtualTerminal(columns, rows)
  async function write(frame: string): Promise<string> {
    expect(frameProblems(frame)).toEqual([])
    await terminal.write(frame)
    return frame
  }
  return {
    ...terminal,
    show: (commits: readonly string[], lines: readonly string[], caret?: { row: number; column: number }) =>
      write(compositor.frame(commits, { lines, caret }, terminal.size())),
    end: () => write(compositor.end()),
    resize: async (newColumns: number, newRows: number) => {
      terminal.resize(newColumns, newRows)
      await write(compositor.resized(terminal.size()))
    },
  }
}
