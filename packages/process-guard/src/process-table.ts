import { setImmediate as nextTurn } from "node:timers/promises"
import { procIDs, procRow } from "./proc-rows.ts"
import type { ProcessRow } from "./process-row.ts"
import { PS_OPTIONS, psRows, psRowsSync } from "./ps-rows.ts"

/** Lists what runs. Undefined if the system does not show it, as Windows. */
export interface ProcessTable {
  /** Read after the call; callers that wait meanwhile share the next reading. */
  read(): Promise<readonly ProcessRow[] | undefined>
}

/** How processes are listed: in /proc, or with these options of `ps`. */
export type ProcessSource = "proc" | { readonly ps: string }

// So that a machine with many processes does not keep this one from its other work.
const AT_ONCE = 64

/** `source` is the system's own by default; Linux has both. */
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

/** Returns the same at once, for the moment at which this process ends. */
export function readRowsSync(source = systemSource()): readonly ProcessRow[] {
  if (!source) return []
  return source === "proc" ? procIDs().flatMap((id) => procRow(id) ?? []) : psRowsSync(source.ps)
}

/** Undefined where processes cannot be listed with their environments. */
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
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
    const row = procRow(id)
    if (row) rows.push(row)
  }
  return ids.length === 0 ? undefined : rows
}
