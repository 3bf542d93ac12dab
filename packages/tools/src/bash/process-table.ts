import { readdirSync, readFileSync } from "node:fs"
import { setImmediate as nextTurn } from "node:timers/promises"

/** A live process of this machine. */
export interface ProcessRow {
  readonly id: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** When it started, in the system's ticks: tells it from a later one with the same id. */
  readonly start: string
  /** The calls that it belongs to, the outermost first; empty where that cannot be read. */
  readonly calls: readonly string[]
}

/** Lists what runs. Undefined where the system does not tell (it does on Linux). */
export interface ProcessTable {
  /** Read after it was asked for; those who ask meanwhile share the next reading. */
  read(): Promise<readonly ProcessRow[] | undefined>
}

/** Names the calls that a process belongs to, the outermost first, separated by `:`. */
export const MARK = "PAWL_CALL"

// So that a machine with many processes does not keep this one from its other work.
const AT_ONCE = 64

export function createProcessTable(): ProcessTable {
  let next: Promise<readonly ProcessRow[] | undefined> | undefined
  let current: Promise<unknown> = Promise.resolve()
  return {
    read() {
      next ??= current.then(async () => {
        await nextTurn()
        const reading = readRows()
        current = reading.catch(() => undefined)
        next = undefined
        return reading
      })
      return next
    },
  }
}

async function readRows(): Promise<readonly ProcessRow[] | undefined> {
  const ids = processIDs()
  const rows: ProcessRow[] = []
  for (const [index, id] of ids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
    const row = readRow(id)
    if (row) rows.push(row)
  }
  return ids.length === 0 ? undefined : rows
}

/** The same at once, for the moment at which this process ends. */
export function readRowsSync(): readonly ProcessRow[] {
  return processIDs().flatMap((id) => readRow(id) ?? [])
}

// Files of /proc are made while they are read, without waiting for a disk: this way it takes a tenth of the time.
function processIDs(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function readRow(id: string): ProcessRow | undefined {
  const status = contentOf(`/proc/${id}/stat`)
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ")
  const [state = "", parent, group, session] = fields
  // A zombie has ended; in a container it may wait long for somebody to take note.
  if (state === "" || "ZX".includes(state)) return undefined
  const calls = callsIn(contentOf(`/proc/${id}/environ`))
  const numbers = { id: Number(id), parent: Number(parent), group: Number(group), session: Number(session) }
  return { ...numbers, start: fields[19] ?? "", calls }
}

function callsIn(environment: string): readonly string[] {
  if (!environment.includes(`${MARK}=`)) return []
  const mark = environment.split("\0").find((entry) => entry.startsWith(`${MARK}=`))
  return mark?.slice(MARK.length + 1).split(":") ?? []
}

// Of processes that ended meanwhile, or belong to others, nothing is to be read.
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}
