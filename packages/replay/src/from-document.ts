import type { MessageWithParts } from "@pawl/core"
import { createRecordingWriter, type RecordingHeader, RECORDING_VERSION, type ReplyLine } from "@pawl/provider-replay"
import type { SessionDocument } from "@pawl/transfer"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { promptParts } from "./prompt-parts.ts"
import { resultOf, textOf } from "./recorder.ts"
import { createSessionNames, sessionLine } from "./session-names.ts"

type Entry = SessionDocument["sessions"][number]

/**
 * Converts a stored session to a recording with its prompts, replies and results. Requests are not stored, so a replay
 * compares only the rest.
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
  writer.header({
    ...{ recording: RECORDING_VERSION, ...header, time: new Date(time.created).toISOString(), directory },
    // The engine must allow subagents at every depth at which the session used them.
    settings: { subagentDepth: sessions.length },
  })
  for (const { session } of sessions) {
    const isRoot = session === root.session
    writer.session({ ...sessionLine(session, isRoot, names), title: isRoot ? session.title : undefined })
  }
  for (const entry of sessions) recordSession(entry, entry === root)

  function recordSession({ session, messages }: Entry, isRoot: boolean): void {
    const name = names.nameOf(session.id)
    const talk = messages.filter((message) => isTalk(message))
    for (const [at, message] of talk.entries()) {
      const { info } = message
      if (info.role === "assistant") recordAnswer(name, message)
      else if (isRoot) recordPrompt(message)
      const next = talk[at + 1]?.info
      const isOver = next === undefined || (next.role === "user" && !next.delivery)
      if (isRoot && info.role === "assistant" && isOver) writer.end(endOf(message))
    }
  }

  function recordPrompt({ info, parts }: MessageWithParts): void {
    if (info.role !== "user") return
    const { agent, model, variant, delivery } = info
    writer.prompt({ prompt: promptParts(parts), agent, variant, by: formatModelRef(model), delivery: delivery?.mode })
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

/**
 * Returns false for summaries and requests for them. A replay does not compact again, since the context size is not
 * stored.
 */
function isTalk({ info, parts }: MessageWithParts): boolean {
  return info.role === "assistant" ? info.summary !== true : promptParts(parts).length > 0
}

function replyOf({ info, parts }: MessageWithParts): ReplyLine {
  const reply = parts.flatMap((part): object[] => {
    if (part.type === "text" && !part.synthetic) return [{ text: part.text }]
    if (part.type === "reasoning") return [{ reasoning: part.text }]
    if (part.type === "tool") return [{ tool: part.tool, id: part.callID, input: part.state.input }]
    return []
  })
  if (info.role !== "assistant") return { reply }
  // Uses an error kind that is not retried, since the stored messages already include the retries.
  const error = info.error && !OWN_ENDS.includes(info.error.name) ? info.error.data["message"] : undefined
  if (error !== undefined) return { reply: [...reply, { error: { kind: "invalid-request", message: error } }] }
  const { input, output, reasoning, cache } = info.tokens
  const usage = { input, output, reasoning, cacheRead: cache.read, cacheWrite: cache.write }
  return { reply, usage, ...finishOf(info.finish) }
}

/** Errors that the engine itself causes. */
const OWN_ENDS: readonly string[] = [
  "MessageAbortedError",
  "MessageOutputLengthError",
  "PermissionDeniedError",
  "RepetitionError",
]
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
