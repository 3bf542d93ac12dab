import type { DatabaseSync } from "node:sqlite"
import { nodeSqlite } from "./node-sqlite.ts"
import { type Changes, Statement, type Value, values } from "./sqlite-statement.ts"

interface DatabaseOptions {
  readonly readonly?: boolean
  readonly create?: boolean
  readonly readwrite?: boolean
  readonly safeIntegers?: boolean
  readonly strict?: boolean
}

type Work<A extends unknown[], R> = (...args: A) => R
type Transaction<A extends unknown[], R> = Work<A, R> & {
  readonly deferred: Work<A, R>
  readonly immediate: Work<A, R>
  readonly exclusive: Work<A, R>
}

/** Bun's database, with Node's. */
export class Database {
  readonly filename: string
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Statement>()
  #depth = 0

  constructor(filename = ":memory:", options: number | DatabaseOptions = {}) {
    const { readonly = false, safeIntegers = false } = typeof options === "number" ? flags(options) : options
    this.filename = filename === "" ? ":memory:" : filename
    this.#database = new (nodeSqlite().DatabaseSync)(this.filename, {
      ...{ readOnly: readonly, readBigInts: safeIntegers },
      // Bun does not enable them.
      enableForeignKeyConstraints: false,
    })
  }

  static open(filename: string, options?: number | DatabaseOptions): Database {
    return new Database(filename, options)
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  prepare(sql: string): Statement {
    return new Statement(this.#database.prepare(sql), sql)
  }

  /** Returns the same statement for the same SQL. */
  query(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Without values, `sql` may contain several statements. */
  run(sql: string, ...args: readonly Value[]): Changes {
    if (values(args).length > 0) return this.prepare(sql).run(...args)
    this.#database.exec(sql)
    const changes = this.#database.prepare("SELECT changes() AS changes, last_insert_rowid() AS lastInsertRowid").get()
    return { ...changes } as unknown as Changes
  }

  exec(sql: string, ...args: readonly Value[]): Changes {
    return this.run(sql, ...args)
  }

  /**
   * Returns a function that does all of the work or, if it throws, none of it. A transaction within another one can
   * fail without it.
   */
  transaction<A extends unknown[], R>(work: Work<A, R>): Transaction<A, R> {
    const as = (kind: string) => {
      const run = (self: unknown, args: A): R => this.#transact(kind, () => work.apply(self, args))
      return function transact(this: unknown, ...args: A): R {
        return run(this, args)
      }
    }
    return Object.assign(as(""), {
      ...{ deferred: as("DEFERRED"), immediate: as("IMMEDIATE"), exclusive: as("EXCLUSIVE") },
    })
  }

  #transact<R>(kind: string, work: () => R): R {
    const point = `pawl_${this.#depth}`
    const [begin, commit, revert] = this.inTransaction
      ? [`SAVEPOINT ${point}`, `RELEASE ${point}`, `ROLLBACK TO ${point}; RELEASE ${point}`]
      : [`BEGIN ${kind}`, "COMMIT", "ROLLBACK"]
    this.#database.exec(begin)
    this.#depth++
    try {
      const result = work()
      this.#database.exec(commit)
      return result
    } catch (error) {
      if (this.inTransaction) this.#database.exec(revert)
      throw error
    } finally {
      this.#depth--
    }
  }

  close(_throwOnError?: boolean): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** Reads the flags that SQLite defines for opening. */
function flags(number: number): DatabaseOptions {
  return { readonly: (number & 1) !== 0 }
}
