import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider"
import type { ModelEvent, ModelInfo, ModelRequest } from "@pawl/core/provider"

export const ref = { providerID: "acme", modelID: "small" }
export const info: ModelInfo = {
  id: "small",
  name: "Small",
  limit: { context: 0, output: 0 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  capabilities: { reasoning: false, attachment: false, toolCall: true },
}

export interface MemoryLanguageModel extends LanguageModelV4 {
  readonly calls: readonly LanguageModelV4CallOptions[]
  /** Whether a reader has let go of the last stream before its end. */
  cancelled: boolean
}

/** A language model that answers from memory with the same parts each time. `never` keeps the answer open after them. */
export function languageModel(
  parts: readonly LanguageModelV4StreamPart[],
  options: { never?: boolean; doStream?: LanguageModelV4["doStream"] } = {},
): MemoryLanguageModel {
  const calls: LanguageModelV4CallOptions[] = []
  const model: MemoryLanguageModel = {
    specificationVersion: "v4",
    provider: "acme.chat",
    modelId: "small",
    supportedUrls: {},
    calls,
    cancelled: false,
    doGenerate: () => Promise.reject(new Error("doGenerate is not used.")),
    doStream(call) {
      calls.push(call)
      if (options.doStream !== undefined) return Promise.resolve(options.doStream(call))
      return Promise.resolve({
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            if (options.never !== true) controller.close()
          },
          cancel() {
            model.cancelled = true
          },
        }),
      })
    },
  }
  return model
}

export function usage(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

export const stop: LanguageModelV4StreamPart = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: usage(10, 5),
}

export function request(partial: Partial<ModelRequest> = {}): ModelRequest {
  return {
    sessionID: "ses_1",
    system: [],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: [],
    settings: {},
    headers: {},
    ...partial,
  }
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const collected: ModelEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}
