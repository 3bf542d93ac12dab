import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { messageID, partID, putSession, putText, putUserMessage, sessionID } from "../workload/records.ts"
import type { Attempt, Outcome } from "./attempt.ts"
import { createJudge } from "./judge.ts"
import { observe } from "./observe.ts"
import { subjectsOf } from "./subjects-of.ts"

const id = sessionID(1)
const open: Outcome = { type: "open" }
const done = (revision: number): Outcome => ({ type: "done", revision })

function attempt(number: number, outcome: Outcome): Attempt {
  const message = [putUserMessage(id, messageID(number)), putText(id, messageID(number), partID(1), `${number}`)]
  const writes = number === 1 ? [putSession(id, "/srv/project"), ...message] : message
  return { number, outcome, operation: { type: "commit", sessionID: id, writes } }
}

/** What the judge says when these were attempted and those were made. */
async function judged(attempts: readonly Attempt[], made: readonly Attempt[], writes?: number): Promise<string[]> {
  const storage = memoryStorage()
  for (const { operation } of made) {
    if (operation.type === "commit") await storage.commit(id, operation.writes.slice(0, writes))
  }
  return createJudge()(await observe(storage, subjectsOf(attempts)), attempts)
}

it("is content when all that was acknowledged is there", async () => {
  const attempts = [attempt(1, done(1)), attempt(2, done(2))]
  expect(await judged(attempts, attempts)).toEqual([])
})

it("is content with or without what was not acknowledged", async () => {
  const attempts = [attempt(1, done(1)), attempt(2, open)]
  expect(await judged(attempts, attempts)).toEqual([])
  expect(await judged(attempts, attempts.slice(0, 1))).toEqual([])
})

it("notices an acknowledged commit that is lost", async () => {
  const attempts = [attempt(1, done(1)), attempt(2, done(2))]
  expect(await judged(attempts, attempts.slice(0, 1))).toEqual([expect.stringContaining("revision 1")])
  expect(await judged(attempts, [])).toEqual([expect.stringContaining("is not there")])
})

it("notices half a commit", async () => {
  const attempts = [attempt(1, open)]
  expect(await judged(attempts, attempts, 2)).toEqual([expect.stringContaining("differs from what was written")])
})

it("notices a commit that failed and shows in a later revision only", async () => {
  const attempts = [
    attempt(1, done(1)),
    attempt(2, { type: "failed", name: "Error", message: "" }),
    attempt(3, done(2)),
  ]
  expect(await judged(attempts, attempts)).toEqual([expect.stringContaining("revision 3")])
  expect(await judged(attempts, [attempt(1, open), attempt(3, open)])).toEqual([])
})

it("notices a blob that is lost or has other bytes", async () => {
  const blob: Attempt = {
    number: 1,
    operation: { type: "blob", id: "x" },
    outcome: { type: "done", revision: undefined },
  }
  const sessions = new Map()
  expect(await createJudge()({ sessions, blobs: new Map() }, [blob])).toEqual(["Blob x is lost."])
  expect(await createJudge()({ sessions, blobs: new Map([["x", false]]) }, [blob])).toHaveLength(1)
  expect(await createJudge()({ sessions, blobs: new Map() }, [{ ...blob, outcome: open }])).toEqual([])
})
