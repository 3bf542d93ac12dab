// A process that is killed while it watches a call.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { createFileHistory } from "../src/index.ts"

const { directory, store, key } = JSON.parse(process.argv[2] ?? "{}") as Record<"directory" | "store" | "key", string>
const history = createFileHistory({ directory: store, environment: process.env })
const { blobs } = memoryStorage()
const call = { directory, worktree: directory, targets: [], blobs, signal: new AbortController().signal }
await history.watch({ ...call, sessionID: "ses_1", key })
writeFileSync(join(directory, "b.txt"), "half written\n")
process.kill(process.pid, "SIGKILL")
