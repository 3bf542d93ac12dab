import { readdirSync, readFileSync } from "node:fs"

/** Live processes whose environment or command line contains the text. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      if (id === process.pid) return false
      const own = contentOf(`/proc/${id}/environ`) + contentOf(`/proc/${id}/cmdline`)
      return own.includes(text) && isAlive(id)
    })
}

/** One that has ended may wait long for somebody to take note, in a container. */
export function isAlive(id: number): boolean {
  const status = contentOf(`/proc/${id}/stat`)
  return status !== "" && !"ZX".includes(status[status.lastIndexOf(")") + 2] ?? "Z")
}

/** Of a process that runs. */
export function parentOf(id: number): number {
  const status = contentOf(`/proc/${id}/stat`)
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1])
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}
