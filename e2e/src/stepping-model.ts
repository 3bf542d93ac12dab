import type { Model, ModelEvent, ModelRequest } from "@pawl/core/provider"

/** A model that asks for a tool in each step until it is told to end, and whose steps last until they are let go. */
export interface SteppingModel extends Model {
  /** Lets all go that wait now. */
  release(): void
  /** Waits as a step does; for tools. */
  linger(): Promise<void>
  /** The next answer is the last. */
  end(): void
}

export interface SteppingOptions {
  /** What the n-th step calls. */
  readonly toolOf: (step: number) => string
  /** Told of each request, before it is answered. */
  readonly onRequest: (request: ModelRequest, step: number) => void
  /** Told when a step goes on after it has waited, in the model or in a tool. */
  readonly onRelease: () => void
}

/** Each other step waits before its call instead of within it. */
export function steppingModel({ toolOf, onRequest, onRelease }: SteppingOptions): SteppingModel {
  let gate = Promise.withResolvers<void>()
  let isEnding = false
  let steps = 0

  async function wait(): Promise<void> {
    if (!isEnding) await gate.promise
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
      const open = gate
      gate = Promise.withResolvers()
      open.resolve()
    },
    linger: () => (steps % 2 === 0 ? wait() : Promise.resolve()),
    end() {
      isEnding = true
      gate.resolve()
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
