import type { Connection } from "./connection.ts"

/** Names of data that is derived from the records after their commit. */
export type Derived = "reference" | "search" | "search-removed"

/** Returns the last processed key, or the number of the newest volume; 0 before the first. */
export function readProgress(connection: Connection, name: Derived | "search-volume"): number {
  const row = connection.statement("SELECT key FROM progress WHERE name = ?").get(name) as { key: number } | undefined
  return row?.key ?? 0
}

export function writeProgress(connection: Connection, name: Derived | "search-volume", key: number): void {
  connection.statement("INSERT OR REPLACE INTO progress (name, key) VALUES (?, ?)").run(name, key)
}
