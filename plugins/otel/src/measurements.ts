import type { Attributes, Meter } from "@opentelemetry/api"
import { allTokens, type AssistantMessage, type MessageWithParts, type Tokens, type ToolPart } from "@pawl/core/record"
import type { Bill } from "./bills.ts"
import { callTimes, requestTimes, type Times } from "./step-times.ts"
import { toolName } from "./tool-name.ts"

export interface Measurements {
  spent(bills: readonly Bill[]): void
  /** Records the durations of a step's request and calls, and its tokens, as far as they are known. */
  took(message: MessageWithParts<AssistantMessage>): void
}

// Boundaries that OpenTelemetry's conventions for generative AI require.
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** `gen_ai.*` are names of OpenTelemetry's conventions. */
export function createMeasurements(meter: Meter): Measurements {
  const cost = meter.createCounter("pawl.cost", { unit: "{USD}", description: "What models were paid." })
  const requests = meter.createCounter("pawl.requests", { unit: "{request}", description: "Requests to models." })
  const tokens = meter.createCounter("pawl.tokens", { unit: "{token}", description: "Tokens sent and received." })
  const tool = histogram("pawl.tool.duration", "s", "How long calls of tools took.", SECONDS)
  const duration = histogram("gen_ai.client.operation.duration", "s", "How long answers took.", SECONDS)
  const usage = histogram("gen_ai.client.token.usage", "{token}", "Tokens of one step.", TOKENS)

  function histogram(name: string, unit: string, description: string, explicitBucketBoundaries: number[]) {
    return meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } })
  }

  return {
    spent(bills) {
      for (const bill of bills) {
        if (bill.spent.requests === 0 && bill.spent.cost === 0 && allTokens(bill.spent.tokens) === 0) continue
        const about = attributesOf(bill)
        cost.add(bill.spent.cost, about)
        requests.add(bill.spent.requests, about)
        for (const [type, count] of tokenTypes(bill.spent.tokens)) {
          if (count > 0) tokens.add(count, { ...about, "gen_ai.token.type": type })
        }
      }
    },
    took(message) {
      const { info, parts } = message
      const { providerID, modelID, agent, error } = info
      const request = requestTimes(message)
      if (request) {
        const about = {
          ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": providerID, "gen_ai.request.model": modelID },
          ...{ "gen_ai.agent.name": agent, ...(error ? { "error.type": error.name } : {}) },
        }
        const { input, output, reasoning, cache } = info.tokens
        duration.record(seconds(request), about)
        usage.record(input + cache.read + cache.write, { ...about, "gen_ai.token.type": "input" })
        usage.record(output + reasoning, { ...about, "gen_ai.token.type": "output" })
      }
      for (const part of parts) {
        if (part.type !== "tool") continue
        const call = callTimes(part)
        if (call) tool.record(seconds(call), { ...callAttributes(part), "gen_ai.agent.name": agent })
      }
    },
  }
}

/** Attributes of a call, used for spans too. */
export function callAttributes({ tool, state }: ToolPart): Attributes {
  return { "gen_ai.tool.name": toolName(tool), ...(state.status === "error" ? { "error.type": "tool_error" } : {}) }
}

function attributesOf({ model, agent, purpose, tool }: Bill): Attributes {
  return {
    ...{ "gen_ai.provider.name": model.providerID, "gen_ai.request.model": model.modelID },
    ...{ "gen_ai.agent.name": agent, "pawl.purpose": purpose },
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
  }
}

function tokenTypes({ input, output, reasoning, cache }: Tokens): [type: string, count: number][] {
  return [
    ["input", input],
    ["output", output],
    ["reasoning", reasoning],
    ["cache_read", cache.read],
    ["cache_write", cache.write],
  ]
}

function seconds({ start, end }: Times): number {
  return (end - start) / 1000
}
