import type { PluginInput } from "@pawl/plugin"

type Engine = PluginInput["engine"]
type SessionID = Parameters<Engine["getSession"]>[0]

/**
 * Tracks the possible working directories of each session's shell: after its last command, and during running commands.
 */
export interface ShellDirectories {
  /** Absolute; `directory` is the session's. */
  read(sessionID: SessionID, directory: string): Promise<readonly string[]>
  began(sessionID: SessionID, callID: string, directories: readonly string[]): void
  /** `metadata` is that of the call's result. */
  ended(sessionID: SessionID, callID: string, metadata: Readonly<Record<string, unknown>>): void
}

export function createShellDirectories(engine: Engine): ShellDirectories {
  const left = new Map<SessionID, string>()
  const going = new Map<SessionID, Map<string, readonly string[]>>()
  return {
    async read(sessionID, directory) {
      const known = left.get(sessionID)
      // The last command may have run in another process, and this process may start a new shell.
      const directories = known === undefined ? [directory, await lastReported(engine, sessionID)] : [known]
      const moving = [...(going.get(sessionID)?.values() ?? [])].flat()
      const starts = directories.filter((each) => each !== undefined)
      const reached = starts.flatMap((start) => moving.map((to) => (to.startsWith("/") ? to : `${start}/${to}`)))
      return [...new Set([...starts, ...reached])]
    },
    began(sessionID, callID, directories) {
      const calls = going.get(sessionID) ?? new Map<string, readonly string[]>()
      going.set(sessionID, calls.set(callID, directories))
    },
    ended(sessionID, callID, metadata) {
      const calls = going.get(sessionID)
      calls?.delete(callID)
      if (calls?.size === 0) going.delete(sessionID)
      const { next } = metadata
      if (typeof next === "string") left.set(sessionID, next)
    },
  }
}

async function lastReported(engine: Engine, sessionID: SessionID): Promise<string | undefined> {
  for await (const { parts } of engine.readMessages(sessionID)) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || part.tool !== "bash" || part.state.status !== "completed") continue
      const { next } = part.state.metadata
      if (typeof next === "string") return next
    }
  }
  return undefined
}
