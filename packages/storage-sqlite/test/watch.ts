// Watches and waits for nothing else: a watcher alone must not keep a process alive.
import { sqliteStorage } from "../src/sqlite-storage.ts"

const storage = await sqliteStorage({ path: String(process.argv[2]) })
void storage.watch({}, new AbortController().signal)[Symbol.asyncIterator]().next()
console.log("watching")
