import { copyFileSync, existsSync, statSync } from "node:fs"
import { damageError } from "../errors.ts"
import { readLog } from "./write-ahead-log.ts"

/**
 * Whether there is a log from a process that did not close, which SQLite would take in or throw away without a word.
 * Otherwise the files need no look.
 */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Throws a damage error for a log that SQLite would throw away with all commits in it. Where only a part of it is lost,
 * a copy is made and what to tell of it is returned. No other handle may be open.
 */
export function examineLog(path: string): string | undefined {
  const { state } = readLog(`${path}-wal`)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (state === "foreign") throw damageError("its log is not one")
  if (size === 0 && state !== "absent") throw damageError("its log is there without it")
  if (state !== "broken") return undefined
  const copy = `${path}-wal.damaged-${Math.trunc(statSync(`${path}-wal`).mtimeMs)}`
  if (!existsSync(copy)) copyFileSync(`${path}-wal`, copy)
  return `A part of the log of ${path} is damaged: the newest commits may be missing. A copy of it is kept as ${copy}.`
}
