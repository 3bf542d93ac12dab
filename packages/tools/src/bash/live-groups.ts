/** The process groups of commands that run. Those left when this process exits are ended with it, by SIGKILL. */
export interface LiveGroups {
  /** Returns what takes the group out again; it may be called twice. */
  add(leader: number): () => void
}

export function createLiveGroups(): LiveGroups {
  const leaders = new Set<number>()

  // The last thing that this process does: nothing can be waited for.
  function killAll(): void {
    for (const leader of leaders) {
      try {
        process.kill(-leader, "SIGKILL")
      } catch {
        // It ended by itself.
      }
    }
  }
  return {
    add(leader) {
      // One listener for all commands: Node warns of many.
      if (leaders.size === 0) process.on("exit", killAll)
      leaders.add(leader)
      return () => {
        leaders.delete(leader)
        if (leaders.size === 0) process.off("exit", killAll)
      }
    },
  }
}
