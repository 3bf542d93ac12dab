import type { PromptPart } from "../contracts/prompt.ts"
import { type Part, isMedia } from "../record/message.ts"

export interface PromptUse {
  /** The command that made the prompt. */
  readonly command?: { readonly name: string } | undefined
  /** Set if the prompt is stored without an answer, so it may contain only parts for users. Default: `false` */
  readonly isUnanswered?: boolean
}

/** Throws TypeError for a prompt with nothing to answer. */
export function requirePrompt(
  parts: readonly (PromptPart | Part)[],
  { command, isUnanswered = false }: PromptUse,
): void {
  if (parts.some((part) => isSaid(part, isUnanswered))) return
  const needs = "it needs a text or a file"
  throw new TypeError(
    command
      ? `The command "${command.name}" made an empty prompt: ${needs}, of its template or of a plugin.`
      : `The prompt is empty: ${needs}.`,
  )
}

function isSaid(part: PromptPart | Part, isUnanswered: boolean): boolean {
  if (part.type === "file") return isMedia(part)
  if (part.type !== "text") return true
  return part.text.trim() !== "" && (isUnanswered || !part.ignored)
}
