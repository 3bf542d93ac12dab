// Takes a short lease, is stopped for as long as others like, and then commits under it as if nothing had happened.
import { writeSync } from "node:fs"
import { sessionID } from "@pawl/storage-testkit/samples"
import { fileStorage } from "../src/file-storage.ts"

const storage = await fileStorage({ path: String(process.argv[2]) })
const session = sessionID(1)
const lease = await storage.acquire(session, "own_child", 200)
writeSync(1, "acquired\n")
process.kill(process.pid, "SIGSTOP")

try {
  await storage.commit(session, [{ type: "session.patch", changes: { title: "child" } }], lease?.token)
  writeSync(1, "committed\n")
} catch (error) {
  writeSync(1, `${(error as Error).name}\n`)
}
await storage.close()
