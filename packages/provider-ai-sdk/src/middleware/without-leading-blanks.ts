import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider"

/** Removes leading blanks from text and reasoning: models write line breaks after their tags. */
export function withoutLeadingBlanks({ stream, ...rest }: LanguageModelV4StreamResult): LanguageModelV4StreamResult {
  const begun = new Set<string>()
  const transform = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
    transform(part, controller) {
      if (part.type !== "text-delta" && part.type !== "reasoning-delta") return controller.enqueue(part)
      const id = `${part.type} ${part.id}`
      const delta = begun.has(id) ? part.delta : part.delta.trimStart()
      if (delta === "") return undefined
      begun.add(id)
      controller.enqueue(delta === part.delta ? part : { ...part, delta })
    },
  })
  return { ...rest, stream: stream.pipeThrough(transform) }
}
