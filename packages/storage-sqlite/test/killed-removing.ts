// Removes a session and is killed before the n-th write transaction.
import type { SessionID } from "@pawl/core/storage"
import { sqliteStorage } from "../src/sqlite-storage.ts"
import { killAtWrite } from "./kill-at-write.ts"

const [path, session, count] = process.argv.slice(2)
killAtWrite(Number(count))
const storage = await sqliteStorage({ path: String(path) })
await storage.removeSession(session as SessionID)
