// Reads all sessions of a file and commits to the first, as another user when one is named. Prints what came of each.
import { sqliteStorage } from "../src/sqlite-storage.ts"
import { becomeUser } from "./become-user.ts"

const [path, user] = process.argv.slice(2)
becomeUser(user)
try {
  const storage = await sqliteStorage({ path: String(path) })
  for await (const { id } of storage.listSessions()) {
    console.log(`listed ${id}, read revision ${(await storage.readContext(id)).revision}`)
    await storage.commit(id, [])
  }
} catch (error) {
  console.log(`${(error as Error).name}: ${(error as Error).message}`)
}
