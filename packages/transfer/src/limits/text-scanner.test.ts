import { expect, it } from "vitest"
import { DocumentError } from "../document-error.ts"
import { type DocumentLimits, documentLimits } from "./document-limits.ts"
import { createTextScanner, limitedText } from "./text-scanner.ts"

const limits: DocumentLimits = {
  ...{ total: 5000, text: 100, content: 200, title: 10, path: 40, name: 20, entries: 5, values: 50, levels: 6 },
}

/** What is refused of a text that arrives in pieces of this length. */
function refused(text: string, length: number): string | undefined {
  const scanner = createTextScanner(limits)
  try {
    for (let at = 0; at < text.length; at += length) scanner.take(text.slice(at, at + length))
    scanner.end()
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(DocumentError)
    return (error as Error).message.replace("The document cannot be imported: at ", "").replace(/ Shorten.*/, "")
  }
}

const x = (count: number) => "x".repeat(count)
const document = (session: object) => JSON.stringify({ sessions: [{ session }] })

it.each<[object, unknown]>([
  [{ title: x(10) }, undefined],
  [{ title: x(11) }, "$.sessions[0].session.title: It has 11 characters, and at most 10 are read."],
  [{ title: `${x(8)}"` }, undefined],
  [{ title: `${x(9)}"` }, "$.sessions[0].session.title: It has 11 characters, and at most 10 are read."],
  [{ id: x(20), directory: x(40) }, undefined],
  [{ id: x(21) }, "$.sessions[0].session.id: It has 21 characters, and at most 20 are read."],
  [{ directory: x(41) }, "$.sessions[0].session.directory: It has 41 characters, and at most 40 are read."],
  [{ metadata: { id: x(100), title: x(100) } }, undefined],
  [{ metadata: { id: x(101) } }, "$.sessions[0].session.metadata.id: It has 101 characters, and at most 100 are read."],
  [
    { 'a"b\\': x(101) },
    /* spelled as it stands in the text */ '$.sessions[0].session["a\\\\\\"b\\\\\\\\"]: It has 101 characters, and at most 100 are read.',
  ],
  [{ url: x(200), state: { title: x(100) } }, undefined],
  [{ url: x(201) }, "$.sessions[0].session.url: It has 201 characters, and at most 200 are read."],
  [{ [x(41)]: 1 }, "$.sessions[0].session: It has 41 characters, and at most 40 are read."],
  [{ list: [1, 2, 3, 4, 5] }, undefined],
  [{ list: [1, 2, 3, 4, 5, 6] }, "$.sessions[0].session.list: It has 6 entries, and at most 5 are read."],
  [{ a: 1, b: 2, c: "3", d: { e: 1 }, f: [] }, undefined],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, "$.sessions[0].session: It has 6 entries, and at most 5 are read."],
  [{ a: { b: [] } }, undefined],
  [{ a: { b: [[]] } }, expect.stringContaining("It is nested deeper than 6 levels")],
])("looks at %j, in whatever pieces it comes", (session, expected) => {
  const text = document(session)
  for (const length of [1, 2, 3, 7, text.length]) expect(refused(text, length)).toEqual(expected)
})

it("refuses a number without an end, a text without an end, too many values and too much of all", () => {
  expect(refused(`{"a":${"1".repeat(21)}}`, 5)).toBe("$.a: It has 21 characters, and at most 20 are read.")
  expect(refused(`{"a":"${x(500)}`, 50)).toBe("$.a: It has 500 characters, and at most 100 are read.")
  const many = `[${Array.from({ length: 5 }, () => "[[],[],[],[],[]]").join(",")}]`
  expect(refused(`[${many},${many}]`, 10)).toContain("lists and objects, and at most 50 are read")
  expect(refused(`[${" ".repeat(5000)}]`, 100)).toContain("$: It has 5,002 characters, and at most 5,000")
})

it("takes in no piece of what it refuses", async () => {
  let read = 0
  async function* endless() {
    yield '{"format":"pawl-session","version":1,"sessions":[\n{"session":{"title":"'
    for (; read < 200; read++) yield x(2 ** 20)
    yield '"}'
  }
  const taken: number[] = []
  const work = (async () => {
    for await (const piece of limitedText(endless())) taken.push(piece.length)
  })()
  await expect(work).rejects.toThrow(
    `at $.sessions[0].session.title: It has ${(200 * 2 ** 20).toLocaleString("en-US")} characters, and at most ` +
      `${documentLimits.title.toLocaleString("en-US")} are read. Shorten it there`,
  )
  expect(read).toBe(200)
  expect(taken).toHaveLength(1)
})
