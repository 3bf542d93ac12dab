// Opens a file and stores a session in it, as another user when one is named. Prints "stored" or the error.
import { sampleSession, sessionID } from "@pawl/storage-testkit/samples"
import { sqliteStorage } from "../src/sqlite-storage.ts"
import { becomeUser } from "./become-user.ts"

const [path, user] = process.argv.slice(2)
becomeUser(user)
try {
  const storage = await sqliteStorage({ path: String(path) })
  await storage.commit(sessionID(1), [{ type: "session.put", session: sampleSession(sessionID(1)) }])
  await storage.close()
  console.log("stored")
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`)
}
