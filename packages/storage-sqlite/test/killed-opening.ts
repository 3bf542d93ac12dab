// Opens a file and is killed before the n-th write transaction commits.
import { sqliteStorage } from "../src/sqlite-storage.ts"
import { killAtWrite } from "./kill-at-write.ts"

const [path, count] = process.argv.slice(2)
killAtWrite(Number(count))
const storage = await sqliteStorage({ path: String(path) })
await storage.close()
