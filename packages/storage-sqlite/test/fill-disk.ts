// Fills a small disk of its own, makes room, and goes on. Runs in a mount namespace that ends with it.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { sqliteStorage } from "../src/sqlite-storage.ts"

const directory = String(process.argv[2])
execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", directory])
const storage = await sqliteStorage({ path: join(directory, "pawl.db") })
const session = sessionID(1)
await storage.commit(session, [
  { type: "session.put", session: sampleSession(session) },
  { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
])

let stored = 0
const store = async () => {
  const part = sampleText(session, messageID(1), partID(stored), { text: "x".repeat(20_000) })
  await storage.commit(session, [{ type: "part.put", part }])
  stored++
}
try {
  for (;;) await store()
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`)
}
execFileSync("mount", ["-o", "remount,size=8m", directory])
await store()
const { messages, revision } = await storage.readContext(session)
await storage.close()
console.log(`${stored} acknowledged, ${messages[0]?.parts.length} parts, revision ${revision}`)
