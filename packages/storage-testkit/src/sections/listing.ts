import type { Session, SessionID, SessionQuery, MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { sampleSession, sessionID } from "../samples.ts"
import { section } from "../section.ts"
import { collect, putSession } from "../writes.ts"

/** Stores sessions 1, 2, 3 … with these fields. */
async function store(storage: MaintainedStorage, fields: readonly Partial<Session>[]): Promise<void> {
  for (const [index, some] of fields.entries()) {
    const id = sessionID(index + 1)
    await storage.commit(id, [putSession(sampleSession(id, some))])
  }
}

async function ids(storage: MaintainedStorage, query?: SessionQuery): Promise<SessionID[]> {
  return (await collect(storage.listSessions(query))).map(({ id }) => id)
}

const archived = { created: 1, updated: 2, archived: 3 }

export const listing = section("listing sessions", {
  "finds by directory, exactly": async ({ storage }) => {
    await store(storage, [{ directory: "/a" }, { directory: "/a/b" }, { directory: "/A" }, { directory: "/a" }])
    expect(await ids(storage, { directory: "/a" })).toEqual([1, 4].map(sessionID))
    expect(await ids(storage, { directory: "/none" })).toEqual([])
  },
  "finds by project": async ({ storage }) => {
    await store(storage, [{ projectID: "a" }, { projectID: "b" }, { projectID: "a" }])
    expect(await ids(storage, { projectID: "a" })).toEqual([1, 3].map(sessionID))
  },
  "finds the children of a session": async ({ storage }) => {
    await store(storage, [{ parentID: sessionID(4) }, { parentID: sessionID(1) }, { parentID: sessionID(4) }, {}])
    expect(await ids(storage, { parentID: sessionID(4) })).toEqual([1, 3].map(sessionID))
  },
  "finds sessions without a parent": async ({ storage }) => {
    await store(storage, [{}, { parentID: sessionID(1) }, {}])
    expect(await ids(storage, { parentID: null })).toEqual([1, 3].map(sessionID))
  },
  "finds archived sessions, others, or both": async ({ storage }) => {
    await store(storage, [{}, { time: archived }, {}])
    expect(await ids(storage, { archived: true })).toEqual([sessionID(2)])
    expect(await ids(storage, { archived: false })).toEqual([1, 3].map(sessionID))
    expect(await ids(storage)).toEqual([1, 2, 3].map(sessionID))
  },
  "finds by a part of the title, whatever its case": async ({ storage }) => {
    await store(storage, [{ title: "Fix the Parser" }, { title: "parse" }, { title: "PARSING" }, { title: "Other" }])
    expect(await ids(storage, { title: "pArS" })).toEqual([1, 2, 3].map(sessionID))
    expect(await ids(storage, { title: "the parser" })).toEqual([sessionID(1)])
  },
  "ignores case in titles beyond ASCII": async ({ storage }) => {
    await store(storage, [{ title: "Übergrößenträger" }, { title: "ПРИВЕТ мир" }, { title: "Äpfel" }])
    expect(await ids(storage, { title: "ÜBERGRÖ" })).toEqual([sessionID(1)])
    expect(await ids(storage, { title: "привет МИР" })).toEqual([sessionID(2)])
  },
  "takes % and _ and other signs in titles as they are": async ({ storage }) => {
    await store(storage, [
      { title: "100% done" },
      { title: "1000 done" },
      { title: "a_b" },
      { title: "axb" },
      { title: "a\\b*[c]" },
    ])
    expect(await ids(storage, { title: "0%" })).toEqual([sessionID(1)])
    expect(await ids(storage, { title: "a_b" })).toEqual([sessionID(3)])
    expect(await ids(storage, { title: "\\B*[" })).toEqual([sessionID(5)])
    expect(await ids(storage, { title: "%" })).toEqual([sessionID(1)])
  },
  "needs every condition to hold": async ({ storage }) => {
    const here = { directory: "/a", projectID: "p", title: "Fix it", time: archived }
    await store(storage, [
      here,
      { ...here, directory: "/b" },
      { ...here, projectID: "q" },
      { ...here, title: "Other" },
      { ...here, time: { created: 1, updated: 2 } },
      { ...here, parentID: sessionID(1) },
    ])
    const query = { directory: "/a", projectID: "p", parentID: null, archived: true, title: "FIX" }
    expect(await ids(storage, query)).toEqual([sessionID(1)])
    expect(await ids(storage, { ...query, after: sessionID(1) })).toEqual([])
  },
  "lists no more than the limit": async ({ storage }) => {
    await store(storage, [{}, {}, {}])
    expect(await ids(storage, { limit: 2 })).toEqual([1, 2].map(sessionID))
    expect(await ids(storage, { limit: 0 })).toEqual([])
    expect(await ids(storage, { limit: 9 })).toHaveLength(3)
  },
  "goes on after the last id of the page before": async ({ storage }) => {
    await store(storage, [{}, {}, {}, {}, {}])
    expect(await ids(storage, { limit: 2, after: sessionID(2) })).toEqual([3, 4].map(sessionID))
    expect(await ids(storage, { limit: 2, after: sessionID(4) })).toEqual([sessionID(5)])
    expect(await ids(storage, { after: sessionID(5) })).toEqual([])
  },
  "goes on after a session that is gone": async ({ storage }) => {
    await store(storage, [{}, {}, {}])
    await storage.removeSession(sessionID(2))
    expect(await ids(storage, { after: sessionID(2) })).toEqual([sessionID(3)])
  },
  "pages within a query": async ({ storage }) => {
    await store(storage, [{ directory: "/a" }, {}, { directory: "/a" }, {}, { directory: "/a" }])
    expect(await ids(storage, { directory: "/a", limit: 1, after: sessionID(1) })).toEqual([sessionID(3)])
  },
  "lists hundreds of sessions in one iteration": async ({ storage }) => {
    await store(
      storage,
      Array.from({ length: 130 }, () => ({})),
    )
    expect(await ids(storage)).toEqual(Array.from({ length: 130 }, (_, index) => sessionID(index + 1)))
    expect(await ids(storage, { limit: 101 })).toHaveLength(101)
  },
})
