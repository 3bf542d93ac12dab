import { fileURLToPath } from "node:url"
import { bundleProgram } from "../../../bundle.base.ts"
import type { Processes, RunningProcess } from "./processes.ts"

const entries = {
  workload: new URL("../workload/child.ts", import.meta.url),
  recovery: new URL("../workload/recovery.ts", import.meta.url),
  turn: new URL("../turn/child.ts", import.meta.url),
  writer: new URL("../contention/writer.ts", import.meta.url),
  worker: new URL("../leases/worker.ts", import.meta.url),
}

export type ChildName = keyof typeof entries

// A single thread for file operations, because system calls are counted per thread and a count must identify one call.
const environment = { UV_THREADPOOL_SIZE: "1", NODE_NO_WARNINGS: "1" }

/** Returns the path of a child's program. */
export type ChildProgram = (name: ChildName) => Promise<string>

export interface ChildPlace {
  readonly processes: Processes
  readonly childProgram: ChildProgram
}

/** Bundles each program when it is first asked for, below `directory`. */
export function childPrograms(directory: string): ChildProgram {
  const programs = new Map<ChildName, Promise<string>>()
  return (name) => {
    const program = programs.get(name) ?? bundleProgram(fileURLToPath(entries[name]), directory)
    programs.set(name, program)
    return program
  }
}

/** Starts a child that loads its code and waits for `startWork`. Passes the options as JSON. */
export async function startChild(
  { processes, childProgram }: ChildPlace,
  name: ChildName,
  options: unknown,
  wrapper: readonly string[] = [],
): Promise<RunningProcess> {
  const program = await childProgram(name)
  const [command = "", ...args] = [...wrapper, process.execPath, program, JSON.stringify(options)]
  const child = processes.start(command, args, environment)
  await child.printed("ready")
  return child
}

export function startWork(child: RunningProcess): void {
  child.write("go")
}
