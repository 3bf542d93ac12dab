import { statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { damageHeldError, isBusy, isDamage } from "../errors.ts"
import { examineLog, hasLog } from "./examine.ts"
import type { Presence } from "./presence.ts"
import { finishRecovery, isRecovering, recover, type Recovered } from "./recover.ts"

export interface RepairOptions {
  readonly path: string
  readonly presence: Presence
  readonly onDamage?: "refuse" | "recover"
  readonly onNotice?: (message: string) => void
}

export interface Repair {
  /** Opens the file. Recovers it if it is damaged and the options allow that. */
  open(openFile: () => DatabaseSync): DatabaseSync
  /** Recovers a file that turned out to be damaged, unless another process has done so since it had this inode. */
  replace(inode: bigint, cause: unknown): void
}

/** Examines and repairs a damaged file, only while no other handle is open. */
export function createRepair({ path, presence, onDamage = "refuse", onNotice }: RepairOptions): Repair {
  function examine(): void {
    if (isRecovering(path)) presence.alone(() => finishRecovery(path))
    if (!hasLog(path)) return
    try {
      const notice = presence.alone(() => examineLog(path))
      if (notice !== undefined) onNotice?.(notice)
    } catch (error) {
      if (!isBusy(error)) throw error
      // If other processes share the file, they have read the log and it is intact. A sole owner may replace it.
      presence.share()
    }
  }

  function recoverAlone(isStillDamaged: () => boolean, cause: unknown): void {
    const recovered = presence.alone(() => (isStillDamaged() ? recover(path) : undefined))
    if (recovered) onNotice?.(describe(path, recovered, cause))
  }

  return {
    open(openFile) {
      try {
        // An earlier attempt may have lost the shared lock to a process with the exclusive one.
        presence.share()
        examine()
        return openFile()
      } catch (error) {
        if (onDamage !== "recover" || !isDamage(error)) throw error
        recoverAlone(() => !canOpen(path, openFile), error)
        return openFile()
      }
    },
    replace(inode, cause) {
      try {
        recoverAlone(() => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === inode, cause)
      } catch (error) {
        if (!isBusy(error)) throw error
        // Busy again while another process recovers it.
        presence.share()
        throw damageHeldError(path, cause)
      }
    },
  }
}

/** Another process may have recovered the file meanwhile. */
function canOpen(path: string, openFile: () => DatabaseSync): boolean {
  try {
    if (hasLog(path)) examineLog(path)
    openFile().close()
    return true
  } catch {
    return false
  }
}

function describe(path: string, { aside, salvaged }: Recovered, cause: unknown): string {
  const { sessions, messages, parts, blobs, lost } = salvaged
  const unread =
    lost.pages + lost.rows > 0
      ? `${lost.pages} pages and ${lost.rows} rows could not be read`
      : "no page was unreadable"
  return (
    `${path} was damaged (${(cause as Error).message}) and has been rebuilt with ${sessions} sessions, ` +
    `${messages} messages, ${parts} parts and ${blobs} blobs; ${unread}. The damaged file is kept as ${aside}.`
  )
}
