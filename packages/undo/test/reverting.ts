// A process that undoes the last turn of a session, and is killed by its parent meanwhile.
import { createEngine } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import { fileStorage } from "@pawl/storage-file"
import { createFileHistory } from "../src/index.ts"

const {
  storage: directory,
  history,
  sessionID,
} = JSON.parse(process.argv[2] ?? "{}") as {
  readonly storage: string
  readonly history: string
  readonly sessionID: SessionID
}
const storage = await fileStorage({ path: directory })
const fileHistory = createFileHistory({ directory: history, environment: process.env })
const engine = await createEngine({ storage, fileHistory, providers: [] })
console.log("ready")
await new Promise((resolve) => process.stdin.once("data", resolve))
await engine.revert({ sessionID })
console.log("done")
process.exit(0)
