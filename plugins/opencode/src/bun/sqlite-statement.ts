import type { SQLInputValue, StatementSync } from "node:sqlite"

/** Values of a statement: separate arguments, one array, or one object with names. */
export type Value = unknown
type Row = Readonly<Record<string, unknown>>

export interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number | bigint
}

/** Bun's statement, with Node's. */
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

  all(...args: readonly Value[]): Row[] {
    return this.#statement.all(...values(args)).map((row) => ({ ...row }))
  }

  /** Returns the first row, or null. */
  get(...args: readonly Value[]): Row | null {
    const row = this.#statement.get(...values(args))
    return row ? { ...row } : null
  }

  /** Returns rows as arrays. */
  values(...args: readonly Value[]): unknown[][] {
    return this.all(...args).map((row) => Object.values(row))
  }

  *iterate(...args: readonly Value[]): Generator<Row> {
    for (const row of this.#statement.iterate(...values(args))) yield { ...row }
  }

  run(...args: readonly Value[]): Changes {
    const { changes, lastInsertRowid } = this.#statement.run(...values(args))
    return { changes: Number(changes), lastInsertRowid }
  }

  /** Does nothing: Node's statement is released with its database. */
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

/** Converts values for Node, which accepts no booleans and no undefined. */
export function values(args: readonly Value[]): SQLInputValue[] {
  const list: readonly unknown[] = args.length === 1 && Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  return list.map((value) => (isNamed(value) ? (named(value) as never) : plain(value)))
}

function named(value: Readonly<Record<string, unknown>>): Readonly<Record<string, SQLInputValue>> {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function plain(value: unknown): SQLInputValue {
  // Node would store every number as a float.
  if (typeof value === "boolean" || Number.isInteger(value)) return BigInt(value as number | boolean)
  return (value ?? null) as SQLInputValue
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value)
}
