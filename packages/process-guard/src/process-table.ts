import { setImmediate as nextTurn } from "node:timers/promises"
import { procIDs, procRow } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"
import { PS_OPTIONS, psRows, psRowsSync } from "./ps-rows.ts"

/** Lists running processes. Undefined if the system does not support it, such as Windows. */
export interface ProcessTable {
  /** Reads after the call. Callers that wait at the same time share one reading. */
  read(): Promise<readonly ProcessRow[] | undefined>
}

/** Lists processes from /proc or with these options of `ps`. */
export type ProcessSource = "proc" | { readonly ps: string }

// Limits the time without other work on a machine with many processes.
const ROWS_PER_TURN = 64

/** Default for `source`: the system's own. Linux supports both. */
export function createProcessTable(source = systemSource()): ProcessTable {
  let next: Promise<readonly ProcessRow[] | undefined> | undefined
  let current: Promise<unknown> = Promise.resolve()
  return {
    read() {
      next ??= current.then(async () => {
        await nextTurn()
        const reading = readRows(source)
        current = reading.catch(() => undefined)
        next = undefined
        return reading
      })
      return next
    },
  }
}

/** The synchronous version, for the exit of this process. */
export function readRowsSync(source = systemSource()): readonly ProcessRow[] {
  if (!source) return []
  return source === "proc" ? procIDs().flatMap((id) => procRow(id) ?? []) : psRowsSync(source.ps)
}

/** Returns undefined if processes cannot be listed with their environments. */
export function systemSource(platform: NodeJS.Platform = process.platform): ProcessSource | undefined {
  if (platform === "linux") return "proc"
  const options = PS_OPTIONS[platform]
  return options === undefined ? undefined : { ps: options }
}

async function readRows(source: ProcessSource | undefined): Promise<readonly ProcessRow[] | undefined> {
  if (!source) return undefined
  if (source !== "proc") return psRows(source.ps)
  const ids = procIDs()
  const rows: ProcessRow[] = []
  for (const [index, id] of ids.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn()
    const row = procRow(id)
    if (row) rows.push(row)
  }
  return ids.length === 0 ? undefined : rows
}
