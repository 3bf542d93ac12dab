/** Gives sessions of subagents a directory of their own. The host supplies it. */
export interface SubagentDirectories {
  /**
   * Returns the directory for a session: a new one, or the one in which a session continues, created again if it is missing.
   * The reason of a rejection is for the agent that delegates the work.
   */
  open(location: SubagentLocation): Promise<string>
  /** Called when the subagent has ended its work. Returns facts about the directory for the agent that delegated the work. */
  ended(subagent: EndedSubagent): Promise<string | undefined>
}

export interface SubagentLocation {
  /** Absolute path of the directory of the session above. */
  readonly above: string
  readonly agent: string
  /** Directory of a session that is continued. Missing for a new session. */
  readonly directory?: string
  readonly signal: AbortSignal
}

export interface EndedSubagent {
  readonly directory: string
  readonly agent: string
  /** A few words about the work. */
  readonly description: string
}
