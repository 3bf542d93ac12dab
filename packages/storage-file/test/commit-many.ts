// Commits a number of messages to one session that other processes write to as well; prints how long each
// took, in milliseconds, as JSON.
import { messageID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit/samples"
import { fileStorage } from "../src/file-storage.ts"

const [path, first, count] = process.argv.slice(2)
const storage = await fileStorage({ path: String(path) })
const session = sessionID(1)
const times: number[] = []
await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  const began = performance.now()
  await storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(number)) }])
  times.push(performance.now() - began)
}
await storage.close()
console.log(JSON.stringify(times))
