import { expect, it } from "vitest"
import { toGrepMatch } from "./grep-match.ts"

it("reads a match", () => {
  expect(toGrepMatch("./a.ts\x007:8:größe x\r", true)).toEqual({ path: "./a.ts", line: 7, text: "größe x", column: 5 })
  expect(toGrepMatch("./a\nb.ts\x007:8:x", false)).toEqual({
    path: "./a\nb.ts",
    line: 7,
    text: "8:x",
    column: undefined,
  })
})

it("takes the note on a cut line away, and what a line says itself for text", () => {
  const long = "x".repeat(64_000)
  expect(toGrepMatch(`./a\x001:${long} [... omitted end of long line]`, false).text).toBe(long)
  expect(toGrepMatch(`./a\x001:1:${long} [... 12 more matches]`, true).text).toBe(long)
  expect(toGrepMatch("./a\x001:1:x [... 12 more matches]", true).text).toBe("x [... 12 more matches]")
})

it("does not say where a match is that lies behind the cut", () => {
  expect(toGrepMatch("./a\x001:9:abc", true).column).toBeUndefined()
})

it("takes notes on binary files for no part of the next path", () => {
  const notes =
    './a.bin: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n' +
    './b.bin: binary file matches (found "\\0" byte around offset 9)\n'
  expect(toGrepMatch(`${notes}./c\nd.txt\x001:1:x`, true)).toMatchObject({ path: "./c\nd.txt" })
})
