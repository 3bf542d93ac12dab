import { NotFoundError, type Part, type MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { blobID, keptBlobs, referringPart, storeReference } from "../blob-records.ts"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putMessage, putPart, putSession } from "../writes.ts"

const [session, other] = [sessionID(1), sessionID(2)]
const owner = (number: number) => ({ id: partID(number), sessionID: session, messageID: messageID(1) })

/** Collects garbage and returns the texts whose blobs are still stored. */
async function collectFrom(storage: MaintainedStorage, texts: readonly string[]): Promise<string[]> {
  await storage.gc({ minAge: 0 })
  return keptBlobs(storage, texts)
}

/** Returns a part for each way to refer to a blob, with the blob's text. */
function partsThatRefer(): [text: string, part: Part][] {
  const time = { start: 1, end: 2 }
  const file = (number: number, url: string) => ({ ...owner(number), type: "file" as const, mime: "image/png", url })
  const state = { status: "completed" as const, input: {}, output: "", title: "", metadata: {}, time }
  const tool = { type: "tool" as const, callID: "call", tool: "read" }
  return [
    ["metadata", sampleText(session, messageID(1), partID(1), { metadata: { output: blobID("metadata") } })],
    ["deep", sampleText(session, messageID(1), partID(2), { metadata: { a: [{ b: [1, blobID("deep")] }] } })],
    ["text", sampleText(session, messageID(1), partID(3), { text: blobID("text") })],
    ["url", file(4, `blob:${blobID("url")}`)],
    ["output", { ...owner(5), ...tool, state: { ...state, output: blobID("output") } }],
    [
      "attachment",
      { ...owner(6), ...tool, state: { ...state, attachments: [file(60, `blob:${blobID("attachment")}`)] } },
    ],
    ["input", { ...owner(7), ...tool, state: { status: "running", input: { content: blobID("input") }, time } }],
  ]
}

