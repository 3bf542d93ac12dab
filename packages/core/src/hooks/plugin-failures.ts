import type { SessionID } from "../base/ids.ts"

const MAX_FAILURES = 3

/**
 * The failures of a plugin, by session. A hook's failures count until that hook works again; successes of other hooks
 * clear nothing, so the count does not depend on the order in which parallel hooks end. Failures outside of a session
 * are not counted.
 */
export interface PluginFailures {
  /** Returns whether the plugin is permanently disabled for the session, after three counted failures. */
  isDisabled(sessionID: SessionID | undefined): boolean
  /** Returns whether the hook's last call was a counted failure. */
  has(sessionID: SessionID | undefined, hook: string): boolean
  /** Counts a failure. Returns true if it disables the plugin. */
  add(sessionID: SessionID | undefined, hook: string): boolean
  clear(sessionID: SessionID | undefined, hook: string): void
  /** Returns the sessions in which the plugin is disabled. */
  disabledIn(): SessionID[]
}

export function createPluginFailures(): PluginFailures {
  const sessions = new Map<SessionID | undefined, Map<string, number>>()
  const failures: PluginFailures = {
    isDisabled(sessionID) {
      let total = 0
      for (const count of sessions.get(sessionID)?.values() ?? []) total += count
      return total >= MAX_FAILURES
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
