import type { Model, ModelEvent, ModelRequest } from "@pawl/core/provider"

/** A model that calls a tool in each step until `end`, and whose steps wait until `release`. */
export interface SteppingModel extends Model {
  /** Releases everything that waits now. */
  release(): void
  /** Waits like a step; for tools. */
  linger(): Promise<void>
  /** Makes the next answer the last one. */
  end(): void
}

export interface SteppingOptions {
  /** Returns the tool for the n-th step. */
  readonly toolOf: (step: number) => string
  /** Called with each request before it is answered. */
  readonly onRequest: (request: ModelRequest, step: number) => void
  /** Called when a step continues after waiting, in the model or in a tool. */
  readonly onRelease: () => void
}

/** Every other step waits before its call instead of within it. */
export function steppingModel({ toolOf, onRequest, onRelease }: SteppingOptions): SteppingModel {
  let released = Promise.withResolvers<void>()
  let isEnding = false
  let steps = 0

  async function wait(): Promise<void> {
    if (!isEnding) await released.promise
    onRelease()
  }

  return {
    ref: { providerID: "test", modelID: "stepping" },
    info: {
      ...{ id: "stepping", name: "stepping", limit: { context: 0, output: 0 } },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: false, attachment: false, toolCall: true },
    },
    release() {
      const open = released
      released = Promise.withResolvers()
      open.resolve()
    },
    linger: () => (steps % 2 === 0 ? wait() : Promise.resolve()),
    end() {
      isEnding = true
      released.resolve()
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      const step = ++steps
      onRequest(request, step)
      if (!isEnding && step % 2 === 1) await wait()
      if (isEnding) {
        yield { type: "text-start", id: "text" }
        yield { type: "text-delta", id: "text", text: "Done." }
        yield { type: "text-end", id: "text" }
      } else yield { type: "tool-call", id: `call_${step}`, name: toolOf(step), input: `{"step":${step}}` }
      const usage = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
      yield { type: "finish", reason: isEnding ? "stop" : "tool-calls", usage }
    },
  }
}
