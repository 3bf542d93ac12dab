import type { Model, ModelEvent, ModelRequest } from "../src/provider.ts"

type Answer = readonly ModelEvent[] | ((signal: AbortSignal) => AsyncIterable<ModelEvent>)

/** A model that gives these answers in turn, event by event as written, and then says "END". */
export function streamingModel(...answers: Answer[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    ref: { providerID: "test", modelID: "stream" },
    info: {
      ...{ id: "stream", name: "stream", limit: { context: 0, output: 0 } },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: true, attachment: true, toolCall: true },
    },
    async *stream(request, signal) {
      const answer = answers[requests.push(request) - 1] ?? [...said("END"), ended()]
      yield* typeof answer === "function" ? answer(signal) : answer
    },
  }
}

export function said(text: string, id = "text"): ModelEvent[] {
  return [
    { type: "text-start", id },
    { type: "text-delta", id, text },
    { type: "text-end", id },
  ]
}

export function called(name: string, input: string | object = {}, id = "call"): ModelEvent {
  return { type: "tool-call", id, name, input: typeof input === "string" ? input : JSON.stringify(input) }
}

export function ended(reason: "stop" | "tool-calls" = "stop"): ModelEvent {
  const usage = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
  return { type: "finish", reason, usage }
}
