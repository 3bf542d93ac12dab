import type { JSONObject, ToolContext } from "@pawl/core/tool"

/**
 * The parts of the engine that a call of a server's tool may use while it runs. A call from a command line has fewer.
 */
export interface CallContext extends Partial<Pick<ToolContext, "sessionID" | "ask" | "authorize" | "generate">> {
  readonly signal: AbortSignal
  progress?(update: { readonly title?: string; readonly metadata?: JSONObject }): void
}

/** Running calls of one server. */
export interface ActiveCalls {
  readonly size: number
  begin(call: ActiveCall): () => void
  /**
   * Returns the call that a request of the server belongs to. The protocol does not say which, so returns the newest
   * call, or undefined if calls of several sessions are running.
   */
  find(): ActiveCall | undefined
}

export interface ActiveCall {
  readonly context: CallContext
  /** Stops the call's timer until the returned function is called. */
  readonly hold: () => () => void
}

export function createActiveCalls(): ActiveCalls {
  const calls = new Set<ActiveCall>()
  return {
    get size() {
      return calls.size
    },
    begin(call) {
      calls.add(call)
      return () => calls.delete(call)
    },
    find() {
      const all = [...calls]
      const sessions = new Set(all.map(({ context }) => context.sessionID))
      return sessions.size === 1 ? all.at(-1) : undefined
    },
  }
}
