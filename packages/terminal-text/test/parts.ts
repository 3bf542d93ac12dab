import type { MessageWithParts, Part, Session } from "@pawl/core"
import type { ToolPart } from "@pawl/core/record"

const owner = { sessionID: "ses_1", messageID: "msg_1" } as const
let parts = 0

type Content<P extends Part> = P extends Part ? Omit<P, "id" | "sessionID" | "messageID"> : never

/** A part of `ses_1`, with an id of its own. */
export function part<P extends Content<Part>>(content: P): P & Pick<Part, "id" | "sessionID" | "messageID"> {
  return { id: `prt_${++parts}`, ...owner, ...content }
}

export function textPart(text: string) {
  return part({ type: "text", text, time: { start: 1, end: 2 } })
}

export interface Done {
  readonly title?: string
  readonly output?: string
  readonly metadata?: Record<string, unknown>
  /** Milliseconds. */
  readonly took?: number
}

export function doneCall(tool: string, input: Record<string, unknown>, done: Done = {}): ToolPart {
  const { title = "", output = "", metadata = {}, took = 0 } = done
  const time = { start: 0, end: took }
  return part({
    type: "tool",
    callID: "call_1",
    tool,
    state: { status: "completed", input, output, title, metadata, time },
  })
}

export function failedCall(tool: string, input: Record<string, unknown>, error: string): ToolPart {
  const state = { status: "error", input, error, time: { start: 0, end: 0 } } as const
  return part({ type: "tool", callID: "call_1", tool, state })
}

export function runningCall(tool: string, input: Record<string, unknown>): ToolPart {
  return part({ type: "tool", callID: "call_1", tool, state: { status: "running", input, time: { start: 0 } } })
}

export function userMessage(...content: Part[]): MessageWithParts {
  const model = { providerID: "custom", modelID: "test" }
  return {
    info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 0 }, agent: "build", model },
    parts: content,
  }
}

export function assistantMessage(...content: Part[]): MessageWithParts {
  return {
    info: {
      ...{ id: "msg_2", sessionID: "ses_1", role: "assistant", parentID: "msg_1", agent: "build", mode: "build" },
      ...{ providerID: "custom", modelID: "test", path: { cwd: "/srv", root: "/srv" }, cost: 0, finish: "stop" },
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { created: 0, completed: 1 },
    },
    parts: content,
  }
}

export function sessionOf(changes: Partial<Session> = {}): Session {
  return {
    ...{ id: "ses_1", projectID: "global", directory: "/srv", title: "A title", version: "0" },
    time: { created: 0, updated: 0 },
    ...changes,
  }
}
