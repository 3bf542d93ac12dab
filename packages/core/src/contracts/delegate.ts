import type { MessageID, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { SubagentResult, SubagentTask } from "./tool.ts"

/** The call that hands the work over. */
export interface DelegatingCall {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly callID: string
  readonly agent: string
}

/** What the work and its call tell each other meanwhile. */
export interface DelegationLife {
  /** Ends the work. */
  readonly signal: AbortSignal
  /** Called with each sign of life of the subagent. */
  readonly alive: () => void
  /** Shows what the subagent is at; a sign of life as well. */
  readonly progress?: (update: { readonly title?: string; readonly metadata?: JSONObject }) => void
}

/**
 * Has an agent work on a task in a session below the call's. Rejects before anything begins where it may not; what
 * becomes of the work, well or not, is the result, and stored with the session below before it is given. The same call
 * given again goes on with the session that it began.
 */
export type Delegate = (call: DelegatingCall, task: SubagentTask, life: DelegationLife) => Promise<SubagentResult>
