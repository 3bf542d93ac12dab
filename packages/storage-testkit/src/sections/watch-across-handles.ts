import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { putSession, storeConversation } from "../writes.ts"

const [first, second] = [sessionID(1), sessionID(2)]

export const watchAcrossHandles = section(
  "watch across handles",
  {
    "reports commits and removals made through another handle": async ({ storage, reopen }) => {
      const other = await reopen()
      const abort = new AbortController()
      const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
      await storeConversation(other, first, 1)
      expect((await changes.next()).value).toEqual({ sessionID: first, revision: 1 })
      await other.removeSession(first)
      expect((await changes.next()).value).toEqual({ sessionID: first, revision: 0 })
      abort.abort()
    },
    "reports each revision once when both handles commit": async ({ storage, reopen }) => {
      const other = await reopen()
      const abort = new AbortController()
      const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
      await other.commit(first, [putSession(sampleSession(first))])
      await storage.commit(second, [putSession(sampleSession(second))])
      const reported = [(await changes.next()).value, (await changes.next()).value]
      expect(new Set(reported)).toEqual(new Set([first, second].map((id) => ({ sessionID: id, revision: 1 }))))

      await other.commit(first, [{ type: "session.patch", changes: { title: "Second" } }])
      expect((await changes.next()).value).toEqual({ sessionID: first, revision: 2 })
      abort.abort()
    },
    "keeps to the session asked for": async ({ storage, reopen }) => {
      const other = await reopen()
      const abort = new AbortController()
      const changes = storage.watch({ sessionID: second }, abort.signal)[Symbol.asyncIterator]()
      await storeConversation(other, first, 1)
      await storeConversation(other, second, 1)
      expect((await changes.next()).value).toEqual({ sessionID: second, revision: 1 })
      abort.abort()
    },
  },
  { needs: "location" },
)
