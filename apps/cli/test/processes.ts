import { type ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { stat } from "node:fs/promises"

/** Live processes whose environment names the directory, however they were started. */
export function processesIn(directory: string): number[] {
  return processIDs().filter((id) => {
    const state = statusOf(id)[0] ?? "Z"
    return contentOf(`/proc/${id}/environ`).includes(directory) && !"ZX".includes(state)
  })
}

/** Live processes of a session, whatever their environment. */
export function processesOfSession(session: number): number[] {
  return processIDs().filter((id) => {
    const status = statusOf(id)
    return Number(status[3]) === session && !"ZX".includes(status[0] ?? "Z")
  })
}

/** The guards that a pawl has started. */
export function guardsOf(parent: number): number[] {
  return processIDs().filter((id) => {
    return Number(statusOf(id)[1]) === parent && contentOf(`/proc/${id}/cmdline`).includes("pawl-guard")
  })
}

/** So that the guards see no end of their owner. */
export function killTogether(owner: Pick<ChildProcess, "kill">, guards: readonly number[]): void {
  for (const id of guards) process.kill(id, "SIGSTOP")
  owner.kill("SIGKILL")
  for (const id of guards) process.kill(id, "SIGKILL")
}

/** What a test that failed has left. */
export function endAll(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, "SIGKILL")
    } catch {
      // It has ended.
    }
  }
}

export function argumentsOf(id: number): readonly string[] {
  return contentOf(`/proc/${id}/cmdline`).split("\0")
}

/** The value of a variable that a process was started with. */
export function variableOf(id: number, name: string): string | undefined {
  const entry = contentOf(`/proc/${id}/environ`)
    .split("\0")
    .find((each) => each.startsWith(`${name}=`))
  return entry?.slice(name.length + 1)
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function processIDs(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** From the state on: state, parent, group, session … */
function statusOf(id: number): readonly string[] {
  const status = contentOf(`/proc/${id}/stat`)
  return status === "" ? [] : status.slice(status.lastIndexOf(")") + 2).split(" ")
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return ""
  }
}
