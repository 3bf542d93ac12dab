import { partTime } from "@pawl/core/host"
import type { AssistantMessage, Message, MessageWithParts, Part, ToolPart } from "@pawl/core/record"
import { newerFile, newerPrompt } from "./newer-prompt.ts"

/** A message in the form of OpenCode's newer interface. */
export interface NewerMessage {
  readonly id: string
  readonly type: "user" | "synthetic" | "assistant" | "compaction"
  readonly time: Message["time"]
  readonly [field: string]: unknown
}

/** Returns whether a message only asks for a compaction. The newer interface has its summary alone. */
export function isCompactionMarker({ info, parts }: MessageWithParts): boolean {
  return info.role === "user" && parts.some(({ type }) => type === "compaction")
}

/** Converts a message. `marker`: the message that asked for it, if it is a summary. */
export function newerMessage(message: MessageWithParts, marker: MessageWithParts | undefined): NewerMessage {
  const { info, parts } = message
  if (info.role === "assistant") return summaryOf(info, parts, marker) ?? answerOf(info, parts)
  const { id, sessionID, time } = info
  const prompt = newerPrompt(message)
  const synthetic = textOf(parts)
  const isWritten = prompt.text !== "" || prompt.files || prompt.agents || synthetic === ""
  return isWritten ? { id, type: "user", time, ...prompt } : { id, type: "synthetic", time, sessionID, text: synthetic }
}

/** Returns undefined if the summary has not replaced any messages. */
function summaryOf(
  { id, time, summary, finish, error }: AssistantMessage,
  parts: readonly Part[],
  marker: MessageWithParts | undefined,
): NewerMessage | undefined {
  const request = marker?.parts.find((part) => part.type === "compaction")
  if (!summary || !request || request.prepared || error || finish === undefined || finish === "unknown")
    return undefined
  return {
    ...{ id, type: "compaction", time: { created: time.created }, reason: request.auto ? "auto" : "manual" },
    // Recent messages stay messages of their own.
    ...{ summary: textOf(parts), recent: "" },
  }
}

function answerOf(info: AssistantMessage, parts: readonly Part[]): NewerMessage {
  const { id, time, agent, providerID, modelID, variant, finish, cost, tokens, error } = info
  return {
    ...{ id, type: "assistant", time, agent },
    model: { id: modelID, providerID, ...(variant === undefined ? {} : { variant }) },
    content: parts.flatMap((part) => contentOf(part, time.created)),
    ...(finish === undefined ? {} : { finish }),
    ...{ cost, tokens },
    ...(error ? { error: errorOf(error.data.message) } : {}),
  }
}

function contentOf(part: Part, created: number): readonly object[] {
  const { id } = part
  if (part.type === "text") return [{ type: part.type, id, text: part.text }]
  if (part.type === "reasoning") {
    const { start, end } = part.time
    return [{ type: part.type, id, text: part.text, time: { created: start, ...completed(end) } }]
  }
  if (part.type !== "tool") return []
  // A permission request names its call by this id.
  const { callID, tool: name, state } = part
  return [{ type: part.type, id: callID, name, state: stateOf(state), time: timeOf(part, partTime(id) || created) }]
}

function stateOf(state: ToolPart["state"]) {
  const { input } = state
  switch (state.status) {
    case "pending":
      // With its whole input it waits for a permission, and runs in OpenCode's form.
      if (Object.keys(input).length === 0) return { status: state.status, input: state.raw }
      return { status: "running" as const, input, structured: {}, content: [] }
    case "running":
      return { status: state.status, input, structured: state.metadata ?? {}, content: [] }
    case "completed": {
      const files = (state.attachments ?? []).map((file) => {
        const { uri, mime, name } = newerFile(file)
        return { type: "file" as const, uri, mime, ...(name === undefined ? {} : { name }) }
      })
      const content = [{ type: "text" as const, text: state.output }, ...files]
      return { status: state.status, input, structured: state.metadata, content }
    }
    case "error":
      return {
        ...{ status: state.status, input, structured: state.metadata ?? {}, content: [] },
        error: errorOf(state.error),
      }
  }
}

function timeOf({ state }: ToolPart, created: number) {
  if (state.status === "pending") return { created }
  if (state.status === "running") return { created, ran: state.time.start }
  const pruned = state.status === "completed" ? state.time.compacted : undefined
  return { created, ran: state.time.start, completed: state.time.end, ...(pruned === undefined ? {} : { pruned }) }
}

function completed(time: number | undefined) {
  return time === undefined ? {} : { completed: time }
}

function errorOf(message: string) {
  return { type: "unknown" as const, message }
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")
}
