import type { AnswerEvent } from "./wire-format.ts"
import { signatureOf } from "./signature.ts"

type Spoken = Extract<AnswerEvent, { type: "text" | "reasoning" }>

/** The block that a streamed answer is in the middle of. Its text is kept for reasoning, which is signed at its end. */
export type OpenBlock =
  | { readonly type: "text" | "tool-call" }
  | { readonly type: "reasoning"; text: string; readonly signature: string | undefined }

/** Does the event belong to the block, or does it begin another one? */
export function continuesBlock(block: OpenBlock | undefined, event: Spoken): boolean {
  if (block === undefined || block.type !== event.type) return false
  return block.type !== "reasoning" || event.type !== "reasoning" || block.signature === event.signature
}

/** The signature at the end of a block of reasoning. */
export function signatureOfBlock({ text, signature }: Extract<OpenBlock, { type: "reasoning" }>): string {
  return signature ?? signatureOf(text)
}
