import type { Block } from "../blocks.ts"
import { continuesBlock, signatureOfBlock, type OpenBlock } from "../open-block.ts"
import { typedFrame } from "../server-sent-events.ts"
import type { AnswerEvent, AnswerOpening, WireError } from "../wire-format.ts"
import { toItem, toItemID, toSummaryPart, toTextPart } from "./response-item.ts"
import { includesSignature, toEnding, toResponse, toResponseUsage, type ResponseState } from "./response-object.ts"
import { toResponsesError } from "./responses-error.ts"

type Frame = { readonly type: string; readonly [key: string]: unknown }

/** An item that is not finished: its text so far, and the other fields of the block. */
interface OpenItem {
  readonly id: string
  readonly index: number
  words: string
  readonly toBlock: (words: string) => Block
  readonly open: OpenBlock
}

/**
 * Encodes an answer as named and numbered server-sent events. An item stays open until another one begins:
 *
 *     response.created, response.in_progress, (output_item.added … output_item.done) …, response.completed
 */
export function openResponsesStream(opening: AnswerOpening): (event: AnswerEvent) => string {
  const withSignature = includesSignature(opening.request)
  const output: object[] = []
  let sequence = 0
  let item: OpenItem | undefined
  let lastReasoning: number | undefined

  const send = (...frames: Frame[]) =>
    frames.map((each) => typedFrame({ ...each, sequence_number: sequence++ })).join("")

  const sendState = (type: string, state: Omit<ResponseState, "output">) =>
    send({ type, response: toResponse(opening, { ...state, output: [...output] }) })

  function close(): string {
    if (item === undefined) return ""
    const { id, index, words, toBlock } = item
    const block = toBlock(words)
    const done = toItem(block, id, withSignature)
    item = undefined
    lastReasoning = block.type === "reasoning" ? index : undefined
    output.push(done)
    const at = { item_id: id, output_index: index }
    return send(...toEnd(block, at), { type: "response.output_item.done", output_index: index, item: done })
  }

  function begin(open: OpenBlock, toBlock: (words: string) => Block): { frames: string; item: OpenItem } {
    const closing = close()
    const index = output.length
    const block = toBlock("")
    const id = toItemID(block.type, { answer: opening.number, index, reasoning: lastReasoning })
    item = { id, index, words: "", toBlock, open }
    const added = { type: "response.output_item.added", output_index: index, item: toAdded(block, id) }
    return { frames: closing + send(added, ...toBeginning(block, { item_id: id, output_index: index })), item }
  }

  function speak(event: Extract<AnswerEvent, { type: "text" | "reasoning" }>): string {
    const { frames, item: current } =
      item !== undefined && continuesBlock(item.open, event)
        ? { frames: "", item }
        : event.type === "text"
          ? begin({ type: "text" }, (text) => ({ type: "text", text }))
          : beginReasoning(event.signature)
    current.words += event.delta
    const at = { item_id: current.id, output_index: current.index }
    const delta: Frame =
      event.type === "text"
        ? { type: "response.output_text.delta", ...at, content_index: 0, delta: event.delta, logprobs: [] }
        : { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: event.delta }
    return frames + send(delta)
  }

  function beginReasoning(signature: string | undefined) {
    return begin({ type: "reasoning", text: "", signature }, (text) => ({
      type: "reasoning",
      text,
      signature: signatureOfBlock({ type: "reasoning", text, signature }),
    }))
  }

  function fail(failure: WireError): string {
    const { type, code, message, param } = toResponsesError(failure).body.error
    const failed = { code: code ?? type, message }
    return (
      send({ type: "error", error: { type, code, message, param } }) +
      sendState("response.failed", { status: "failed", error: failed })
    )
  }

  return (event) => {
    switch (event.type) {
      case "start":
        return (
          sendState("response.created", { status: "in_progress" }) +
          sendState("response.in_progress", { status: "in_progress" })
        )
      case "text":
      case "reasoning":
        return speak(event)
      case "tool-call": {
        const { id, name } = event
        return begin({ type: "tool-call" }, (input) => ({ type: "tool-call", id, name, input })).frames
      }
      case "tool-arguments": {
        if (item === undefined) return ""
        item.words += event.delta
        const at = { item_id: item.id, output_index: item.index }
        return send({ type: "response.function_call_arguments.delta", ...at, delta: event.delta })
      }
      case "bad-json":
        return `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":\n\n`
      case "error":
        return fail(event.error)
    }
    const ending = toEnding(event.reason)
    return close() + sendState(`response.${ending.status}`, { ...ending, usage: toResponseUsage(event.usage) })
  }
}

interface At {
  readonly item_id: string
  readonly output_index: number
}

/** Returns an item without content. */
function toAdded(block: Block, id: string): object {
  const item = toItem(block, id, false)
  if (block.type === "reasoning") return { ...item, summary: [] }
  return { ...item, status: "in_progress", ...(block.type === "text" ? { content: [] } : {}) }
}

function toBeginning(block: Block, at: At): Frame[] {
  if (block.type === "text") {
    return [{ type: "response.content_part.added", ...at, content_index: 0, part: toTextPart("") }]
  }
  if (block.type === "tool-call") return []
  return [{ type: "response.reasoning_summary_part.added", ...at, summary_index: 0, part: toSummaryPart("") }]
}

function toEnd(block: Block, at: At): Frame[] {
  switch (block.type) {
    case "text":
      return [
        { type: "response.output_text.done", ...at, content_index: 0, text: block.text, logprobs: [] },
        { type: "response.content_part.done", ...at, content_index: 0, part: toTextPart(block.text) },
      ]
    case "reasoning":
      return [
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text: block.text },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part: toSummaryPart(block.text) },
      ]
    case "tool-call":
      return [{ type: "response.function_call_arguments.done", ...at, name: block.name, arguments: block.input }]
  }
}
