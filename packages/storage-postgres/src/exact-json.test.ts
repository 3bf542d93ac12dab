import type { Part } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { openRaw, openTestStorage, temporarySchema, noServer } from "../test/place.ts"

const id = sessionID(1)

it.skipIf(noServer)("keeps the order of keys, numbers of every size and all escapes, to the byte", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  const metadata = JSON.parse(
    '{"z": 1, "a": 2, "10": 3, "b\\u0000\\ud800": "\\u0000\\udfff\\ud83d", "e": 1e300, "tiny": 5e-324, "long": 0.1234567890123456, "": null}',
  ) as Record<string, unknown>
  const part = {
    id: partID(1),
    sessionID: id,
    messageID: messageID(1),
    type: "text",
    text: "\u2028 \\u0041",
    metadata,
  } as Part
  await storage.commit(id, [
    { type: "session.put", session: sampleSession(id, { metadata }) },
    { type: "message.put", message: sampleUserMessage(id, messageID(1)) },
    { type: "part.put", part },
  ])
  await storage.commit(id, [{ type: "session.patch", changes: { title: "b\u0000\ud800" } }])
  const { session, messages } = await storage.readContext(id)
  expect(JSON.stringify(messages[0]?.parts[0])).toBe(JSON.stringify(part))
  expect(JSON.stringify(session)).toBe(JSON.stringify(sampleSession(id, { metadata, title: "b\u0000\ud800" })))
})

it.skipIf(noServer)("patches a session that another process changed since it was last seen here", async () => {
  const schema = temporarySchema()
  const [here, elsewhere] = [await openTestStorage({ schema }), await openTestStorage({ schema })]
  await here.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  await elsewhere.commit(id, [{ type: "session.patch", changes: { agent: "plan" } }])
  await here.commit(id, [{ type: "session.patch", changes: { title: "Here" } }])
  expect(await elsewhere.getSession(id)).toEqual(sampleSession(id, { agent: "plan", title: "Here" }))
})

it.skipIf(noServer)("loses no field when many patch a session at once", async () => {
  const schema = temporarySchema()
  const storages = await Promise.all([1, 2, 3].map(() => openTestStorage({ schema })))
  await storages[0]?.commit(id, [{ type: "session.put", session: sampleSession(id, { metadata: {} }) }])
  const fields = ["agent", "title", "directory"] as const
  await Promise.all(
    storages.flatMap((storage, index) =>
      Array.from({ length: 10 }, (_, time) =>
        storage.commit(id, [{ type: "session.patch", changes: { [fields[index] ?? "agent"]: `/${time}` } }]),
      ),
    ),
  )
  expect(await storages[0]?.getSession(id)).toMatchObject({ agent: "/9", title: "/9", directory: "/9" })
  expect((await storages[0]?.readContext(id))?.revision).toBe(31)
})

it.skipIf(noServer)(
  "shows a session whose record is damaged by what lists know of it, and sets the record aside",
  async () => {
    const schema = temporarySchema()
    const storage = await openTestStorage({ schema })
    const session = sampleSession(id, { parentID: sessionID(7), boundary: messageID(2) })
    await storage.commit(id, [
      { type: "session.put", session },
      { type: "message.put", message: sampleUserMessage(id, messageID(2)) },
      { type: "message.put", message: sampleUserMessage(id, messageID(3)) },
      {
        type: "part.put",
        part: { id: partID(3), sessionID: id, messageID: messageID(3), type: "text", text: "needle" },
      },
    ])
    const raw = await openRaw()
    await raw.query(`UPDATE ${schema}.record SET data = left(data, 20) WHERE message_id IN ('', $1) AND part_id = ''`, [
      messageID(3),
    ])
    const context = await storage.readContext(id)
    expect(context.session).toMatchObject({
      id,
      parentID: sessionID(7),
      projectID: session.projectID,
      directory: session.directory,
    })
    expect(context.messages.map(({ info }) => info.id)).toEqual([messageID(2)])
    expect(context.damaged?.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["damaged", id],
      ["damaged", messageID(3)],
      ["reference", partID(3)],
    ])
    const listed = []
    for await (const { id: found } of storage.listSessions()) listed.push(found)
    expect(listed).toEqual([id])
    await storage.rebuild()
    expect((await storage.readContext(id)).damaged).toBeUndefined()
    const problems = []
    for await (const problem of storage.verify()) problems.push(problem)
    expect(problems).toEqual([])
    const { rows } = await raw.query(`SELECT length(data) AS length FROM ${schema}.set_aside ORDER BY id`)
    expect(
      rows
        .map(({ length }: { length: number }) => length)
        .toSorted((a, b) => a - b)
        .slice(0, 2),
    ).toEqual([20, 20])
    expect(rows).toHaveLength(3)
  },
)
