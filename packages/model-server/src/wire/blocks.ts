import { cycled, type Answer, type AnswerStep } from "../script/answer.ts"
import { signatureOf } from "./signature.ts"

/** A part of an answer, for APIs that have text, reasoning and calls in one list. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly signature: string }
  | { readonly type: "tool-call"; readonly id: string; readonly name: string; readonly input: string }

type Spoken = { type: "text"; text: string } | { type: "reasoning"; text: string; signature: string | undefined }

/**
 * Returns the blocks of an answer in order. Consecutive text steps are one block, and so are consecutive reasoning
 * steps with the same signature or without one.
 */
export function toBlocks({ steps }: Pick<Answer, "steps">): Block[] {
  const blocks: (Spoken | Extract<Block, { type: "tool-call" }>)[] = []
  for (const step of steps) {
    if (step.type === "tool-call") {
      blocks.push({ type: "tool-call", id: step.id, name: step.name, input: step.chunks.join("") })
      continue
    }
    const spoken = toSpoken(step)
    if (spoken === undefined) continue
    const last = blocks.at(-1)
    if (last !== undefined && continues(last, spoken)) last.text += spoken.text
    else blocks.push(spoken)
  }
  return blocks.map((block) =>
    block.type === "reasoning" ? { ...block, signature: block.signature ?? signatureOf(block.text) } : block,
  )
}

function toSpoken(step: AnswerStep): Spoken | undefined {
  if (step.type === "text") return { type: "text", text: step.chunks.join("") }
  if (step.type === "deltas") return { type: "text", text: cycled(step) }
  if (step.type === "reasoning") return { type: "reasoning", text: step.chunks.join(""), signature: step.signature }
  return undefined
}

function continues(last: { type: string }, next: Spoken): last is Spoken {
  if (last.type !== next.type) return false
  return next.type === "text" || (last as typeof next).signature === next.signature
}
