// Reads a file on a small disk of its own that is full, or mounted read-only, and commits once there is room again. The
// newest commit stands in the write-ahead log alone. Runs in a mount namespace that ends with it.
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { sqliteStorage, type SqliteStorage } from "../src/sqlite-storage.ts"

const [source = "", directory = "", state] = process.argv.slice(2)
const isWithoutFiles = state === "without room for another file"
const options = isWithoutFiles ? "size=8m,nr_inodes=16" : "size=8m"
execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory])
const path = join(directory, "pawl.db")
for (const suffix of ["", "-wal"]) copyFileSync(source + suffix, path + suffix)
const ballast = join(directory, "ballast")
mkdirSync(ballast)
if (state === "full") {
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(join(ballast, "0"), Buffer.alloc(bavail * bsize))
} else if (isWithoutFiles) {
  for (let number = statfsSync(directory).ffree; number > 0; number--) writeFileSync(join(ballast, String(number)), "")
} else {
  execFileSync("mount", ["-o", "remount,ro", directory])
}

const attempt = async (storage: SqliteStorage) => {
  const session = sampleSession(sessionID(9))
  await storage.commit(session.id, [{ type: "session.put", session }])
  return "committed"
}
const refused = (error: Error) => `${error.name}: ${error.message}`

const storage = await sqliteStorage({ path })
const titles = []
for await (const { title } of storage.listSessions()) titles.push(title)
console.log(titles.join(", "))
console.log(await attempt(storage).catch(refused))
if (state === "read-only") execFileSync("mount", ["-o", "remount,rw", directory])
else rmSync(ballast, { recursive: true })
console.log(await attempt(storage).catch(refused))
await storage.close()
