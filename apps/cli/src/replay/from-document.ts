import type { MessageWithParts, Part } from "@pawl/core"
import { createRecordingWriter, type RecordingHeader, RECORDING_VERSION, type ReplyLine } from "@pawl/provider-replay"
import type { SessionDocument } from "@pawl/transfer"
import { formatModelRef } from "../model/model-ref.ts"
import { resultOf, textOf } from "./recorder.ts"
import { createSessionNames } from "./session-names.ts"

type Entry = SessionDocument["sessions"][number]
type StoredPart = Extract<Part, { readonly type: string }>

/**
 * Writes a stored session as a recording: prompts, replies and results as far as they are stored. Requests are not, so
 * that a replay compares the rest.
 */
export function recordDocument(
  { sessions }: SessionDocument,
  header: Pick<RecordingHeader, "pawl" | "agents" | "sanitized">,
  write: (line: string) => void,
): void {
  const writer = createRecordingWriter(write)
  const names = createSessionNames()
  const [root] = sessions
  if (!root) return
  const { directory, time } = root.session
  writer.header({ recording: RECORDING_VERSION, ...header, time: new Date(time.created).toISOString(), directory })
  for (const { session } of sessions) {
    const { id, parentID, delegation, agent, title } = session
    const parent = parentID === undefined || session === root.session ? undefined : names.nameOf(parentID)
    writer.session({
      session: names.nameOf(id),
      id,
      parent,
      call: delegation?.callID,
      agent,
      title: parent === undefined ? title : undefined,
    })
  }
  for (const entry of sessions) recordSession(entry, entry === root)

  function recordSession({ session, messages }: Entry, isRoot: boolean): void {
    const name = names.nameOf(session.id)
    for (const [at, message] of messages.entries()) {
      const { info } = message
      if (info.role === "assistant") recordAnswer(name, message)
      else if (isRoot) recordPrompt(message)
      const next = messages[at + 1]?.info
      if (isRoot && info.role === "assistant" && next?.role !== "assistant") writer.end(endOf(message))
    }
  }

  function recordPrompt({ info, parts }: MessageWithParts): void {
    if (info.role !== "user") return
    const prompt = parts.flatMap((part) => promptPart(part))
    if (prompt.length > 0) writer.prompt({ prompt, agent: info.agent, by: formatModelRef(info.model) })
  }

  function recordAnswer(session: string, { info, parts }: MessageWithParts): void {
    if (info.role !== "assistant") return
    const by = formatModelRef(info)
    writer.reply(replyOf({ info, parts }), { session, by, request: undefined })
    for (const part of parts) {
      if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) continue
      const { callID: call, tool, state } = part
      const { start, end } = part.state.time
      writer.result({ session, call, tool, input: state.input, ...resultOf(part.state), took: end - start })
    }
    if (info.error?.name === "PermissionDeniedError")
      writer.permission({ session, stopped: info.error.data["message"] })
  }
}

/** What the engine adds by itself it adds again. */
function promptPart(part: StoredPart): object[] {
  switch (part.type) {
    case "text":
      return part.synthetic ? [] : [{ type: "text", text: part.text }]
    case "file":
      return [{ type: "file", mime: part.mime, filename: part.filename, url: part.url }]
    case "agent":
      return [{ type: "agent", name: part.name }]
    case "subtask":
      return [{ type: "subtask", prompt: part.prompt, description: part.description, agent: part.agent }]
    default:
      return []
  }
}

function replyOf({ info, parts }: MessageWithParts): ReplyLine {
  const reply = parts.flatMap((part): object[] => {
    if (part.type === "text" && !part.synthetic) return [{ text: part.text }]
    if (part.type === "reasoning") return [{ reasoning: part.text }]
    if (part.type === "tool") return [{ tool: part.tool, id: part.callID, input: part.state.input }]
    return []
  })
  if (info.role !== "assistant") return { reply }
  const { input, output, reasoning, cache } = info.tokens
  const usage = { input, output, reasoning, cacheRead: cache.read, cacheWrite: cache.write }
  return { reply, usage, ...finishOf(info.finish) }
}

const REASONS: readonly string[] = ["stop", "length", "content-filter", "tool-calls", "error", "unknown"]

function finishOf(finish: string | undefined): object {
  return finish !== undefined && REASONS.includes(finish) ? { finish } : {}
}

function endOf({ info, parts }: MessageWithParts): { type: string; answer?: string; error?: string } {
  const error = info.role === "assistant" ? info.error : undefined
  if (error?.name === "MessageAbortedError") return { type: "aborted" }
  const answer = textOf(parts)
  if (error) {
    const type = error.name === "PermissionDeniedError" ? "refused" : "failed"
    return { type, ...(answer === "" ? {} : { answer }), error: error.data["message"] }
  }
  return answer.trim() === "" ? { type: "empty" } : { type: "answered", answer }
}
