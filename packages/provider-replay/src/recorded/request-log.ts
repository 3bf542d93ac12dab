import type { ModelMessage, ToolDefinition } from "@pawl/core/provider"
import type { RecordedReply, Recording } from "./recorded.ts"

/** A complete recorded request. */
export interface RecordedRequest {
  readonly system: readonly string[]
  readonly tools: readonly ToolDefinition[]
  readonly messages: readonly ModelMessage[]
}

/** Restores the complete requests of a session from their recorded differences. */
export interface RequestLog {
  /** Returns the request of the reply with index `at` in the session. Undefined if it was not recorded. */
  request(at: number): RecordedRequest | undefined
}

/** Reading the requests in order costs only their differences. */
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
