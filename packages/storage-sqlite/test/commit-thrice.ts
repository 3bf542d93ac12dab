// Commits three times and prints each revision once it is acknowledged. Takes the file and the durability.
import { writeSync } from "node:fs"
import { sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { sqliteStorage } from "../src/sqlite-storage.ts"

const [path, durability] = process.argv.slice(2)
const storage = await sqliteStorage({ path: String(path), durability: durability === "async" ? "async" : "sync" })
for (const title of ["first", "second", "third"]) {
  const session = sampleSession(sessionID(1), { title })
  writeSync(1, `${await storage.commit(session.id, [{ type: "session.put", session }])}\n`)
}
await storage.close()
