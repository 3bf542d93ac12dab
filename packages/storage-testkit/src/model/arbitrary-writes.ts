import type { MessageID, Part, PartID, Session, SessionChanges, SessionID, Write } from "@pawl/core/storage"
import * as fc from "fast-check"
import { blobID } from "../blob-records.ts"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "../samples.ts"

// Only a few ids of each kind, so that steps write, remove and refer to the same records.

const TEXTS = [
  "alpha beta",
  "beta gamma",
  "Größe 漢字",
  "",
  "alpha\0\ud83d delta",
  "GAMMA alpha_beta",
  "50% cafe\u0301",
]

export const BLOBS = ["one", "two", "größer"] as const

export const QUERIES = [
  "alpha",
  "bet",
  "größe 漢",
  "delta alpha",
  "gamma",
  "",
  "字",
  "one",
  "eta",
  '"beta',
  "caf\u00e9",
  "cafe",
]

export const session: fc.Arbitrary<SessionID> = fc.integer({ min: 1, max: 3 }).map(sessionID)
export const message: fc.Arbitrary<MessageID> = fc.integer({ min: 1, max: 3 }).map(messageID)
export const directory: fc.Arbitrary<string> = fc.constantFrom("/srv/a", "/srv/a/b")
export const project: fc.Arbitrary<string> = fc.constantFrom("p", "q")
export const text: fc.Arbitrary<string> = fc.constantFrom(...TEXTS)

const part: fc.Arbitrary<PartID> = fc.integer({ min: 1, max: 3 }).map(partID)
const blob = fc.constantFrom(...BLOBS).map(blobID)
const time = fc.constantFrom<Session["time"]>({ created: 1, updated: 2 }, { created: 1, updated: 2, archived: 3 })
const metadata = blob.map((image) => ({ image, empty: {}, list: [null, 0.1 + 0.2, ""] }))

const fields = { title: text, directory, projectID: project, parentID: session, boundary: message, metadata, time }
const someTime = fc.constantFrom<NonNullable<SessionChanges["time"]>>(
  { updated: 4 },
  { archived: 5 },
  { archived: undefined },
  { updated: 6, archived: undefined, compacting: 7 },
)
const someFields = fc.record(fields, { requiredKeys: [] })

/** Sets, removes or omits each field. */
const changes: fc.Arbitrary<SessionChanges> = fc.oneof(
  { weight: 3, arbitrary: someFields },
  { weight: 1, arbitrary: someTime.map((time) => ({ time })) },
  { weight: 1, arbitrary: fc.constantFrom("parentID", "boundary", "metadata").map((name) => ({ [name]: undefined })) },
)

export function putSession(id: SessionID): fc.Arbitrary<Write> {
  return someFields.map((some) => ({ type: "session.put", session: sampleSession(id, some) }))
}

function putMessage(id: SessionID): fc.Arbitrary<Write> {
  return fc.tuple(message, fc.boolean(), fc.oneof(text, blob)).map(([of, isUser, system]) => ({
    type: "message.put",
    message: isUser ? sampleUserMessage(id, of, { system }) : sampleAssistantMessage(id, of),
  }))
}

function putPart(id: SessionID): fc.Arbitrary<Write> {
  return fc.tuple(message, part, content()).map(([of, number, content]) => {
    const owner = { id: number, sessionID: id, messageID: of }
    return { type: "part.put", part: content(owner) }
  })
}

type Owner = Pick<Part, "id" | "sessionID" | "messageID">

function content(): fc.Arbitrary<(owner: Owner) => Part> {
  return fc.oneof(
    fc.tuple(text, fc.option(metadata)).map(([some, image]) => (owner: Owner): Part => {
      return sampleText(owner.sessionID, owner.messageID, owner.id, { text: some, ...(image && { metadata: image }) })
    }),
    fc.tuple(text, text).map(([input, output]) => (owner: Owner): Part => {
      const state = { status: "completed" as const, input: { input }, output, title: "", metadata: {} }
      return { ...owner, type: "tool", callID: "call", tool: "one", state: { ...state, time: { start: 1, end: 2 } } }
    }),
    blob.map((of) => (owner: Owner): Part => ({ ...owner, type: "file", mime: "image/png", url: `blob:${of}` })),
  )
}

/** Any write to the session. */
export function write(id: SessionID): fc.Arbitrary<Write> {
  return fc.oneof(
    { weight: 6, arbitrary: putPart(id) },
    { weight: 3, arbitrary: putMessage(id) },
    { weight: 2, arbitrary: changes.map((some): Write => ({ type: "session.patch", changes: some })) },
    { weight: 1, arbitrary: putSession(id) },
    { weight: 1, arbitrary: message.map((messageID): Write => ({ type: "message.remove", messageID })) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant("part.remove" as const), messageID: message, partID: part }),
    },
  )
}

/** Writes that always succeed: a session, two messages, and changes to them. */
export function conversation(id: SessionID): fc.Arbitrary<Write[]> {
  const messages = [1, 2].map((number): Write => ({
    type: "message.put",
    message: sampleUserMessage(id, messageID(number)),
  }))
  const parts = fc.array(putPart(id), { maxLength: 3 }).map((writes) => {
    return writes.filter((put) => put.type === "part.put" && put.part.messageID !== messageID(3))
  })
  return fc.tuple(putSession(id), parts).map(([put, some]) => [put].concat(messages, some))
}
