import type { Part } from "@pawl/core/storage"
import { expect } from "vitest"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleFullSession,
  sampleParts,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { collect, putMessage, putPart, putSession } from "../writes.ts"

const session = sessionID(1)
const message = messageID(1)

/** Stores the part and expects the same one from each read method. */
async function expectRoundTrip({ storage }: SpecContext, part: Part): Promise<void> {
  const info = sampleUserMessage(session, message)
  await storage.commit(session, [putSession(sampleSession(session)), putMessage(info), putPart(part)])
  expect((await storage.readContext(session)).messages).toEqual([{ info, parts: [part] }])
  expect(await collect(storage.readMessages(session))).toEqual([{ info, parts: [part] }])
  expect((await storage.readChanges(session, 0)).at(-1)).toEqual({ type: "part.put", revision: 1, part })
}

function textPart(text: string): Part {
  return sampleText(session, message, partID(1), { text })
}

export const roundTrip = section("round trip", {
  "returns a session with all its fields": async ({ storage }) => {
    const full = sampleFullSession(session)
    await storage.commit(session, [putSession(full)])
    expect(await storage.getSession(session)).toEqual(full)
    expect((await storage.readContext(session)).session).toEqual(full)
    expect(await collect(storage.listSessions())).toEqual([full])
    expect(await storage.readChanges(session, 0)).toEqual([{ type: "session.put", revision: 1, session: full }])
  },
  "knows no session that was never stored": async ({ storage }) => {
    expect(await storage.getSession(session)).toBeUndefined()
    expect(await collect(storage.listSessions())).toEqual([])
  },
  "returns user and assistant messages with all their fields": async ({ storage }) => {
    const user = sampleUserMessage(session, messageID(1), {
      variant: "high",
      system: "Be brief.",
      tools: { bash: false },
      delivery: { mode: "queue", state: "waiting", agent: "session" },
      clientID: "prompt-1",
      summary: { title: "Title", body: "Body", diffs: [] },
    })
    const assistant = sampleAssistantMessage(session, messageID(2), {
      variant: "low",
      error: {
        name: "APIError",
        data: { message: "Overloaded", statusCode: 529, responseHeaders: { "retry-after": "1" } },
      },
      summary: true,
    })
    await storage.commit(session, [putSession(sampleSession(session)), putMessage(user), putMessage(assistant)])
    expect((await storage.readContext(session)).messages).toEqual([
      { info: user, parts: [] },
      { info: assistant, parts: [] },
    ])
  },
  "returns parts of all twelve types and tools in all four states": async ({ storage }) => {
    const info = sampleAssistantMessage(session, message)
    const parts = sampleParts(session, message)
    await storage.commit(session, [putSession(sampleSession(session)), putMessage(info), ...parts.map(putPart)])
    expect((await storage.readContext(session)).messages).toEqual([{ info, parts }])
  },
  "keeps Unicode of every plane as it is": (place) => {
    return expectRoundTrip(place, textPart("äßŒ עברית 漢字 👩‍👩‍👧 e\u0301 \u{10FFFF} \u2028\u2029 \uFEFF\uFFFD"))
  },
  "keeps lone surrogates": (place) =>
    expectRoundTrip(place, textPart("high \ud83d, low \ude00, swapped \ude00\ud83d.")),
  "keeps NUL and other control characters": (place) => {
    return expectRoundTrip(place, textPart("a\0b\u0001\u001b[31m\b\f\v\r\n\t\u007f\u0085"))
  },
  "keeps quotes, backslashes and what looks like markup or SQL": (place) => {
    return expectRoundTrip(place, textPart(`'; DROP TABLE part; -- "\\" \\u0041 %s %_ \${x} <a href="b">&amp;</a>`))
  },
  "keeps empty values": (place) => {
    const metadata = { text: "", list: [], object: {}, nothing: null, zero: 0, no: false, "": "empty key" }
    return expectRoundTrip(place, sampleText(session, message, partID(1), { text: "", metadata }))
  },
  "keeps deeply nested values": (place) => {
    let nested: unknown = "core"
    for (let depth = 0; depth < 200; depth++) nested = depth % 2 ? { depth, nested } : [nested]
    return expectRoundTrip(place, sampleText(session, message, partID(1), { metadata: { nested } }))
  },
  "keeps keys that mean something to JavaScript": (place) => {
    const metadata = JSON.parse(
      '{"__proto__": {"a": 1}, "constructor": 1, "toString": 2, "10": "b", "2": "a"}',
    ) as object
    return expectRoundTrip(place, sampleText(session, message, partID(1), { metadata: { ...metadata } }))
  },
  "keeps numbers to the last digit": (place) => {
    const numbers = [
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      0.1 + 0.2,
      1e21,
    ]
    return expectRoundTrip(place, sampleText(session, message, partID(1), { metadata: { numbers } }))
  },
  "keeps a part of 1 MB": (place) => expectRoundTrip(place, textPart("0123456789abcdéf".repeat(65_536))),
  "keeps a session and a message of 1 MB": async ({ storage }) => {
    const diffs = [{ file: "a.ts", additions: 1, deletions: 1, patch: "+line\n".repeat(180_000) }]
    const large = sampleSession(session, { summary: { additions: 1, deletions: 1, files: 1, diffs } })
    const info = sampleUserMessage(session, message, { summary: { diffs } })
    await storage.commit(session, [putSession(large), putMessage(info)])
    const context = await storage.readContext(session)
    expect(context.session).toEqual(large)
    expect(context.messages).toEqual([{ info, parts: [] }])
  },
  "drops fields that are undefined": async ({ storage }) => {
    const part = sampleText(session, message, partID(1), { metadata: { kept: 1, dropped: undefined } })
    const fields: object = { agent: undefined }
    const writes = [
      putSession({ ...sampleSession(session), ...fields }),
      putMessage(sampleUserMessage(session, message)),
    ]
    await storage.commit(session, [...writes, putPart(part)])
    const context = await storage.readContext(session)
    expect(Object.keys(context.session)).not.toContain("agent")
    expect(context.messages[0]?.parts).toStrictEqual([{ ...part, metadata: { kept: 1 } }])
  },
  "keeps what was committed when the caller changes it afterwards": async ({ storage }) => {
    const part = sampleText(session, message, partID(1), { metadata: { list: [1] } })
    const mutable = structuredClone(part) as { text: string; metadata: { list: number[] } } & typeof part
    const commit = storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, message)),
      putPart(mutable),
    ])
    mutable.text = "changed"
    mutable.metadata.list.push(2)
    await commit
    expect((await storage.readContext(session)).messages[0]?.parts).toEqual([part])
  },
  "keeps what was committed when a reader changes what it got": async ({ storage }) => {
    const stored = sampleSession(session, { metadata: { list: [1] } })
    await storage.commit(session, [putSession(stored)])
    const read = (await storage.getSession(session)) as { title: string; metadata: { list: number[] } } & typeof stored
    read.title = "changed"
    read.metadata.list.push(2)
    expect(await storage.getSession(session)).toEqual(stored)
  },
  "keeps titles, directories and projects with odd characters apart": async ({ storage }) => {
    const odd = ["a\ud800", "a\udfff", "a\ufffd", "a\0", "a\0b", "a", "", '"a\\ud800"']
    for (const [index, text] of odd.entries()) {
      const id = sessionID(index)
      await storage.commit(id, [
        putSession(sampleSession(id, { title: text, directory: `/${text}`, projectID: `p${text}` })),
      ])
    }
    for (const [index, text] of odd.entries()) {
      const id = sessionID(index)
      expect((await storage.getSession(id))?.title).toBe(text)
      expect((await collect(storage.listSessions({ directory: `/${text}` }))).map((found) => found.id)).toEqual([id])
      expect((await collect(storage.listSessions({ projectID: `p${text}` }))).map((found) => found.id)).toEqual([id])
    }
  },
})
