import type { Model, ModelEvent } from "@pawl/core/provider"

/** Returns a model whose errors are replaced by those of `explain`. */
export function explained(model: Model, explain: (error: unknown) => unknown): Model {
  return {
    ...model,
    stream(request, signal, watch) {
      return {
        [Symbol.asyncIterator](): AsyncIterator<ModelEvent> {
          const events = model.stream(request, signal, watch)[Symbol.asyncIterator]()
          const fail = async (error: unknown): Promise<never> => {
            throw signal.aborted ? error : await explain(error)
          }
          return {
            next: () => events.next().catch(fail),
            return: (value: unknown) => events.return?.(value) ?? Promise.resolve({ done: true, value }),
          }
        },
      }
    },
  }
}
