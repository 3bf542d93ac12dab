import type { ModelEvent, ModelRequest, Provider } from "@pawl/core/provider"

/** What a broken provider does to requests and events on their way. */
export interface Fault {
  readonly request?: (request: ModelRequest) => ModelRequest
  readonly events?: (events: AsyncIterable<ModelEvent>) => AsyncIterable<ModelEvent>
  /** Keeps the signal from the model. */
  readonly deaf?: boolean
}

/** A provider that is broken in one way. */
export function broken(provider: Provider, { request, events, deaf = false }: Fault): Provider {
  return {
    ...provider,
    async model(modelID) {
      const model = await provider.model(modelID)
      return {
        ...model,
        stream(asked, signal) {
          const stream = model.stream(request?.(asked) ?? asked, deaf ? new AbortController().signal : signal)
          return events?.(stream) ?? stream
        },
      }
    },
  }
}

/** Replaces each event by none, one or several. */
export function mapEvents(change: (event: ModelEvent) => readonly ModelEvent[]): NonNullable<Fault["events"]> {
  return async function* mapped(events) {
    for await (const event of events) yield* change(event)
  }
}
