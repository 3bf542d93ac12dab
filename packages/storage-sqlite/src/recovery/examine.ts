import { copyFileSync, existsSync, statSync } from "node:fs"
import { damageError } from "../errors.ts"
import { readLog } from "./write-ahead-log.ts"

/**
 * Returns true if a process left a log without closing it. SQLite would apply or discard such a log silently; without
 * one the files need no examination.
 */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Throws a damage error if SQLite would discard the log with all its commits. If only a part would be lost, copies the
 * log and returns a notice. No other handle may be open.
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
