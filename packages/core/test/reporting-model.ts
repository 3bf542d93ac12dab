import { ProviderError } from "../src/base/errors.ts"
import type { Model, ModelRequest, Tokens } from "../src/provider.ts"
import { isSummarizer, requireValid, summary, tokensOf, type WindowModelOptions } from "./window-model.ts"

/** A request as its server has read it. */
export interface ReadRequest {
  /** Tokens of its text, and what the server adds. */
  readonly input: number
  /** Of the request before it in the same conversation, 0 for the first. */
  readonly before: number
}

export interface ReportingModelOptions extends Pick<WindowModelOptions, "context" | "output" | "agent"> {
  /** Tokens of the window as the engine knows it. Default: the true one. */
  readonly stated?: number
  /** What the server says of a request. */
  readonly report: (request: ReadRequest) => Partial<Tokens>
  /** Tokens that the server adds to each request of the conversation. */
  readonly hidden?: (request: ModelRequest) => number
  /** `words`: the refusal names its numbers; `silence`: it names none; `never`: nothing is refused. Default: `words`. */
  readonly refusal?: "words" | "silence" | "never"
}

export interface ReportingModel extends Model {
  /** True input tokens of what the agent asked, in order; refused requests are not among them. */
  readonly accepted: number[]
  refused: number
  summaries: number
}

/** A server whose reports of usage need not be true: four bytes are a token, whatever it says. */
export function reportingModel(options: ReportingModelOptions): ReportingModel {
  const { context, output = 1000, stated = context, agent, report, hidden = () => 0, refusal = "words" } = options
  let asked = 0
  const model: ReportingModel = {
    ...{ accepted: [], refused: 0, summaries: 0 },
    ref: { providerID: "acme", modelID: "honest" },
    info: {
      ...{ id: "honest", name: "honest", limit: { context: stated, output } },
      cost: { input: 1, output: 1, cacheRead: 0.1, cacheWrite: 1.25 },
      capabilities: { reasoning: false, attachment: true, toolCall: true },
    },
    async *stream(request) {
      requireValid(request)
      const input = tokensOf(request, 4) + hidden(request)
      const requested = input + (request.settings.maxOutputTokens ?? 0)
      if (refusal !== "never" && context > 0 && requested > context) {
        model.refused++
        const numbers = refusal === "words" ? { limit: context, requested } : {}
        throw new ProviderError("overflow", "The request is too long.", { statusCode: 400, ...numbers })
      }
      const isSummary = isSummarizer(request)
      const before = model.accepted.at(-1) ?? 0
      if (isSummary) model.summaries++
      else model.accepted.push(input)
      const text = { type: "text-delta", id: "text", text: summary() } as const
      const events = isSummary
        ? ([{ type: "text-start", id: "text" }, text, { type: "text-end", id: "text" }] as const)
        : agent(request, asked++)
      yield* events
      const calls = events.some(({ type }) => type === "tool-call")
      const usage = { input: 0, output: 10, reasoning: 0, cache: { read: 0, write: 0 }, ...report({ input, before }) }
      yield { type: "finish", reason: calls ? "tool-calls" : "stop", usage }
    },
  }
  return model
}
