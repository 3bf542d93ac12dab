import type { MaintainedStorage } from "@pawl/core/storage"
import { describeRecord } from "./fixtures.ts"
import { sessionID } from "./samples.ts"
import { collect } from "./writes.ts"

const SEARCHES = ["earlier", "large", "read", "main", "gone", "written again", "hello"]

const LISTS = [
  {},
  { directory: "/srv/other" },
  { projectID: "project" },
  { parentID: null },
  { parentID: sessionID(1) },
  { archived: true },
  { title: "größe" },
  { after: sessionID(1), limit: 2 },
]

/** Reads everything that a storage with the sample records may derive from them. */
export async function answersOf(storage: MaintainedStorage): Promise<object> {
  const searches = await Promise.all(SEARCHES.map((text) => collect(storage.search({ text }))))
  const lists = await Promise.all(LISTS.map((query) => collect(storage.listSessions(query))))
  const { records } = await storage.stats()
  const problems = await collect(storage.verify())
  return { record: await describeRecord(storage), searches, lists, records, problems }
}
