// Opens a file and is killed before the n-th write transaction commits.
import { DatabaseSync } from "node:sqlite"
import { sqliteStorage } from "../src/sqlite-storage.ts"

const [path, count] = process.argv.slice(2)
let left = Number(count)
// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
  const statement = prepare.call(this, sql)
  if (sql !== "BEGIN IMMEDIATE") return statement
  const run = statement.run.bind(statement)
  statement.run = () => {
    if (--left < 0) process.kill(process.pid, "SIGKILL")
    return run()
  }
  return statement
}
const storage = await sqliteStorage({ path: String(path) })
await storage.close()
