import type { SessionID } from "../base/ids.ts"

const LIMIT = 3

/**
 * What a plugin has failed at, by session. The failures of a hook count until that hook works again, and what other
 * hooks do meanwhile clears nothing: the count does not hang on the order in which hooks that run side by side end.
 * What belongs to no session is not counted.
 */
export interface PluginFailures {
  /** For good, once three failures have been counted. */
  isDisabled(sessionID: SessionID | undefined): boolean
  /** Whether the hook's last call was a failure that counts. */
  has(sessionID: SessionID | undefined, hook: string): boolean
  /** True when this is the failure that disables the plugin. */
  add(sessionID: SessionID | undefined, hook: string): boolean
  clear(sessionID: SessionID | undefined, hook: string): void
  /** The sessions that it is disabled in. */
  disabledIn(): SessionID[]
}

export function createPluginFailures(): PluginFailures {
  const sessions = new Map<SessionID | undefined, Map<string, number>>()
  const failures: PluginFailures = {
    isDisabled(sessionID) {
      let total = 0
      for (const count of sessions.get(sessionID)?.values() ?? []) total += count
      return total >= LIMIT
    },
    has: (sessionID, hook) => sessions.get(sessionID)?.has(hook) ?? false,
    add(sessionID, hook) {
      if (sessionID === undefined || failures.isDisabled(sessionID)) return false
      const counts = sessions.get(sessionID) ?? new Map<string, number>()
      sessions.set(sessionID, counts.set(hook, (counts.get(hook) ?? 0) + 1))
      return failures.isDisabled(sessionID)
    },
    clear(sessionID, hook) {
      const counts = sessions.get(sessionID)
      if (!counts || failures.isDisabled(sessionID)) return
      counts.delete(hook)
      if (counts.size === 0) sessions.delete(sessionID)
    },
    disabledIn: () => [...sessions.keys()].filter((id): id is SessionID => id !== undefined && failures.isDisabled(id)),
  }
  return failures
}
