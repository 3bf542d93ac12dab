import { writeSync } from "node:fs"
import type { MaintainedStorage } from "@pawl/core/storage"
import { sessionID } from "../samples.ts"

/** Acquires a short lease, stops itself until another process resumes it, and then commits under that lease. */
export async function commitUnderLease(storage: MaintainedStorage): Promise<void> {
  const session = sessionID(1)
  const lease = await storage.acquire(session, "own_child", 200)
  writeSync(1, lease ? "acquired\n" : "not acquired\n")
  process.kill(process.pid, "SIGSTOP")
  try {
    await storage.commit(session, [{ type: "session.patch", changes: { title: "child" } }], lease?.token)
    writeSync(1, "committed\n")
  } catch (error) {
    writeSync(1, `${(error as Error).name}\n`)
  }
}
