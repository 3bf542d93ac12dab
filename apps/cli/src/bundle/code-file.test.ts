import { expect, it } from "vitest"
import { decodeCode, encodeCode } from "./code-file.ts"

const chunks = new Map([
  ["./start.cjs", Buffer.from("some code")],
  ["./ünïcode-ABCDEFGH.cjs", Buffer.from("12345678")],
  ["./empty-ABCDEFGH.cjs", Buffer.alloc(0)],
  ["./last-ABCDEFGH.cjs", Buffer.from([0, 255, 1])],
])

it("gives back what was put in", () => {
  expect(decodeCode(encodeCode({ runs: 2, chunks }))).toEqual({ runs: 2, chunks })
})

it("begins each code at a whole word, where V8 reads it without a copy", () => {
  const decoded = decodeCode(encodeCode({ runs: 1, chunks }))

  const offsets = [...(decoded?.chunks.values() ?? [])].map(({ byteOffset }) => byteOffset % 8)
  expect(new Set(offsets).size).toBe(1)
})

it("takes nothing of a file that was cut, wherever", () => {
  const file = encodeCode({ runs: 1, chunks })

  for (let length = 0; length < file.length; length++) expect(decodeCode(file.subarray(0, length))).toBeUndefined()
})

it("takes nothing of a file in which one bit has changed, wherever", () => {
  const file = encodeCode({ runs: 1, chunks })

  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(decodeCode(changed)).toBeUndefined()
  }
})
