import { expect, it } from "vitest"
import { createMessageLines } from "./message-lines.ts"

it("divides whatever pieces come into lines, characters whole", () => {
  const bytes = Buffer.from('{"a":"🐾"}\r\n\n{"b":1}\nrest')
  for (const size of [1, 3, 7, bytes.length]) {
    const lines: string[] = []
    const take = createMessageLines((line) => lines.push(line))
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size))
    expect(lines).toEqual(['{"a":"🐾"}', "", '{"b":1}'])
  }
})
