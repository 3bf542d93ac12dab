import type { Change, Context } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { foldChanges } from "./fold-changes.ts"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "./samples.ts"

const session = sessionID(1)
const info = (number: number) => sampleUserMessage(session, messageID(number))
const part = (message: number, number: number, text = "Hello") => {
  return sampleText(session, messageID(message), partID(number), { text })
}
const context: Context = {
  session: sampleSession(session),
  revision: 3,
  messages: [
    { info: info(1), parts: [part(1, 1)] },
    { info: info(2), parts: [part(2, 2), part(2, 4)] },
  ],
}

/** The context after one change at revision 4. */
function after(change: Change): Context {
  return foldChanges(context, [change])
}

it("is what it was without changes", () => {
  expect(foldChanges(context, [])).toEqual(context)
})

it("takes the session and the revision from the last change", () => {
  const renamed = sampleSession(session, { title: "Second" })
  expect(after({ type: "session.put", revision: 4, session: renamed })).toEqual({
    ...context,
    session: renamed,
    revision: 4,
  })
})

it("puts a message in its place by id and keeps the parts of one that it replaces", () => {
  expect(after({ type: "message.put", revision: 4, message: info(3) }).messages).toEqual([
    ...context.messages,
    { info: info(3), parts: [] },
  ])
  const changed = { ...info(1), agent: "plan" }
  const [first] = after({ type: "message.put", revision: 4, message: changed }).messages
  expect(first).toEqual({ info: changed, parts: [part(1, 1)] })
})

it("puts a part in its place by id", () => {
  const [, second] = after({ type: "part.put", revision: 4, part: part(2, 3) }).messages
  expect(second?.parts).toEqual([part(2, 2), part(2, 3), part(2, 4)])
  const [first] = after({ type: "part.put", revision: 4, part: part(1, 1, "Bye") }).messages
  expect(first?.parts).toEqual([part(1, 1, "Bye")])
})

it("keeps parts with one id in two messages apart", () => {
  const { messages } = after({ type: "part.put", revision: 4, part: part(2, 1) })
  expect(messages.map(({ parts }) => parts.map(({ id }) => id))).toEqual([[partID(1)], [1, 2, 4].map(partID)])
})

it("removes a message, or one part of it", () => {
  expect(after({ type: "message.remove", revision: 4, messageID: messageID(1) }).messages).toEqual([
    context.messages[1],
  ])
  const removal = { type: "part.remove", revision: 4, messageID: messageID(2), partID: partID(2) } as const
  expect(after(removal).messages[1]?.parts).toEqual([part(2, 4)])
})

it("leaves the context that it started from as it was", () => {
  const before = structuredClone(context)
  foldChanges(context, [
    { type: "part.remove", revision: 4, messageID: messageID(1), partID: partID(1) },
    { type: "message.remove", revision: 5, messageID: messageID(2) },
  ])
  expect(context).toEqual(before)
})