export const blobReferences = section("blob references", {
  "keeps what parts refer to, in each form": async ({ storage }) => {
    const forms = partsThatRefer()
    const texts = forms.map(([text]) => text)
    for (const text of texts) await storage.blobs.put(Buffer.from(text))
    await storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, messageID(1))),
      ...forms.map(([, part]) => putPart(part)),
    ])
    expect(await collectFrom(storage, texts)).toEqual(texts)
  },
  "keeps what sessions and messages refer to": async ({ storage }) => {
    const texts = ["of the session", "of the message", "of a patch"]
    for (const text of texts) await storage.blobs.put(Buffer.from(text))
    await storage.commit(session, [
      putSession(sampleSession(session, { metadata: { list: [blobID("of the session")] } })),
      putMessage(sampleUserMessage(session, messageID(1), { system: `blob:${blobID("of the message")}` })),
    ])
    await storage.commit(other, [putSession(sampleSession(other))])
    const metadata = { image: blobID("of a patch") }
    await storage.commit(other, [{ type: "session.patch", changes: { metadata } }])
    expect(await collectFrom(storage, texts)).toEqual(texts)
  },
  "takes no other text for a reference": async ({ storage }) => {
    await storage.blobs.put(Buffer.from("mentioned"))
    const id = blobID("mentioned")
    const text = `See ${id}, "${id}" or sha256:${id}.`
    await storage.commit(session, [
      putSession(sampleSession(session, { title: `${id} `, directory: `/blobs/${id}` })),
      putMessage(sampleUserMessage(session, messageID(1))),
      putPart(sampleText(session, messageID(1), partID(1), { text, metadata: { upper: id.toUpperCase() } })),
    ])
    expect(await collectFrom(storage, ["mentioned"])).toEqual([])
  },
  "keeps a blob of two sessions until both are removed": async ({ storage }) => {
    for (const id of [session, other]) await storeReference(storage, id, ["shared"])
    await storage.removeSession(session)
    expect(await collectFrom(storage, ["shared"])).toEqual(["shared"])
    await storage.removeSession(other)
    expect(await collectFrom(storage, ["shared"])).toEqual([])
  },
  "keeps a fork's blobs when its origin is removed": async ({ storage }) => {
    await storeReference(storage, session, ["forked"])
    const { messages } = await storage.readContext(session)
    const fork = [putSession(sampleSession(other))]
    for (const { info, parts } of messages) {
      fork.push(putMessage({ ...info, sessionID: other }))
      for (const part of parts) fork.push(putPart({ ...part, sessionID: other }))
    }
    await storage.commit(other, fork)
    await storage.removeSession(session)
    expect(await collectFrom(storage, ["forked"])).toEqual(["forked"])
    await storage.commit(other, [{ type: "message.remove", messageID: messageID(1) }])
    expect(await collectFrom(storage, ["forked"])).toEqual([])
  },
  "lets the blobs of every session go that is removed with another": async ({ storage }) => {
    await storeReference(storage, session, ["parent"])
    await storeReference(storage, other, ["child"], session)
    await storeReference(storage, sessionID(3), ["grandchild"], other)
    await storeReference(storage, sessionID(4), ["stranger"])
    await storage.removeSession(session)
    expect(await collectFrom(storage, ["parent", "child", "grandchild", "stranger"])).toEqual(["stranger"])
  },
  "lets a blob go when its part is written again without it, or removed": async ({ storage }) => {
    await storeReference(storage, session, ["first", "second"])
    await storage.commit(session, [putPart(referringPart(session, 1, "second"))])
    expect(await collectFrom(storage, ["first", "second"])).toEqual(["second"])
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    expect(await collectFrom(storage, ["first", "second"])).toEqual([])
  },
  "lets a blob go when its session is patched, or its message written again": async ({ storage }) => {
    const texts = ["of the session", "of the message"]
    for (const text of texts) await storage.blobs.put(Buffer.from(text))
    const message = sampleUserMessage(session, messageID(1), { system: blobID("of the message") })
    const metadata = { image: blobID("of the session") }
    await storage.commit(session, [putSession(sampleSession(session, { metadata })), putMessage(message)])
    await storage.commit(session, [{ type: "session.patch", changes: { title: "Kept" } }])
    expect(await collectFrom(storage, texts)).toEqual(texts)
    await storage.commit(session, [{ type: "session.patch", changes: { metadata: undefined } }])
    expect(await collectFrom(storage, texts)).toEqual(["of the message"])
    await storage.commit(session, [putMessage({ ...message, system: "" })])
    expect(await collectFrom(storage, texts)).toEqual([])
  },
  "keeps a blob until the last of its references is gone": async ({ storage }) => {
    await storeReference(storage, session, ["often", "often"])
    for (const number of [2, 3]) await storage.commit(session, [putPart(referringPart(session, number, "often"))])
    for (const number of [1, 3, 2]) {
      expect(await collectFrom(storage, ["often"])).toEqual(["often"])
      await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(number) }])
    }
    expect(await collectFrom(storage, ["often"])).toEqual([])
  },
  "counts a reference that was there before the blob, or comes back": async ({ storage }) => {
    const [put, remove] = [
      putPart(referringPart(session, 1, "later")),
      { type: "part.remove" as const, messageID: messageID(1), partID: partID(1) },
    ]
    await storage.commit(session, [
      putSession(sampleSession(session)),
      putMessage(sampleUserMessage(session, messageID(1))),
      put,
    ])
    await storage.blobs.put(Buffer.from("later"))
    expect(await collectFrom(storage, ["later"])).toEqual(["later"])
    await storage.commit(session, [remove])
    await storage.commit(session, [put])
    expect(await collectFrom(storage, ["later"])).toEqual(["later"])
    await storage.commit(session, [remove, put, remove])
    expect(await collectFrom(storage, ["later"])).toEqual([])
  },
  "counts no reference of a commit that failed": async ({ storage }) => {
    await storeReference(storage, session, ["kept"])
    await storage.blobs.put(Buffer.from("refused"))
    const failing = storage.commit(session, [
      putPart(referringPart(session, 1, "refused")),
      putPart(sampleText(session, messageID(9), partID(9))),
    ])
    await expect(failing).rejects.toThrow(NotFoundError)
    expect(await collectFrom(storage, ["kept", "refused"])).toEqual(["kept"])
  },
})
