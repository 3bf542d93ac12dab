import { callProcesses, type CallMark, readRowsSync } from "@pawl/process-guard"

/** The commands that run. What is left of them when this process exits is ended with it, by SIGKILL. */
export interface LiveGroups {
  /** Returns what takes the command out again; it may be called twice. */
  add(call: CallMark): () => void
}

export function createLiveGroups(): LiveGroups {
  const calls = new Set<CallMark>()

  // The last thing that this process does: nothing can be waited for.
  function killAll(): void {
    const rows = readRowsSync()
    for (const call of calls) {
      if (call.leader !== undefined) kill(-call.leader)
      for (const { id } of callProcesses(rows, call)) kill(id)
    }
  }
  return {
    add(call) {
      // One listener for all commands: Node warns of many.
      if (calls.size === 0) process.on("exit", killAll)
      calls.add(call)
      return () => {
        calls.delete(call)
        if (calls.size === 0) process.off("exit", killAll)
      }
    },
  }
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL")
  } catch {
    // It ended by itself.
  }
}
