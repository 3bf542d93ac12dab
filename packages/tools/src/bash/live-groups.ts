import { callProcesses, type CallMark, readRowsSync } from "@pawl/process-guard"

/** Running commands. When this process exits, SIGKILL ends what is left of them. */
export interface LiveGroups {
  /** Returns a function that removes the command; calling it twice is allowed. */
  add(call: CallMark): () => void
}

export function createLiveGroups(): LiveGroups {
  const calls = new Set<CallMark>()

  // Runs in the exit handler, so it cannot wait.
  function killAll(): void {
    const rows = readRowsSync()
    for (const call of calls) {
      if (call.leader !== undefined) kill(-call.leader)
      for (const { id } of callProcesses(rows, call)) kill(id)
    }
  }
  return {
    add(call) {
      // One listener for all commands, because Node warns about many listeners.
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
    // The process has ended.
  }
}
