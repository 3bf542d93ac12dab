import { expect, it } from "vitest"
import { decodeCode, encodeCode } from "./code-file.ts"

const chunks = new Map([
  ["./start.cjs", Buffer.from("some code")],
  ["./ünïcode-ABCDEFGH.cjs", Buffer.from("12345678")],
  ["./empty-ABCDEFGH.cjs", Buffer.alloc(0)],
  ["./last-ABCDEFGH.cjs", Buffer.from([0, 255, 1])],
])

/** All that can be had of a file. */
function contentOf(file: Buffer): { readonly runs: number; readonly chunks: Map<string, Buffer> } | undefined {
  const written = decodeCode(file)
  if (!written) return undefined
  const { runs, names, code } = written
  return { runs, chunks: new Map(names.flatMap((name) => ((each) => (each ? [[name, each]] : []))(code(name)))) }
}

it("gives back what was put in", () => {
  expect(contentOf(encodeCode({ runs: 2, chunks }))).toEqual({ runs: 2, chunks })
})

it("begins each code at a whole word, where V8 reads it without a copy", () => {
  const decoded = contentOf(encodeCode({ runs: 1, chunks }))

  const offsets = [...(decoded?.chunks.values() ?? [])].map(({ byteOffset }) => byteOffset % 8)
  expect(new Set(offsets).size).toBe(1)
})

it("gives nothing else than what was put in of a file that was cut, wherever", () => {
  const file = encodeCode({ runs: 1, chunks })

  for (let length = 0; length < file.length; length++) {
    for (const [name, code] of contentOf(file.subarray(0, length))?.chunks ?? []) expect(code).toEqual(chunks.get(name))
  }
  expect(contentOf(file.subarray(0, 40))).toBeUndefined()
  expect(contentOf(file.subarray(0, -8))?.chunks.has("./last-ABCDEFGH.cjs")).toBe(false)
})

it("gives nothing else than what was put in of a file in which one bit has changed, wherever", () => {
  const file = encodeCode({ runs: 1, chunks })

  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file)
    changed[at] = (changed[at] ?? 0) ^ 1
    for (const [name, code] of contentOf(changed)?.chunks ?? []) expect(code).toEqual(chunks.get(name))
  }
})
