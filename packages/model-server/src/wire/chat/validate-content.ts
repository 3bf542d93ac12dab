import { validatePart } from "./validate-part.ts"

const textOnly: ReadonlySet<unknown> = new Set(["text"])

const partTypes: Readonly<Record<string, ReadonlySet<unknown>>> = {
  user: new Set(["text", "image_url", "input_audio", "file"]),
  assistant: new Set(["text", "refusal"]),
}

/** Returns the first problem in the content of a message whose role is valid. */
export function validateContent(message: Record<string, unknown>, place: string): string | undefined {
  const { role, content } = message
  if (role === "assistant" && isMissing(content)) {
    return hasOtherContent(message) ? undefined : `${place}: an assistant message needs content or tool_calls.`
  }
  if (role === "user" && isMissing(content)) return `${place}.content: the content of a user message is empty.`
  if (typeof content === "string") return undefined
  if (!Array.isArray(content) || content.length === 0) {
    return `${place}.content: must be a string or an array with at least one part.`
  }
  const allowed = partTypes[String(role)] ?? textOnly
  for (const [index, part] of content.entries()) {
    const problem = validatePart(part, allowed, `${place}.content[${index}]`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isMissing(content: unknown): boolean {
  return content === undefined || content === null || content === "" || (Array.isArray(content) && content.length === 0)
}

function hasOtherContent({ tool_calls: calls, refusal }: Record<string, unknown>): boolean {
  return (calls !== undefined && calls !== null) || typeof refusal === "string"
}
