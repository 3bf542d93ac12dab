import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { newID, session, store, turn } from "../test/sessions.ts"
import { writeSession } from "./export.ts"
import { readDocument } from "./read-document.ts"

async function exported({ blobs }: { blobs: number }): Promise<string> {
  const storage = memoryStorage()
  const parent = session({ title: 'line\u2028separator ],"blobs":[' })
  const ids = await Promise.all(
    Array.from({ length: blobs }, (_, at) => storage.blobs.put(Buffer.from(`blob ${at}`.repeat(20_000)))),
  )
  await store(storage, parent, [...ids.flatMap((blob) => turn(parent.id, "x", { blob })), ...turn(parent.id, "y\nz")])
  const child = session({ id: newID.session(), parentID: parent.id })
  await store(storage, child, turn(child.id, "below"))
  const empty = session({ id: newID.session(), parentID: child.id })
  await store(storage, empty, [])
  let text = ""
  await writeSession(storage, parent.id, (piece) => (text += piece))
  return text
}

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

it.each([0, 1, 3])("reads line by line what was written, with %d blobs", async (blobs) => {
  const text = await exported({ blobs })
  for (const length of [100, 64_000, text.length]) {
    const document = await readDocument(inPieces(text, length))
    expect(document).toEqual(JSON.parse(text))
  }
})

it("leaves every other text to who reads it whole", async () => {
  const text = await exported({ blobs: 1 })
  const lines = text.split("\n")
  const others = [
    "",
    "{}",
    JSON.stringify(JSON.parse(text)),
    JSON.stringify(JSON.parse(text), undefined, 2),
    text.slice(0, -3),
    `${text}{}`,
    ...lines.slice(0, -1).map((_, at) => lines.filter((_line, other) => other !== at).join("\n")),
  ]
  const read = await Promise.all(others.map((other) => readDocument(inPieces(other, 1000))))
  // Without a message in the middle or an empty line it is still JSON, and says the same.
  for (const [at, document] of read.entries()) {
    if (document !== undefined) expect(document).toEqual(JSON.parse(others[at] ?? ""))
  }
  expect(read.slice(0, 6)).toEqual(Array(6).fill(undefined))
})
