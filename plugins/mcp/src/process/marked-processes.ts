import { readdirSync, readFileSync } from "node:fs"
import { MARK } from "./mark.ts"

/** Ids of live processes of one server: in its group, or carrying its mark. Where the system does not tell: none. */
export function serverProcesses(group: number, mark: string): readonly number[] {
  const entry = `${MARK}=${mark}`
  return processIDs().filter((id) => {
    const [state, , inGroup] = fieldsOf(id)
    // A zombie has ended.
    if (state === undefined || "ZX".includes(state)) return false
    return Number(inGroup) === group || contentOf(`/proc/${id}/environ`).split("\0").includes(entry)
  })
}

function processIDs(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** State, parent and group. */
function fieldsOf(id: number): readonly string[] {
  const status = contentOf(`/proc/${id}/stat`)
  return status === "" ? [] : status.slice(status.lastIndexOf(")") + 2).split(" ")
}

// Of processes that ended meanwhile, or belong to others, nothing is to be read.
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}
