import { leftOut } from "../media/left-out.ts"
import type {
  FileContent,
  ModelMessage,
  ReasoningContent,
  TextContent,
  ToolCallContent,
  ToolResultContent,
} from "../contracts/model.ts"
import { wrappedCall } from "../tool-set/call-tool.ts"
import {
  type AssistantMessage,
  type FilePart,
  type MessageWithParts,
  type ModelRef,
  type Part,
  type SubtaskPart,
  type ToolPart,
  isMedia,
} from "../record/message.ts"
import { shownText } from "../measure/shown-words.ts"
import { isUnsettled } from "../record/tool-calls.ts"

export const CLEARED_OUTPUT = "[Old tool result content cleared]"
export const INTERRUPTED = "[Tool execution was interrupted]"
/** Errors of answers whose incomplete text is still useful. */
const CUT: ReadonlySet<string> = new Set(["MessageAbortedError", "MessageOutputLengthError"])
const COMPACTED_QUESTION = "What did we do so far?"

/**
 * Replaces a user message without content for the model, for example only a mention or a text file. Providers refuse a
 * request that begins with the assistant, and calls that do not follow a user message or results.
 */
export const EMPTY_MESSAGE: ModelMessage = {
  role: "user",
  content: [{ type: "text", text: "(The user's message has no text.)" }],
}

/**
 * Turns stored messages into model messages that are valid for any stored prefix. Each call has exactly one result,
 * directly after its message. Each message of the assistant follows a user message or results. No message is empty, and
 * an incomplete answer is not the last message. The same message value gives the same model messages, by identity, so
 * that requests begin with the same bytes. `messages` are in the order of the request, which `createArrangement` makes.
 */
export function createModelMessages(): (messages: readonly MessageWithParts[], model: ModelRef) => ModelMessage[] {
  const memo = new WeakMap<MessageWithParts, { model: string; converted: readonly ModelMessage[] }>()
  return (messages, model) => {
    const key = `${model.providerID}/${model.modelID}`
    const result: ModelMessage[] = []
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as MessageWithParts
      let known = memo.get(message)
      if (known?.model !== key) {
        known = { model: key, converted: toModelMessages(message, model) }
        memo.set(message, known)
      }
      if (isAskedAgain(message, messages[at + 1], known.converted)) continue
      for (const converted of known.converted) {
        if (converted.role === "assistant" && !isSaidToModel(result.at(-1))) result.push(EMPTY_MESSAGE)
        result.push(converted)
      }
    }
    return result
  }
}

/** Returns whether a message of the assistant may follow. */
export function isSaidToModel(message: ModelMessage | undefined): boolean {
  return message !== undefined && message.role !== "assistant"
}

/**
 * Returns whether the loop asks again, instead of continuing an incomplete answer without calls. Providers refuse a
 * request that ends with the assistant. If a user message follows, the answer was read and stays. The following message
 * never changes, so later requests do not differ.
 */
function isAskedAgain(
  { info }: MessageWithParts,
  next: MessageWithParts | undefined,
  converted: readonly ModelMessage[],
): boolean {
  if (info.role !== "assistant" || info.error || next?.info.role === "user") return false
  const brokeOff = info.finish === undefined || info.finish === "unknown"
  return brokeOff && converted.at(-1)?.role === "assistant"
}

export function toModelMessages({ info, parts }: MessageWithParts, model: ModelRef): ModelMessage[] {
  return info.role === "user" ? fromUser(parts) : fromAssistant(info, parts, model)
}

function fromUser(parts: readonly Part[]): ModelMessage[] {
  const content: (TextContent | FileContent)[] = []
  for (const part of parts) {
    if (part.type === "text" && !part.ignored && part.text.trim() !== "")
      content.push({ type: "text", text: part.text })
    if (part.type === "file" && isMedia(part)) {
      content.push(part.rejected ? { type: "text", text: rejection(part) } : toFile(part))
    }
    if (part.type === "compaction") content.push({ type: "text", text: COMPACTED_QUESTION })
    if (part.type === "subtask") content.push({ type: "text", text: handedOut(part) })
  }
  return content.length > 0 ? [{ role: "user", content }] : []
}

