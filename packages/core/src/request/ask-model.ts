import type { Deadlines } from "../base/deadlines.ts"
import type { Model, ModelEvent, ModelRequest } from "../contracts/model.ts"
import { type StreamWatch, withDeadlines } from "./stream-deadline.ts"
import { createWellFormed } from "./well-formed.ts"
import { createCapabilityFitter } from "./within-capabilities.ts"

/**
 * Sends a request to a model. All requests pass here: steps, summaries, titles and requests of tools. Makes the request
 * well-formed Unicode and fits it to the model's capabilities. Enforces the deadlines of the answer.
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
    const fit = (original: ModelRequest) => within(wellFormed(original), model.info)
    return withDeadlines((stop, below) => model.stream(fit(request), stop, below), signal, deadlines, watch)
  }
}
