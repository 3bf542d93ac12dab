import { spawnSync } from "node:child_process"
import type { Ended, Processes, RunningProcess } from "./processes.ts"

/** Attaches strace to all threads of a running process, or to its main thread only. */
export async function attachStrace(
  processes: Processes,
  child: RunningProcess,
  options: readonly string[],
  threads: "all" | "main" = "all",
): Promise<RunningProcess> {
  const strace = processes.start("strace", [...(threads === "all" ? ["-f"] : []), "-p", String(child.pid), ...options])
  await strace.printed("attached")
  return strace
}

/** Waits for the child and for strace. */
export async function endOf(child: RunningProcess, strace: RunningProcess): Promise<Ended> {
  const [ended] = await Promise.all([child.ended, strace.ended])
  return ended
}

/** Returns why strace cannot be used; undefined if it works. */
export async function straceMissing(processes: Processes): Promise<string | undefined> {
  if (spawnSync("strace", ["-V"]).status !== 0) return "strace is not installed"
  const child = processes.start("sleep", ["60"])
  try {
    const strace = await attachStrace(processes, child, ["-o", "/dev/null"])
    child.kill("SIGKILL")
    await strace.ended
    return undefined
  } catch {
    return "strace may not follow processes here: run as root, or set kernel.yama.ptrace_scope to 0"
  } finally {
    child.kill("SIGKILL")
  }
}
