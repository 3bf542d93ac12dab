// Commits a number of messages to one session that other processes write to as well.
import { messageID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit/samples"
import { sqliteStorage } from "../src/sqlite-storage.ts"

const [path, first, count] = process.argv.slice(2)
const storage = await sqliteStorage({ path: String(path) })
const session = sessionID(1)
await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  await storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(number)) }])
}
await storage.close()
