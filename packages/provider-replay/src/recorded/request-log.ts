import type { ModelMessage, ToolDefinition } from "@pawl/core/provider"
import type { RecordedReply, Recording } from "./recorded.ts"

/** A request as it was recorded. */
export interface RecordedRequest {
  readonly system: readonly string[]
  readonly tools: readonly ToolDefinition[]
  readonly messages: readonly ModelMessage[]
}

/** Puts the requests of a session together again. */
export interface RequestLog {
  /** Undefined where the request of the reply was not written down. `at`: its place among the session's replies. */
  request(at: number): RecordedRequest | undefined
}

/** Looked at in their order each costs what it adds. */
export function createRequestLog(
  replies: readonly RecordedReply[],
  { systems, tools }: Pick<Recording, "systems" | "tools">,
): RequestLog {
  let next = 0
  let current: RecordedRequest = { system: [], tools: [], messages: [] }

  function step(): void {
    const change = replies[next++]?.request
    if (!change) return
    current = {
      system: change.system === undefined ? current.system : (systems.get(change.system) ?? []),
      tools: change.tools === undefined ? current.tools : (tools.get(change.tools) ?? []),
      messages: [...current.messages.slice(0, change.keep), ...change.add],
    }
  }

  return {
    request(at) {
      if (replies[at]?.request === undefined) return undefined
      if (at < next - 1) {
        next = 0
        current = { system: [], tools: [], messages: [] }
      }
      while (next <= at) step()
      return current
    },
  }
}
