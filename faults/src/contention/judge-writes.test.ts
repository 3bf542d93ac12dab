import type { Context } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { messageID, partID, putSession, putText, putUserMessage, sessionID } from "../workload/records.ts"
import { judgeWrites } from "./judge-writes.ts"

const id = sessionID(1)
const line = (part: number, revision: number) => ({ sessionID: id, revision, milliseconds: 1, part: partID(part) })

/** A session with parts 1 to `count`, each of a commit of its own. */
async function written(count: number): Promise<Context> {
  const storage = memoryStorage()
  await storage.commit(id, [putSession(id, "/srv/project"), putUserMessage(id, messageID(1))])
  for (let part = 1; part <= count; part++) await storage.commit(id, [putText(id, messageID(1), partID(part), "x")])
  return storage.readContext(id)
}

it("is content when every write is there, at a revision of its own", async () => {
  expect(judgeWrites(await written(2), [line(1, 2), line(2, 3)])).toEqual([])
})

it("notices a lost update", async () => {
  const problems = judgeWrites(await written(1), [line(1, 2), line(2, 3)])
  expect(problems).toEqual([expect.stringContaining("has lost"), expect.stringContaining("is at revision 2")])
})

it("notices a revision that was given twice", async () => {
  expect(judgeWrites(await written(2), [line(1, 2), line(2, 2)])).toEqual([expect.stringContaining("twice")])
})
