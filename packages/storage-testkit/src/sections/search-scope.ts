import { expect } from "vitest"
import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { search, storeTexts, textPart } from "../searching.ts"
import { section } from "../section.ts"
import { collect, putMessage, putPart } from "../writes.ts"

const session = sessionID(1)
const [first, second, third] = [partID(1), partID(2), partID(3)]

export const searchScope = section("search among sessions", {
  "gives the newest part first": async ({ storage }) => {
    await storeTexts(storage, session, ["needle one"])
    for (const number of [2, 3, 4]) await storage.commit(session, [putPart(textPart(session, number, "needle more"))])
    expect(await search(storage, "needle")).toEqual([4, 3, 2, 1].map(partID))
  },
  "gives no more than the limit": async ({ storage }) => {
    await storeTexts(storage, session, ["needle", "needle", "other", "needle"])
    expect(await search(storage, "needle", { limit: 2 })).toEqual([partID(4), second])
    expect(await search(storage, "needle", { limit: 0 })).toEqual([])
    expect(await search(storage, "needle", { limit: 99 })).toHaveLength(3)
  },
  "finds in one session when asked to": async ({ storage }) => {
    for (const number of [1, 2]) await storeTexts(storage, sessionID(number), ["needle"])
    const hits = await collect(storage.search({ text: "needle", sessionID: sessionID(2) }))
    expect(hits.map((hit) => hit.sessionID)).toEqual([sessionID(2)])
    expect(await search(storage, "needle", { sessionID: sessionID(3) })).toEqual([])
    expect(await search(storage, "needle")).toHaveLength(2)
  },
  "finds in sessions of a directory, exactly": async ({ storage }) => {
    for (const [index, directory] of ["/a", "/a/b", "/A", "/a"].entries()) {
      await storeTexts(storage, sessionID(index + 1), ["needle"], { directory })
    }
    const hits = await collect(storage.search({ text: "needle", directory: "/a" }))
    expect(hits.map((hit) => hit.sessionID).toSorted()).toEqual([1, 4].map(sessionID))
    expect(await search(storage, "needle", { directory: "/none" })).toEqual([])
  },
  "finds in sessions of a project": async ({ storage }) => {
    for (const [index, projectID] of ["p", "q", "p"].entries()) {
      await storeTexts(storage, sessionID(index + 1), ["needle"], { projectID })
    }
    const hits = await collect(storage.search({ text: "needle", projectID: "p" }))
    expect(hits.map((hit) => hit.sessionID).toSorted()).toEqual([1, 3].map(sessionID))
  },
  "finds all for a search that waits for it, and says how far it is": async ({ storage }) => {
    for (const number of [1, 2, 3]) await storeTexts(storage, sessionID(number), ["needle", "needle"])
    const reports: [number, number][] = []
    const work = { onProgress: (done: number, total: number) => void reports.push([done, total]) }
    expect(await collect(storage.search({ text: "needle" }, work))).toHaveLength(6)
    for (const [done, total] of reports) expect(done).toBeLessThanOrEqual(total)
  },
  "answers a search that is stopped with what it has": async ({ storage }) => {
    await storeTexts(storage, session, ["needle"])
    const stopped = { signal: AbortSignal.abort(new Error("stopped")) }
    expect((await collect(storage.search({ text: "needle" }, stopped))).length).toBeLessThanOrEqual(1)
    expect(await search(storage, "needle")).toEqual([first])
  },
  "needs every condition of a search to hold": async ({ storage }) => {
    const places = [
      { directory: "/a", projectID: "p" },
      { directory: "/a", projectID: "q" },
      { directory: "/b", projectID: "p" },
    ]
    for (const [index, fields] of places.entries()) await storeTexts(storage, sessionID(index + 1), ["needle"], fields)
    const query = { directory: "/a", projectID: "p" }
    expect(await search(storage, "needle", query)).toEqual([first])
    expect(await search(storage, "needle", { ...query, sessionID: sessionID(1) })).toEqual([first])
    expect(await search(storage, "needle", { ...query, sessionID: sessionID(2) })).toEqual([])
  },
  "counts to the limit only what the query asks for": async ({ storage }) => {
    await storeTexts(storage, session, ["needle", "needle", "needle"])
    await storeTexts(storage, sessionID(2), ["other", "other", "other", "needle", "needle"])
    expect(await search(storage, "needle", { sessionID: session, limit: 2 })).toEqual([third, second])
  },
  "finds in another directory and project a session that moved there": async ({ storage }) => {
    await storeTexts(storage, session, ["needle"], { directory: "/a", projectID: "p" })
    expect(await search(storage, "needle", { directory: "/a" })).toEqual([first])
    const changes = { directory: "/b", projectID: "q" }
    await storage.commit(session, [{ type: "session.patch", changes }])
    expect(await search(storage, "needle", { directory: "/a" })).toEqual([])
    expect(await search(storage, "needle", { projectID: "p" })).toEqual([])
    expect(await search(storage, "needle", changes)).toEqual([first])
  },
  "finds what lies before the boundary": async ({ storage }) => {
    await storeTexts(storage, session, ["needle"])
    await storage.commit(session, [
      putMessage(sampleUserMessage(session, messageID(2))),
      { type: "session.patch", changes: { boundary: messageID(2) } },
    ])
    expect(await search(storage, "needle")).toEqual([first])
  },
  "finds each of hundreds of parts": async ({ storage }) => {
    const texts = Array.from({ length: 150 }, (_, index) => `needle ${index}`)
    for (const number of [1, 2]) await storeTexts(storage, sessionID(number), texts)
    const hits = await collect(storage.search({ text: "needle" }))
    expect(new Set(hits.map((hit) => `${hit.sessionID} ${hit.partID}`)).size).toBe(300)
    expect(hits).toHaveLength(300)
  },
  "knows parts with one id in several messages and sessions apart": async ({ storage }) => {
    for (const number of [1, 2]) await storeTexts(storage, sessionID(number), ["needle"])
    const message = messageID(2)
    await storage.commit(session, [
      putMessage(sampleUserMessage(session, message)),
      putPart(sampleText(session, message, first, { text: "needle" })),
    ])
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: first }])
    const hits = await collect(storage.search({ text: "needle" }))
    expect(hits.map((hit) => `${hit.sessionID} ${hit.messageID} ${hit.partID}`).toSorted()).toEqual([
      `${session} ${message} ${first}`,
      `${sessionID(2)} ${messageID(1)} ${first}`,
    ])
  },
  "finds a part that was written again by its new words only": async ({ storage }) => {
    await storeTexts(storage, session, ["before needle"])
    for (const text of ["after", "after some", "after some time"]) {
      expect(await search(storage, "time")).toEqual([])
      await storage.commit(session, [putPart(textPart(session, 1, text))])
      expect(await search(storage, "before")).toEqual([])
      expect(await search(storage, "after")).toEqual([first])
    }
    expect(await search(storage, "time")).toEqual([first])
  },
  "no longer finds a removed part, until it is put again": async ({ storage }) => {
    await storeTexts(storage, session, ["needle", "needle"])
    expect(await search(storage, "needle")).toEqual([second, first])
    await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: second }])
    expect(await search(storage, "needle")).toEqual([first])
    await storage.commit(session, [putPart(textPart(session, 2, "needle again"))])
    expect(await search(storage, "again")).toEqual([second])
  },
  "no longer finds the parts of a removed message": async ({ storage }) => {
    await storeTexts(storage, session, ["needle", "needle"])
    expect(await search(storage, "needle")).toHaveLength(2)
    await storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
    expect(await search(storage, "needle")).toEqual([])
    await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(1)))])
    expect(await search(storage, "needle")).toEqual([])
  },
  "no longer finds a removed session or those below it": async ({ storage }) => {
    await storeTexts(storage, session, ["needle"])
    await storeTexts(storage, sessionID(2), ["needle"], { parentID: session })
    await storeTexts(storage, sessionID(3), ["needle", "needle"])
    expect(await search(storage, "needle")).toHaveLength(4)
    await storage.removeSession(session)
    expect(await search(storage, "needle")).toEqual([second, first])
    await storeTexts(storage, session, ["other"])
    expect(await search(storage, "needle", { sessionID: session })).toEqual([])
    expect(await search(storage, "other")).toEqual([first])
  },
  "commits and removes while hits are being read, and lets a reader stop early": async ({ storage }) => {
    await storeTexts(
      storage,
      session,
      Array.from({ length: 60 }, () => "needle"),
    )
    let read = 0
    for await (const { partID: id } of storage.search({ text: "needle" })) {
      expect(id).toBe(partID(60 - read))
      if (++read === 10) await storage.commit(session, [putPart(textPart(session, 61, "needle"))])
      if (read === 20) await storage.removeSession(session)
      if (read === 30) break
    }
    expect(read).toBeGreaterThanOrEqual(20)
    expect(await search(storage, "needle")).toEqual([])
  },
})
