import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { syncParent } from "@pawl/storage-kit"
import { loadSqlite } from "../node-sqlite.ts"
import { ensureSchema } from "../schema.ts"
import { salvage, type Salvaged } from "./salvage.ts"

export interface Recovered {
  /** Path of the damaged file. */
  readonly aside: string
  readonly salvaged: Salvaged
}

/**
 * Replaces a damaged file by a new one with all readable records. Renames the damaged file and its log. No handle may be
 * open on the file. If the process is killed at any step, `finishRecovery` continues from there.
 *
 *     pawl.db-recovering   being written      -> removed
 *     pawl.db-recovered    whole, on the disk
 *     pawl.db-recovery     names the new path of the damaged file; from now on the recovery is completed
 */
export function recover(path: string): Recovered {
  const salvaged = build(path)
  const aside = freePlace(path)
  writeFileSync(`${path}-recovery-name`, aside, { mode: 0o600, flush: true })
  renameSync(`${path}-recovery-name`, `${path}-recovery`)
  syncParent(path)
  finishRecovery(path)
  // If nothing else was left, only its log.
  return { aside: existsSync(aside) ? aside : `${aside}-wal`, salvaged }
}

export function isRecovering(path: string): boolean {
  return existsSync(`${path}-recovery`)
}

/** Completes a recovery that was begun. Does nothing if there is no such recovery. */
export function finishRecovery(path: string): void {
  if (!isRecovering(path)) return
  const aside = readFileSync(`${path}-recovery`, "utf8")
  if (existsSync(`${path}-recovered`)) {
    for (const suffix of ["-wal", "-shm", ""]) {
      if (existsSync(path + suffix) && !existsSync(aside + suffix)) renameSync(path + suffix, aside + suffix)
    }
    syncParent(path)
    renameSync(`${path}-recovered`, path)
    syncParent(path)
  }
  unlinkSync(`${path}-recovery`)
}

function build(path: string): Salvaged {
  const unfinished = `${path}-recovering`
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(unfinished + suffix, { force: true })
  closeSync(openSync(unfinished, "ax", 0o600))
  const { DatabaseSync } = loadSqlite()
  const db = new DatabaseSync(unfinished)
  let salvaged: Salvaged
  try {
    ensureSchema(db, unfinished)
    db.exec("DROP TABLE IF EXISTS blob_version_1")
    salvaged = salvage(path, db)
  } finally {
    db.close()
  }
  sync(unfinished)
  renameSync(unfinished, `${path}-recovered`)
  return salvaged
}

function freePlace(path: string): string {
  const day = new Date().toISOString().slice(0, 10)
  for (let number = 1; ; number++) {
    const place = `${path}.damaged-${day}-${number}`
    if (["", "-wal", "-shm"].every((suffix) => !existsSync(place + suffix))) return place
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+")
  fsyncSync(file)
  closeSync(file)
}
