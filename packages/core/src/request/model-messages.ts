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
/** Errors of answers whose text is worth reading as far as it came. */
const CUT: ReadonlySet<string> = new Set(["MessageAbortedError", "MessageOutputLengthError"])
const COMPACTED_QUESTION = "What did we do so far?"

/**
 * Stands for a message of the user's that has nothing for the model, such as a mention or a text file alone. Providers
 * refuse a request that begins with the assistant, and calls that do not follow the user or results.
 */
export const EMPTY_MESSAGE: ModelMessage = {
  role: "user",
  content: [{ type: "text", text: "(The user's message has no text.)" }],
}

/**
 * Turns stored messages into model messages that are valid whatever prefix of them was stored: each call is answered
 * once and directly after its message, each message of the assistant follows the user or results, nothing is empty, and
 * no answer that broke off comes last. The same message value gives the same model messages, by identity, so that a
 * request begins with the bytes of the one before it. Their order is that of the request: `createArrangement` makes it.
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

/** Whether the assistant may speak behind it. */
export function isSaidToModel(message: ModelMessage | undefined): boolean {
  return message !== undefined && message.role !== "assistant"
}

/**
 * Whether the loop asks again instead of going on from an answer that broke off without calls: providers refuse a
 * request that ends with the assistant. Where the user has written since, the answer was read and stays. What follows a
 * message is settled once there is something, so no later request differs.
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
    // A text without an end broke off with its process; the model is asked again instead.
    if (part.type === "text" && part.text.trim() !== "" && part.time?.end !== undefined && !part.ignored) {
      content.push({ type: "text", text: shownText(part.text, part.shownBytes) })
      isSaid = true
    }
    // Providers that sign their reasoning send it without text, and want it back.
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
      const made = wrappedCall(part)
      const name = toToolName(made.name)
      // A signature is for the call as it was made.
      const isWhole = part.shownBytes === undefined
      const signed = sameModel && isWhole ? part.metadata?.["provider"] : undefined
      const call = { type: "tool-call", callID, name, input: made.input } as const
      content.push(signed === undefined ? call : { ...call, metadata: signed as never })
      results.push(toResult(part, callID, name))
    }
  }
  if (!isSaid && results.length === 0) return []
  // What was pushed to keeps room for seventeen items, and there may be thousands of such lists: copies are exact.
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
  // Nearly all results, and there may be thousands.
  if (!files) return { type: "tool-result", callID, name, output, isError: false }
  const attachments = files.filter(({ rejected }) => !rejected).map((file) => toFile(file))
  const notes = files.filter(({ rejected }) => rejected).map((file) => rejection(file))
  const whole = { ...call, output: [output, ...notes].join("\n"), isError: false }
  return attachments.length > 0 ? { ...whole, attachments } : whole
}

/** The call that follows has the whole task. */
function handedOut({ agent, description }: SubtaskPart): string {
  return `The user has handed a task to the subagent "${agent}": ${description}`
}

/** In place of a file that no provider gets to see. */
function rejection(file: FilePart): string {
  return leftOut(file, file.rejected?.reason ?? "it was refused")
}

function toFile({ mime, filename, url }: FilePart): FileContent {
  return { type: "file", mime, filename, url }
}

/** What every provider takes for the id of a call; some give others, and take them back. */
function isPlainID(callID: string): boolean {
  return /^[a-zA-Z0-9_-]{1,40}$/.test(callID)
}

/** A model may have called what no provider accepts as a name, and the call stays in the history. */
function toToolName(name: string): string {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? name : name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown"
}
