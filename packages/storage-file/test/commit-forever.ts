// Commits a message with its part again and again under a lease, and prints each revision once it is acknowledged.
import { writeSync } from "node:fs"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { fileStorage } from "../src/file-storage.ts"

const storage = await fileStorage({ path: String(process.argv[2]) })
const session = sessionID(1)
await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
const lease = await storage.acquire(session, "own_child", 60_000)

for (let number = 1; ; number++) {
  const text = "x".repeat((number * 997) % 5000)
  const revision = await storage.commit(
    session,
    [
      { type: "message.put", message: sampleUserMessage(session, messageID(number)) },
      { type: "part.put", part: sampleText(session, messageID(number), partID(number), { text }) },
    ],
    lease?.token,
  )
  writeSync(1, `${revision}\n`)
}
