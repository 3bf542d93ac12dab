import type { Block } from "../blocks.ts"

/** The position of an output item. */
export interface ItemPosition {
  /** The number of the answer. */
  readonly answer: number
  /** Position in the output, from 0. */
  readonly index: number
  /** Position of the reasoning directly before the item. Undefined if there is no such reasoning. */
  readonly reasoning: number | undefined
}

const prefixes = { text: "msg", reasoning: "rs", "tool-call": "fc" } as const

/**
 * Returns the id of an item. The id names the reasoning that the item requires, so that a later request can be checked.
 */
export function toItemID(type: Block["type"], { answer, index, reasoning }: ItemPosition): string {
  return `${prefixes[type]}_${answer}_${index}${reasoning === undefined ? "" : `_rs_${answer}_${reasoning}`}`
}

/**
 * Returns the id of the reasoning that a request must include together with this item; `undefined` if it requires no
 * reasoning.
 */
export function neededReasoning(itemID: string): string | undefined {
  return /^(?:msg|fc)_\d+_\d+_(rs_\d+_\d+)$/.exec(itemID)?.[1]
}

/** Returns a finished output item. It has the signature of reasoning only if the request includes it. */
export function toItem(block: Block, id: string, includesSignature: boolean) {
  switch (block.type) {
    case "text":
      return { id, type: "message", status: "completed", role: "assistant", content: [toTextPart(block.text)] }
    case "reasoning":
      return {
        id,
        type: "reasoning",
        summary: [toSummaryPart(block.text)],
        ...(includesSignature ? { encrypted_content: block.signature } : {}),
      }
    case "tool-call": {
      const { name, input } = block
      return { id, type: "function_call", status: "completed", arguments: input, call_id: block.id, name }
    }
  }
}

export function toTextPart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] }
}

export function toSummaryPart(text: string) {
  return { type: "summary_text", text }
}
