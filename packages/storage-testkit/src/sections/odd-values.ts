import type { SessionID } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"
import { collect, putMessage, putPart, putSession } from "../writes.ts"

const [session, message] = [sessionID(1), messageID(1)]

/** Stores the metadata in a session, by a patch, and in a part, and expects it from every read method. */
async function expectKept({ storage }: SpecContext, metadata: Record<string, unknown>): Promise<void> {
  const info = sampleUserMessage(session, message)
  const part = sampleText(session, message, partID(1), { metadata })
  await storage.commit(session, [putSession(sampleSession(session)), putMessage(info), putPart(part)])
  await storage.commit(session, [{ type: "session.patch", changes: { metadata } }])
  const stored = sampleSession(session, { metadata })
  expect(await storage.readContext(session)).toEqual({
    session: stored,
    revision: 2,
    messages: [{ info, parts: [part] }],
  })
  expect(await collect(storage.listSessions())).toEqual([stored])
  expect(await storage.readChanges(session, 1)).toEqual([{ type: "session.put", revision: 2, session: stored }])
}

export const oddValues = section("odd values", {
  "keeps lone surrogates and control characters in names of fields": (place) => {
    return expectKept(place, {
      "\ud83d": 1,
      "\udc00": 2,
      "a\0b": 3,
      "\u001f": 4,
      "e\u0301": 5,
      é: 6,
      "a.b": 7,
      $ref: 8,
    })
  },
  "keeps texts that look like other values": (place) => {
    const texts = [
      "null",
      "true",
      "1",
      "1e5",
      "-0",
      "NaN",
      "[]",
      "{}",
      "2026-01-01T00:00:00Z",
      "0x10",
      "\\x00",
      "\\u0000",
    ]
    return expectKept(place, { texts, "1": "one", "01": "other", true: false })
  },
  "keeps nested and empty values in each place": (place) => {
    return expectKept(place, { a: [[], [[]], {}, [{}], null, "", 0, false], b: { c: { d: {} } }, "": { "": [""] } })
  },
  "keeps long lists and objects with many fields": (place) => {
    const list = Array.from({ length: 5000 }, (_, index) => index)
    const fields = Object.fromEntries(list.slice(0, 2000).map((number) => [`field ${number}`, number]))
    return expectKept(place, { list, fields })
  },
  "keeps a part of 2 MB": async ({ storage }) => {
    const part = sampleText(session, message, partID(1), { text: "0123456789 äöü漢字\n".repeat(80_000) })
    await storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, message)),
      putPart(part),
    ])
    const [stored] = (await storage.readContext(session)).messages
    expect(stored?.parts[0]).toEqual(part)
  },
  "knows ids apart by case and by what follows": async ({ storage }) => {
    const ids = ["msg_A", "msg_Aa", "msg_a", "msg_aA", "msg_aa"] as const
    await storage.commit(session, [
      putSession(sampleSession(session)),
      ...ids.map((id) => putMessage(sampleUserMessage(session, id, { system: id }))),
      ...ids.map((id) => putPart(sampleText(session, id, `prt_${id}`, { text: id }))),
      ...ids.map((id) => putPart(sampleText(session, "msg_A", `prt_${id.slice(4)}`, { text: id }))),
    ])
    await storage.commit(session, [{ type: "message.remove", messageID: "msg_aa" }])
    const { messages } = await storage.readContext(session)
    expect(messages.map(({ info }) => info.role === "user" && info.system)).toEqual(ids.slice(0, -1))
    expect(messages.map(({ parts }) => parts.length)).toEqual([6, 1, 1, 1])
    expect(messages[0]?.parts.map(({ id }) => id)).toEqual([
      "prt_A",
      "prt_Aa",
      "prt_a",
      "prt_aA",
      "prt_aa",
      "prt_msg_A",
    ])
  },
  "knows sessions apart by the case of their ids": async ({ storage }) => {
    const ids = ["ses_A", "ses_AB", "ses_a", "ses_aB"] as const
    for (const id of ids) {
      await storage.commit(id, [
        putSession(sampleSession(id, { title: id })),
        putMessage(sampleUserMessage(id, message)),
      ])
    }
    await storage.removeSession("ses_aB")
    expect((await collect(storage.listSessions())).map(({ title }) => title)).toEqual(["ses_A", "ses_AB", "ses_a"])
    for (const id of ids.slice(0, -1)) expect((await storage.readContext(id)).messages).toHaveLength(1)
  },
  "keeps the messages of sessions apart that have the same id": async ({ storage }) => {
    const other = sessionID(2)
    const put = (id: SessionID) => putMessage(sampleUserMessage(id, message))
    const part = (id: SessionID) => sampleText(id, message, partID(1), { text: id })
    const partsOf = async (id: SessionID) => (await storage.readContext(id)).messages[0]?.parts
    await storage.commit(session, [putSession(sampleSession(session)), put(session)])
    await storage.commit(other, [putSession(sampleSession(other))])
    await storage.commit(other, [put(other), { type: "message.remove", messageID: message }])
    await storage.commit(other, [put(other)])
    for (const id of [session, other]) await storage.commit(id, [putPart(part(id))])
    for (const id of [session, other]) expect(await partsOf(id)).toEqual([part(id)])
    await storage.commit(other, [{ type: "message.remove", messageID: message }])
    expect(await partsOf(session)).toEqual([part(session)])
    const revision = await storage.commit(other, [{ type: "part.remove", messageID: message, partID: partID(1) }])
    expect(await storage.readChanges(other, revision - 1)).toEqual([])
    await storage.commit(other, [put(other), putPart(part(other)), { type: "message.remove", messageID: message }])
    expect(await partsOf(session)).toEqual([part(session)])
    expect(await collect(storage.verify())).toEqual([])
  },
  "keeps ids of 64 characters": async ({ storage }) => {
    const long = "z".repeat(60)
    const [id, info] = [`ses_${long}` as const, sampleUserMessage(`ses_${long}`, `msg_${long}`)]
    const part = sampleText(id, info.id, `prt_${long}`)
    await storage.commit(id, [putSession(sampleSession(id)), putMessage(info), putPart(part)])
    expect((await storage.readContext(id)).messages).toEqual([{ info, parts: [part] }])
    expect(await storage.acquire(id, `own_${long}`, 60_000)).toBeDefined()
  },
})
