import type { StatementSync } from "node:sqlite"

export interface ConnectionOptions {
  readonly path: string
  readonly durability: "sync" | "async"
  /** Maximum milliseconds to wait for another process's lock. */
  readonly lockTimeout: number
  readonly onDamage?: "refuse" | "recover"
  readonly onNotice?: (message: string) => void
}

/** An open file. Work is synchronous, so that no transaction is open while other code runs. */
export interface Connection {
  readonly path: string
  readonly location: string
  /** Prepared at first use, then kept. */
  statement(sql: string): StatementSync
  /** Statements that are run once. */
  exec(sql: string): void
  /**
   * Runs `work` in a write transaction after all earlier ones, and resolves when it is committed. If `work` throws, nothing
   * that it did is kept. Work of other callers may share the transaction. Runs `work` again if another process held the
   * lock, if other work of the transaction threw, or if the file was damaged and has been recovered.
   */
  write<T>(work: () => T): Promise<T>
  /** Like `write`, without cascading deletes. */
  writeWithoutCascades<T>(work: () => T): Promise<T>
  /** Reads one state of the file. */
  read<T>(work: () => T): Promise<T>
  /** Like `read`, for thousands of pages: maps the file meanwhile, which saves a system call per page. */
  readMapped<T>(work: () => T): Promise<T>
  /** Like `read`, but does not recover a damaged file. */
  inspect<T>(work: () => T): Promise<T>
  /** Moves the log into the file, except for pages that readers still need, and truncates both. */
  checkpoint(): Promise<void>
  /** Returns true once `close` was called; later requests are rejected. */
  isClosing(): boolean
  /** Waits for pending writes, then closes. */
  close(): Promise<void>
}
