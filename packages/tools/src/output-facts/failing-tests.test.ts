import { describe, expect, it } from "vitest"
import { testRun } from "./failing-tests.ts"

it.each([
  ["a linter", "/repo/a.ts\n  1:1  error  Unexpected var\n\n✖ 3 problems (3 errors, 0 warnings)\n"],
  ["a compiler", "src/a.ts(1,1): error TS2304: Cannot find name 'x'.\nERROR: build stopped\nFAILED: a.o\n"],
  ["a numbered list", "  1) first:\n  2) second:\n1) App\\Test::x\n"],
  ["a missing program", "bash: pytest: command not found\n"],
])("names nothing in the output of %s that failed", (_, output) => {
  expect(testRun(output, 1)).toBeUndefined()
})

it("believes lines that cannot be mistaken of a run that did not come to its end", () => {
  expect(testRun("=== RUN TestAdd\n--- FAIL: TestAdd (0.00s)\n=== RUN TestSlow\n", undefined)).toEqual({
    isFailed: true,
    failing: ["TestAdd"],
  })
  expect(testRun("--- FAIL: TestAdd (0.00s)\n", 0)).toEqual({ isFailed: false, failing: [] })
})

it("sees through colours", () => {
  const red = (text: string) => `\u001B[31m${text}\u001B[39m`
  const output = `${red(" FAIL ")} a.test.ts > adds\n\n ${red("Test Files")}  ${red("1 failed")} (1)\n`
  expect(testRun(output, 1)?.failing).toEqual(["a.test.ts > adds"])
})

it("names 20 at most, of 200 characters at most", () => {
  const output = Array.from({ length: 50 }, (_, n) => `--- FAIL: Test${n}${"x".repeat(300)}\n`).join("")
  const names = testRun(`${output}FAIL\n`, 1)?.failing ?? []
  expect(names).toHaveLength(20)
  expect(names.every((name) => name.length === 200)).toBe(true)
})

it("finds names before thousands of lines of something else", () => {
  const report = " FAIL  a.test.ts > adds\nAssertionError: no\n\n Test Files  1 failed (1)\n"
  expect(testRun(`${report}${"    1| const a = 1\n".repeat(4000)}`, 1)?.failing).toEqual(["a.test.ts > adds"])
})

describe("of ten megabytes it takes no longer than of the part that it looks at", () => {
  const size = 10 * 2 ** 20
  it.each([
    ["one line", "x"],
    ["spaces", " "],
    ["empty lines", "\n"],
    ["marks of failure", "✖ "],
    ["names without an end", "FAIL  a > b > c "],
    ["lists", "  1) a\n"],
    ["pytest words", "1 passed, "],
    ["brackets", "FAIL [ "],
    ["files", "a.py::b "],
  ])("%s", (_, piece) => {
    // Without such a word it would not be looked at.
    const output = `${piece.repeat(Math.ceil(size / piece.length))}\nerror`
    const took = (text: string) => {
      const start = process.cpuUsage()
      testRun(text, 1)
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    const part = output.slice(-(2 ** 20))
    took(part)
    // Work that grows with the square would take 100 times as long.
    expect(took(output)).toBeLessThan(Math.max(took(part) * 20, 200_000))
  })

  it("and finds the names at the end", () => {
    expect(testRun(`${"log\n".repeat(size / 4)}--- FAIL: TestAdd (0.00s)\nFAIL\n`, 1)?.failing).toEqual(["TestAdd"])
  })
})
