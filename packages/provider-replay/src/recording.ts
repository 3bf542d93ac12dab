import { type Model, type ModelEvent, type ModelInfo, type ModelRequest, ProviderError } from "@pawl/core/provider"
import { createTranscript, type ReplyLine } from "./script/transcript.ts"

/**
 * The same model, whose replies are also written down: one line of a script for each, without the line break, when the
 * reply is over. Played again the lines give the same parts, token counts and errors; pauses and the cutting into deltas
 * are not kept. What was said before an abort becomes a reply that ends there; an abort before that leaves no line.
 */
export function recording(model: Model, writer: (line: string) => void): Model {
  return listenedTo(model, (reply) => writer(JSON.stringify(reply)))
}

/** A reply that is over, and what it is the reply to. */
export interface HeardReply {
  readonly request: ModelRequest
  /** Milliseconds from the request to the end of the reply. */
  readonly took: number
}

/** The same model; `listener` is told each reply when it is over, as a line of a script would have it. */
export function listenedTo(model: Model, listener: (reply: ReplyLine, heard: HeardReply) => void): Model {
  return {
    ...model,
    connect: () => model.connect?.(),
    findRejectedFiles: async (error, request) => model.findRejectedFiles?.(error, request),
    async *stream(request, signal, watch): AsyncGenerator<ModelEvent, void, undefined> {
      const transcript = createTranscript()
      const begun = performance.now()
      try {
        for await (const event of model.stream(request, signal, watch)) {
          transcript.add(event)
          yield event
        }
      } catch (error) {
        // The engine's deadlines abort as well, and give their error as the reason.
        transcript.fail(signal.reason instanceof ProviderError ? signal.reason : error)
        throw error
      } finally {
        const reply = transcript.reply()
        if (reply !== undefined) listener(reply, { request, took: Math.round(performance.now() - begun) })
      }
    },
  }
}

/** The header line for a script of this model's replies. Belongs at the beginning of a new file. */
export function scriptHeader({ id, name, limit, cost, capabilities }: ModelInfo): string {
  return JSON.stringify({ model: { id, name, limit, cost, capabilities } })
}
