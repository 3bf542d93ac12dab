import type { MessageID, SessionID } from "../base/ids.ts"
import type { JSONObject } from "../base/json.ts"
import type { SubagentResult, SubagentTask } from "./tool.ts"

/** The call that delegates the work. */
export interface DelegatingCall {
  readonly sessionID: SessionID
  readonly messageID: MessageID
  readonly callID: string
  readonly agent: string
}

/** The channel between the work and its call. */
export interface DelegationLife {
  /** Stops the work when it aborts. */
  readonly signal: AbortSignal
  /** Called with each heartbeat of the subagent. */
  readonly alive: () => void
  /** Shows the subagent's current activity. Also counts as a heartbeat. */
  readonly progress?: (update: { readonly title?: string; readonly metadata?: JSONObject }) => void
}

/**
 * Lets an agent work on a task in a session below the call's. Rejects before any work begins if delegation is not
 * allowed. The result reports success or failure, and is stored with the child session before it is returned. A
 * repeated call continues the session that it created.
 */
export type Delegate = (call: DelegatingCall, task: SubagentTask, life: DelegationLife) => Promise<SubagentResult>
