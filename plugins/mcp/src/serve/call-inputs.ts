import type { EngineEvent } from "@pawl/core/plugin"
import { isStoredAgain } from "@pawl/core/record"

/** The inputs of running calls. */
export interface CallInputs {
  /** Returns a tool and its arguments as text; undefined if the call is not running. */
  of(callID: string): string | undefined
  readonly follow: (event: EngineEvent) => void
}

export function createCallInputs(): CallInputs {
  const inputs = new Map<string, string>()
  return {
    of: (callID) => inputs.get(callID),
    follow(event) {
      if (event.type !== "message.part.updated") return
      const { part } = event.properties
      if (part.type !== "tool" || isStoredAgain(part)) return
      const { status, input } = part.state
      if (status === "pending" || status === "running") inputs.set(part.callID, `${part.tool} ${JSON.stringify(input)}`)
      else inputs.delete(part.callID)
    },
  }
}
