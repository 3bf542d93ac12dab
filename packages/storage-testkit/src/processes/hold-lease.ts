import { writeSync } from "node:fs"
import type { MaintainedStorage } from "@pawl/core/storage"
import { sessionID } from "../samples.ts"

/** Acquires a long lease and stops itself until it is killed. */
export async function holdLease(storage: MaintainedStorage): Promise<void> {
  const lease = await storage.acquire(sessionID(1), "own_child", 60_000)
  writeSync(1, lease ? `${process.pid}\n` : "not acquired\n")
  process.kill(process.pid, "SIGSTOP")
}
