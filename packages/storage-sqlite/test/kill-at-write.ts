import { DatabaseSync } from "node:sqlite"

/** Kills this process before it begins the write transaction behind the next `count`. */
export function killAtWrite(count: number): void {
  let left = count
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
}
