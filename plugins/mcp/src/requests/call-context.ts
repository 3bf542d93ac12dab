import type { JSONObject, ToolContext } from "@pawl/core/tool"

/** What a call of a server's tool may use of the engine while it runs. A call from a command line has less. */
export interface CallContext extends Partial<Pick<ToolContext, "sessionID" | "ask" | "authorize" | "generate">> {
  readonly signal: AbortSignal
  progress?(update: { readonly title?: string; readonly metadata?: JSONObject }): void
}

/** Calls that are under way with one server. */
export interface ActiveCalls {
  readonly size: number
  begin(call: ActiveCall): () => void
  /**
   * The call that a request of the server belongs to. The protocol does not say which: the newest, unless those under
   * way belong to several sessions; then undefined.
   */
  find(): ActiveCall | undefined
}

export interface ActiveCall {
  readonly context: CallContext
  /** Stops the call's clock until what it gives is called. */
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
