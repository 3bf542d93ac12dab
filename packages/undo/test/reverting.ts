// A process that undoes the last turn of a session, and kills itself meanwhile.
import { createEngine } from "@pawl/core"
import type { SessionID } from "@pawl/core/record"
import { fileStorage } from "@pawl/storage-file"
import { createFileHistory } from "../src/index.ts"

const {
  storage: directory,
  history,
  sessionID,
  deadly,
} = JSON.parse(process.argv[2] ?? "{}") as {
  readonly storage: string
  readonly history: string
  readonly sessionID: SessionID
  /** The content whose reading kills the process, counted from 1, while files are written. 0: before any. */
  readonly deadly: number
}
const storage = await fileStorage({ path: directory })
const real = createFileHistory({ directory: history, environment: process.env })
let reads = 0
const die = () => process.kill(process.pid, "SIGKILL")
const fileHistory: typeof real = {
  ...real,
  apply(files, blobs) {
    if (deadly === 0) die()
    const get = (id: string) => {
      if (++reads === deadly) die()
      return blobs.get(id)
    }
    return real.apply(files, { ...blobs, get })
  },
}
const engine = await createEngine({ storage, fileHistory, providers: [] })
await engine.revert({ sessionID })
console.log(reads)
process.exit(0)
