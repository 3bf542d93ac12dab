import type { SessionID } from "@pawl/core/storage"
import { messageID, sampleUserMessage } from "@pawl/storage-testkit/samples"
import { postgresStorage } from "../src/postgres-storage.ts"

// Takes the lease, says so, and commits message after message until it is refused; then says how often it was.
const [url = "", schema = "", id = "ses_", ttl = "0"] = process.argv.slice(2)
const session = id as SessionID
const storage = await postgresStorage({ url, schema })
const lease = await storage.acquire(session, "own_paused", Number(ttl))
console.log("acquired")
let committed = 0
try {
  for (;;) {
    await storage.commit(
      session,
      [{ type: "message.put", message: sampleUserMessage(session, messageID(committed + 1)) }],
      lease?.token,
    )
    committed++
  }
} catch (error) {
  console.log(JSON.stringify({ committed, name: (error as Error).name }))
}
await storage.close()
