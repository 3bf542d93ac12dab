import { expect, it } from "vitest"
import { toGrepMatch } from "./grep-match.ts"

function record(lines: object, start = 0): string {
  const data = {
    path: { text: "./a.ts" },
    lines,
    line_number: 7,
    absolute_offset: 0,
    submatches: [{ start, end: start + 1 }],
  }
  return JSON.stringify({ type: "match", data })
}

it("reads a match", () => {
  expect(toGrepMatch(record({ text: "größe x\r\n" }, 8))).toEqual({
    path: "./a.ts",
    line: 7,
    text: "größe x",
    column: 6,
  })
})

it("reads a line that is no UTF-8", () => {
  const bytes = Buffer.from("caf\xe9\n", "latin1").toString("base64")
  expect(toGrepMatch(record({ bytes }))).toMatchObject({ text: "caf\uFFFD" })
})

it("takes nothing else for a match", () => {
  expect(toGrepMatch('{"type":"begin","data":{"path":{"text":"./a.ts"}}}')).toBeUndefined()
})