function fromAssistant(info: AssistantMessage, parts: readonly Part[], model: ModelRef): ModelMessage[] {
  const isKept = info.error === undefined || CUT.has(info.error.name) || parts.some((part) => part.type === "tool")
  if (!isKept) return []
  const sameModel = info.providerID === model.providerID && info.modelID === model.modelID
  const content: (TextContent | ReasoningContent | ToolCallContent)[] = []
  const results: ToolResultContent[] = []
  let isSaid = false
  for (const part of parts) {
    // A text without an end stopped with its process, so the model is asked again.
    if (part.type === "text" && part.text.trim() !== "" && part.time?.end !== undefined && !part.ignored) {
      content.push({ type: "text", text: shownText(part.text, part.shownBytes) })
      isSaid = true
    }
    // Providers that sign their reasoning send it without text, and require it in later requests.
    const isReasoning = part.type === "reasoning" && (part.text !== "" || part.metadata !== undefined)
    if (isReasoning && part.time.end !== undefined && sameModel) {
      content.push({
        type: "reasoning",
        text: shownText(part.text, part.shownBytes),
        ...(part.metadata ? { metadata: part.metadata as never } : {}),
      })
    }
    if (part.type === "tool" && part.metadata?.["providerExecuted"] !== true) {
      // A repeated id would leave two results for one call.
      const isTaken = results.some((result) => result.callID === part.callID)
      const isKept = !isTaken && (sameModel ? part.callID.isWellFormed() : isPlainID(part.callID))
      const callID = isKept ? part.callID : part.id
      const wrapped = wrappedCall(part)
      const name = toToolName(wrapped.name)
      // A signature is only valid for the complete call.
      const isWhole = part.shownBytes === undefined
      const signed = sameModel && isWhole ? part.metadata?.["provider"] : undefined
      const call = { type: "tool-call", callID, name, input: wrapped.input } as const
      content.push(signed === undefined ? call : { ...call, metadata: signed as never })
      results.push(toResult(part, callID, name))
    }
  }
  if (!isSaid && results.length === 0) return []
  // An array that was pushed to reserves room for 17 items. There may be thousands, so store exact copies.
  const answer: ModelMessage = { role: "assistant", content: content.slice() }
  return results.length > 0 ? [answer, { role: "tool", content: results.slice() }] : [answer]
}

function toResult({ state }: ToolPart, callID: string, name: string): ToolResultContent {
  const call = { type: "tool-result", callID, name } as const
  if (isUnsettled(state)) return { ...call, output: INTERRUPTED, isError: true }
  if (state.status === "error") return { ...call, output: state.error || "The call failed.", isError: true }
  if (state.time.compacted !== undefined) return { ...call, output: CLEARED_OUTPUT, isError: false }
  const output = state.output || "(no output)"
  const { attachments: files } = state
  // Nearly all results have no files, and there may be thousands.
  if (!files) return { type: "tool-result", callID, name, output, isError: false }
  const attachments = files.filter(({ rejected }) => !rejected).map((file) => toFile(file))
  const notes = files.filter(({ rejected }) => rejected).map((file) => rejection(file))
  const whole = { ...call, output: [output, ...notes].join("\n"), isError: false }
  return attachments.length > 0 ? { ...whole, attachments } : whole
}

/** Describes a subtask in short, because the call that follows has the whole task. */
function handedOut({ agent, description }: SubtaskPart): string {
  return `The user has handed a task to the subagent "${agent}": ${description}`
}

/** Returns the text that replaces a rejected file. */
function rejection(file: FilePart): string {
  return leftOut(file, file.rejected?.reason ?? "it was refused")
}

function toFile({ mime, filename, url }: FilePart): FileContent {
  return { type: "file", mime, filename, url }
}

/** Returns whether every provider accepts the id. Some providers use other ids, and accept only these. */
function isPlainID(callID: string): boolean {
  return /^[a-zA-Z0-9_-]{1,40}$/.test(callID)
}

/** Returns a valid tool name. A model may have called an invalid one, and the call stays in the history. */
function toToolName(name: string): string {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? name : name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown"
}
