import { fileURLToPath } from "node:url"
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

export interface ChildPlace {
  readonly processes: Processes
  /** Directory for the compiled code of children. */
  readonly compileCache: string
}

/** Starts a child that loads its code and waits for `startWork`. Passes the options as JSON. */
export async function startChild(
  { processes, compileCache }: ChildPlace,
  name: ChildName,
  options: unknown,
  wrapper: readonly string[] = [],
): Promise<RunningProcess> {
  const node = [process.execPath, "--conditions=@pawl/source", fileURLToPath(entries[name]), JSON.stringify(options)]
  const [command = "", ...args] = [...wrapper, ...node]
  const child = processes.start(command, args, { ...environment, NODE_COMPILE_CACHE: compileCache })
  await child.printed("ready")
  return child
}

export function startWork(child: RunningProcess): void {
  child.write("go")
}
