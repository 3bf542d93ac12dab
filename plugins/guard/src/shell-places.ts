import type { PluginInput } from "@pawl/plugin"

type Engine = PluginInput["engine"]
type SessionID = Parameters<Engine["getSession"]>[0]

/** Where the shell of each session may be: where its last command has left it, and where commands under way go. */
export interface ShellPlaces {
  /** Absolute; `directory` is the session's. */
  read(sessionID: SessionID, directory: string): Promise<readonly string[]>
  began(sessionID: SessionID, callID: string, directories: readonly string[]): void
  /** `metadata` of the call's result. */
  ended(sessionID: SessionID, callID: string, metadata: Readonly<Record<string, unknown>>): void
}

export function createShellPlaces(engine: Engine): ShellPlaces {
  const left = new Map<SessionID, string>()
  const going = new Map<SessionID, Map<string, readonly string[]>>()
  return {
    async read(sessionID, directory) {
      const known = left.get(sessionID)
      // The shell may have been told of in another process, and start anew in this one.
      const places = known === undefined ? [directory, await lastTold(engine, sessionID)] : [known]
      const moving = [...(going.get(sessionID)?.values() ?? [])].flat()
      const starts = places.filter((place) => place !== undefined)
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

async function lastTold(engine: Engine, sessionID: SessionID): Promise<string | undefined> {
  for await (const { parts } of engine.readMessages(sessionID)) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || part.tool !== "bash" || part.state.status !== "completed") continue
      const { next } = part.state.metadata
      if (typeof next === "string") return next
    }
  }
  return undefined
}
