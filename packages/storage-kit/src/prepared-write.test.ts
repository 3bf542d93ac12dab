import { type Session, type SessionChanges, StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { patched, prepareWrite } from "./prepared-write.ts"

const session: Session = {
  id: "ses_1",
  projectID: "project",
  directory: "/srv/project",
  title: "First",
  version: "1",
  time: { created: 1, updated: 2, archived: 3 },
}

function after(changes: SessionChanges): Session {
  const write = prepareWrite(session.id, { type: "session.patch", changes })
  if (write.type !== "session.patch") throw new Error(`A patch was prepared as ${write.type}.`)
  return patched(session, write.changes)
}

it("sets and removes the named fields of a session, and of its time", () => {
  expect(after({ title: "Second", directory: undefined, time: { updated: 9, archived: undefined } })).toStrictEqual({
    id: "ses_1",
    projectID: "project",
    title: "Second",
    version: "1",
    time: { created: 1, updated: 9 },
  })
})

it("leaves time as it is where a patch names no field of it", () => {
  expect(after({ time: {} })).toStrictEqual(session)
  // A caller without types.
  expect(after({ time: undefined } as unknown as SessionChanges)).toStrictEqual(session)
})

it.each([7, null, { id: "msg_1" }])("refuses a boundary of %j, by a patch and with the session", (boundary) => {
  const fields: object = { boundary }
  const complaint = `Session ses_1 cannot be stored: its boundary is not an id: ${JSON.stringify(boundary)}.`
  expect(() => after(fields)).toThrow(new StorageError(complaint))
  expect(() => prepareWrite(session.id, { type: "session.put", session: { ...session, ...fields } })).toThrow(complaint)
})
