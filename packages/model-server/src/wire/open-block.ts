import type { AnswerEvent } from "./wire-format.ts"
import { signatureOf } from "./signature.ts"

type Spoken = Extract<AnswerEvent, { type: "text" | "reasoning" }>

/** The current block of a streamed answer. Keeps the text of reasoning, which is signed at its end. */
export type OpenBlock =
  | { readonly type: "text" | "tool-call" }
  | { readonly type: "reasoning"; text: string; readonly signature: string | undefined }

/** Returns true if the event belongs to the block, false if it begins another block. */
export function continuesBlock(block: OpenBlock | undefined, event: Spoken): boolean {
  if (block === undefined || block.type !== event.type) return false
  return block.type !== "reasoning" || event.type !== "reasoning" || block.signature === event.signature
}

/** Returns the signature at the end of a reasoning block. */
export function signatureOfBlock({ text, signature }: Extract<OpenBlock, { type: "reasoning" }>): string {
  return signature ?? signatureOf(text)
}
