import type { Deadlines } from "../base/deadlines.ts"
import type { Model, ModelEvent, ModelRequest } from "../contracts/model.ts"
import { type StreamWatch, withDeadlines } from "./stream-deadline.ts"
import { createWellFormed } from "./well-formed.ts"
import { createCapabilityFitter } from "./within-capabilities.ts"

/**
 * Sends a request to a model: the only way to do so, for steps, summaries, titles and what tools ask. The request is
 * well-formed Unicode and within the model's capabilities, and the answer within the deadlines.
 */
export type AskModel = (
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  watch?: StreamWatch,
) => AsyncIterable<ModelEvent>

export interface AskModelDeps {
  readonly deadlines: Pick<Deadlines, "firstEvent" | "idle" | "events" | "waiting">
}

export function createAskModel({ deadlines }: AskModelDeps): AskModel {
  const wellFormed = createWellFormed()
  const within = createCapabilityFitter()
  return (model, request, signal, watch) => {
    const fitted = (asked: ModelRequest) => within(wellFormed(asked), model.info)
    return withDeadlines((stop, below) => model.stream(fitted(request), stop, below), signal, deadlines, watch)
  }
}
