import type { SQLInputValue, StatementSync } from "node:sqlite"

/** What statements are given: one after the other, in an array, or by name. */
export type Value = unknown
type Row = Readonly<Record<string, unknown>>

export interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

/** Bun's statement, over that of Node. */
export class Statement {
  readonly #statement: StatementSync
  readonly #sql: string

  constructor(statement: StatementSync, sql: string) {
    this.#statement = statement
    this.#sql = sql
  }

  get columnNames(): string[] {
    return this.#statement.columns().map(({ name }) => name)
  }

  all(...given: readonly Value[]): Row[] {
    return this.#statement.all(...values(given)).map((row) => ({ ...row }))
  }

  /** The first row, or null. */
  get(...given: readonly Value[]): Row | null {
    const row = this.#statement.get(...values(given))
    return row ? { ...row } : null
  }

  /** Rows as arrays. */
  values(...given: readonly Value[]): unknown[][] {
    return this.all(...given).map((row) => Object.values(row))
  }

  *iterate(...given: readonly Value[]): Generator<Row> {
    for (const row of this.#statement.iterate(...values(given))) yield { ...row }
  }

  run(...given: readonly Value[]): Changes {
    const { changes, lastInsertRowid } = this.#statement.run(...values(given))
    return { changes: Number(changes), lastInsertRowid }
  }

  /** Nothing is left to be done: it goes with its database. */
  finalize(): void {
    return undefined
  }

  toString(): string {
    return this.#sql
  }

  [Symbol.dispose](): void {
    this.finalize()
  }
}

/** As Node takes them: Bun takes truth values and undefined, too. */
export function values(given: readonly Value[]): SQLInputValue[] {
  const list: readonly unknown[] = given.length === 1 && Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  return list.map((value) => (isNamed(value) ? (named(value) as never) : plain(value)))
}

function named(value: Readonly<Record<string, unknown>>): Readonly<Record<string, SQLInputValue>> {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function plain(value: unknown): SQLInputValue {
  // Node would make all numbers floating ones.
  if (typeof value === "boolean" || Number.isInteger(value)) return BigInt(value as number | boolean)
  return (value ?? null) as SQLInputValue
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value)
}
