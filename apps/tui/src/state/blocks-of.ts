import type { MessageWithParts, Part } from "@pawl/core"
import { requestedCall, type UserMessage } from "@pawl/core/record"
import type { Block } from "./view.ts"

/**
 * Returns the block for a part of an assistant message. Undefined for parts that are not shown. `isOwn`: the user asked for
 * the call.
 */
export function partBlock(part: Part, isOwn = false): Block | undefined {
  const { id } = part
  switch (part.type) {
    case "text":
      if (part.synthetic || part.text === "")
        return part.time?.end === undefined && !part.synthetic ? openText(id) : undefined
      return { type: "text", id, text: part.text, isDone: part.time?.end !== undefined }
    case "reasoning": {
      const { start, end } = part.time
      const took = end === undefined ? {} : { took: end - start }
      return { type: "reasoning", id, text: part.text, isDone: end !== undefined, ...took }
    }
    case "tool":
      return {
        ...{ type: "tool", id, part, ...(isOwn ? { isOwn } : {}) },
        isDone: part.state.status === "completed" || part.state.status === "error",
      }
    case "retry":
      return { type: "retry", id, message: part.error.data.message, isDone: true }
    default:
      return undefined
  }
}

function openText(id: string): Block {
  return { type: "text", id, text: "", isDone: false }
}

/** Returns the block for a part that asks for a call of the user. Undefined for other parts. */
export function requestBlock(part: Part): Block | undefined {
  const call = requestedCall({ info: { role: "user" } as UserMessage, parts: [part] })
  if (!call) return undefined
  const { command } = call.input
  const shown = typeof command === "string" ? command : `${call.tool} ${JSON.stringify(call.input)}`
  return { type: "shell", id: part.messageID, command: shown, isDone: true }
}

/** Adds a part of the user's message to its block. */
export function withPromptPart(block: Extract<Block, { type: "prompt" }>, part: Part): Block {
  if (part.type === "text" && !part.synthetic) {
    return { ...block, text: block.text === "" ? part.text : `${block.text}\n${part.text}` }
  }
  if (part.type === "file") return { ...block, attached: [...block.attached, part.filename ?? part.mime] }
  if (part.type === "subtask")
    return { ...block, text: block.text || `/${part.command ?? part.agent}: ${part.description}` }
  return block
}

/** Returns the finished blocks of a stored message. */
export function messageBlocks({ info, parts }: MessageWithParts): Block[] {
  if (info.role === "user") {
    const empty = { type: "prompt", id: info.id, text: "", attached: [], isDone: true } as const
    const block = parts.reduce<Block>(
      (made, part) => (made.type === "prompt" ? withPromptPart(made, part) : made),
      empty,
    )
    return block.type === "prompt" && block.text === "" && block.attached.length === 0 ? [] : [block]
  }
  return parts.flatMap((part) => {
    const block = partBlock(part)
    return block ? [{ ...block, isDone: true }] : []
  })
}
