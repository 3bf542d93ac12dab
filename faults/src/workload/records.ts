import type { AssistantMessage, TextPart, ToolPart } from "@pawl/core/record"
import type { MessageID, PartID, Session, SessionID, Write } from "@pawl/core/storage"

const TIME = 1_760_000_000_000
const model = { providerID: "local", modelID: "scripted" }

export function sessionID(number: number): SessionID {
  return `ses_${String(number).padStart(26, "0")}`
}

export function messageID(number: number): MessageID {
  return `msg_${String(number).padStart(26, "0")}`
}

export function partID(number: number): PartID {
  return `prt_${String(number).padStart(26, "0")}`
}

export function putSession(id: SessionID, directory: string, fields: Partial<Session> = {}): Write {
  const time = { created: TIME, updated: TIME }
  const session: Session = { id, projectID: "faults", directory, title: "New", version: "1", time, ...fields }
  return { type: "session.put", session }
}

export function putUserMessage(sessionID: SessionID, id: MessageID): Write {
  const time = { created: TIME }
  return { type: "message.put", message: { id, sessionID, role: "user", time, agent: "build", model } }
}

export function putAssistantMessage(sessionID: SessionID, id: MessageID, parentID: MessageID): Write {
  const tokens = { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }
  const path = { cwd: "/srv/project", root: "/srv/project" }
  const time = { created: TIME }
  const base = { id, sessionID, parentID, ...model, agent: "build", mode: "build", path, tokens, time, cost: 0 }
  const message: AssistantMessage = { ...base, role: "assistant" }
  return { type: "message.put", message }
}

export function putText(sessionID: SessionID, messageID: MessageID, id: PartID, text: string): Write {
  const part: TextPart = { id, sessionID, messageID, type: "text", text }
  return { type: "part.put", part }
}

/** Without `output` the call is running, otherwise it has completed. */
export function putCall(sessionID: SessionID, messageID: MessageID, id: PartID, output?: string): Write {
  const [input, title] = [{ path: "a.ts" }, "Read"]
  const base = { id, sessionID, messageID, type: "tool", callID: `call_${id}`, tool: "read" } as const
  const state =
    output === undefined
      ? ({ status: "running", input, time: { start: TIME } } as const)
      : ({ status: "completed", input, output, title, metadata: {}, time: { start: TIME, end: TIME } } as const)
  const part: ToolPart = { ...base, state }
  return { type: "part.put", part }
}
