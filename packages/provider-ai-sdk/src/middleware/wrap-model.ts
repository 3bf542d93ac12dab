// Imported separately, only for a model with middleware: `ai` is large.
import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  defaultSettingsMiddleware,
  extractJsonMiddleware,
  extractReasoningMiddleware,
  type LanguageModelMiddleware,
  simulateStreamingMiddleware,
  wrapLanguageModel,
} from "ai"
import type { ModelMiddleware } from "./model-middleware.ts"
import { withoutLeadingBlanks } from "./without-leading-blanks.ts"

type Makers = {
  readonly [N in ModelMiddleware["name"]]: (given: Extract<ModelMiddleware, { name: N }>) => LanguageModelMiddleware
}

const makers: Makers = {
  extractReasoning: ({ name: _name, tagName = "think", ...given }) =>
    extractReasoningMiddleware({ ...given, tagName } as Parameters<typeof extractReasoningMiddleware>[0]),
  extractJson: () => extractJsonMiddleware(),
  simulateStreaming: () => simulateStreamingMiddleware(),
  defaultSettings: ({ settings }) =>
    defaultSettingsMiddleware({ settings } as Parameters<typeof defaultSettingsMiddleware>[0]),
}

const trimming: LanguageModelMiddleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => withoutLeadingBlanks(await doStream()),
}

/** The first middleware sees a request first and its answer last. */
export function wrapModel(model: LanguageModelV4, middleware: readonly ModelMiddleware[]): LanguageModelV4 {
  const made = middleware.flatMap((given) => {
    const maker = makers[given.name](given as never)
    return given.name === "extractReasoning" ? [trimming, maker] : [maker]
  })
  return wrapLanguageModel({ model, middleware: made })
}
