import type { EngineEvent, EventMap, MessageWithParts, Part, Session } from "@pawl/core"
import type { ToolPart, ToolState } from "@pawl/core/record"
import { createTheme } from "@pawl/terminal-text/theme"
import type { BlockLayout } from "../src/blocks/layout.ts"
import { reduce } from "../src/state/reduce.ts"
import { emptyView, type SessionView } from "../src/state/view.ts"
import { createMarkdown } from "../src/terminal/markdown.ts"

// Small values for tests of the view and of blocks.

export const SESSION = "ses_1"
const owner = { sessionID: SESSION, messageID: "msg_2" } as const
const model = { providerID: "acme", modelID: "small" }
const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

export const session: Session = {
  ...{ id: SESSION, projectID: "global", directory: "/project", title: "A session", version: "0" },
  time: { created: 1, updated: 1 },
}

export function event<T extends keyof EventMap>(type: T, properties: EventMap[T]): EngineEvent {
  return { id: `evt_${type}`, type, properties } as EngineEvent
}

export function userMessage(id: `msg_${string}`, text: string, delivery?: "steer" | "queue"): EngineEvent[] {
  const waiting = delivery ? { delivery: { mode: delivery, state: "waiting" as const } } : {}
  const info = {
    id,
    sessionID: SESSION,
    role: "user",
    time: { created: 1 },
    agent: "build",
    model,
    ...waiting,
  } as const
  const part: Part = { id: `prt_${id}`, sessionID: SESSION, messageID: id, type: "text", text }
  return [event("message.updated", { sessionID: SESSION, info }), updated(part)]
}

export function assistantInfo(id: `msg_${string}` = "msg_2", changes: object = {}): MessageWithParts["info"] {
  return {
    ...{ id, sessionID: SESSION, role: "assistant", parentID: "msg_1", agent: "build", mode: "build", cost: 0 },
    ...{ ...model, path: { cwd: "/project", root: "/project" }, tokens: noTokens, time: { created: 1 }, ...changes },
  }
}

export const answering = () => event("message.updated", { sessionID: SESSION, info: assistantInfo() })

export function updated(part: Part): EngineEvent {
  return event("message.part.updated", { sessionID: SESSION, part, time: 1 })
}

export function text(id: `prt_${string}`, content: string, isDone = true): EngineEvent {
  const time = isDone ? { start: 1, end: 2 } : { start: 1 }
  return updated({ ...owner, id, type: "text", text: content, time })
}

export function delta(partID: `prt_${string}`, content: string): EngineEvent {
  return event("message.part.delta", { sessionID: SESSION, messageID: "msg_2", partID, field: "text", delta: content })
}

export function toolPart(id: `prt_${string}`, tool: string, state: ToolState): ToolPart {
  return { ...owner, id, type: "tool", callID: `call_${id}`, tool, state }
}

export const running = (input: Record<string, string>): ToolState => ({ status: "running", input, time: { start: 1 } })

export function completed(
  input: Record<string, string>,
  output: string,
  metadata: ToolPart["metadata"] = {},
): ToolState {
  return { status: "completed", input, output, title: "", metadata, time: { start: 1, end: 2 } }
}

/** Returns the view of the session after events, at the time 1000. */
export function viewAfter(...events: readonly EngineEvent[]): SessionView {
  const opened = reduce(emptyView, { type: "opened", session, messages: [], queue: [], questions: [], now: 1000 })
  return events.reduce((view, each) => reduce(view, { type: "event", event: each, now: 1000 }), opened)
}

export function layout(changes: Partial<BlockLayout> = {}): BlockLayout {
  const theme = createTheme(false)
  const markdown = createMarkdown({ theme, hasLinks: false })
  return { columns: 40, theme, directory: "/project", markdown, mask: (each) => each, isUnfolded: false, ...changes }
}
