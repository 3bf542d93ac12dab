// Opens a damaged file, reads the list and goes on using it.
import { sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { sqliteStorage } from "../src/sqlite-storage.ts"

const storage = await sqliteStorage({ path: String(process.argv[2]), onDamage: "recover" })
for await (const _ of storage.listSessions());
await storage.commit(sessionID(1), [{ type: "session.put", session: sampleSession(sessionID(1)) }])
await storage.close()
