import type { Write } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { openRaw, storeSession, temporaryFile } from "../test/place.ts"
import { openConnection } from "./open-connection.ts"
import { createStorage } from "./sqlite-storage.ts"

/** How SQLite carries out each statement that `use` runs, but those that read nothing. */
async function plansOf(use: (storage: ReturnType<typeof createStorage>) => Promise<unknown>): Promise<string[]> {
  const path = temporaryFile()
  const connection = await openConnection({ path, durability: "sync", lockTimeout: 1000 })
  onTestFinished(() => connection.close())
  await storeSession(createStorage(connection), sessionID(1))

  const statements: string[] = []
  const recording = {
    ...connection,
    statement: (sql: string) => {
      statements.push(sql)
      return connection.statement(sql)
    },
  }
  await use(createStorage(recording))
  const raw = openRaw(path)
  const values = (sql: string) => Array.from(sql.matchAll(/\?/g), () => null)
  return statements.flatMap((sql) => {
    const steps = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values(sql))
    return steps.map(({ detail }) => String(detail))
  })
}

/** One of every kind. */
const writes: Write[] = [
  { type: "session.put", session: sampleSession(sessionID(1)) },
  { type: "session.patch", changes: { title: "Second" } },
  { type: "message.put", message: sampleUserMessage(sessionID(1), messageID(1)) },
  { type: "part.put", part: sampleText(sessionID(1), messageID(1), partID(1)) },
  { type: "part.remove", messageID: messageID(1), partID: partID(1) },
  { type: "message.remove", messageID: messageID(1) },
]

async function commitUnderLease(storage: ReturnType<typeof createStorage>): Promise<void> {
  const lease = await storage.acquire(sessionID(1), "own_a", 1000)
  await storage.commit(sessionID(1), writes, lease?.token)
}

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

it.each([
  ["the context", (storage) => storage.readContext(sessionID(1)), "record_id (session=? AND message_id>?)"],
  ["changes", (storage) => storage.readChanges(sessionID(1), 0), "record_revision (session=? AND revision>?)"],
  [
    "messages",
    (storage) => drain(storage.readMessages(sessionID(1), { before: messageID(9) })),
    "(session=? AND message_id>? AND message_id<?)",
  ],
  ["a commit", (storage) => storage.commit(sessionID(1), []), "record_revision (session=?)"],
  ["a commit of every kind of write", commitUnderLease, "record_id (session=? AND message_id=? AND part_id=?)"],
  ["all sessions", (storage) => drain(storage.listSessions()), "SCAN session USING"],
  ["sessions by title", (storage) => drain(storage.listSessions({ title: "new" })), "SCAN session USING"],
  ["archived sessions", (storage) => drain(storage.listSessions({ archived: true })), "SCAN session USING"],
  [
    "sessions of a later page",
    (storage) => drain(storage.listSessions({ after: sessionID(0) })),
    "sqlite_autoindex_session_1 (id>?)",
  ],
  [
    "sessions of a directory",
    (storage) => drain(storage.listSessions({ directory: "/" })),
    "session_directory (directory=?)",
  ],
  [
    "roots of a directory",
    (storage) => drain(storage.listSessions({ directory: "/", parentID: null })),
    "session_directory (directory=?)",
  ],
  [
    "sessions of a project",
    (storage) => drain(storage.listSessions({ projectID: "p", parentID: null })),
    "session_project (project_id=?)",
  ],
  ["children", (storage) => drain(storage.listSessions({ parentID: sessionID(1) })), "session_child (parent_id=?)"],
  ["roots", (storage) => drain(storage.listSessions({ parentID: null })), "session_root"],
  ["removal", (storage) => storage.removeSession(sessionID(1)), "session_child (parent_id=?)"],
] satisfies [string, (storage: ReturnType<typeof createStorage>) => Promise<unknown>, string][])(
  "reads %s through an index, in order, without sorting",
  async (_, use, index) => {
    const plans = await plansOf(use)
    expect(plans.join("\n")).toContain(index)
    expect(plans.filter((step) => /SCAN record|TEMP B-TREE/.test(step))).toEqual([])
  },
)
