import { type Model, type ModelEvent, type ModelInfo, type ModelRequest, ProviderError } from "@pawl/core/provider"
import { createTranscript, type ReplyLine } from "./script/transcript.ts"

/**
 * Wraps a model and passes each reply, when it ends, to `writer` as a line of a script without a line break. Playing
 * the lines gives the same parts, token counts and errors; pauses and the split into deltas are not kept. If a reply is
 * aborted, the line has what came before the abort; if nothing came, there is no line.
 */
export function recording(model: Model, writer: (line: string) => void): Model {
  return listenedTo(model, (reply) => writer(JSON.stringify(reply)))
}

/** A complete reply with its request. */
export interface HeardReply {
  readonly request: ModelRequest
  /** Time from the request to the end of the reply, in milliseconds. */
  readonly took: number
}

/** Wraps a model and passes each reply to `listener`, when it ends, as a line of a script. */
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
        // The engine's deadlines also abort the signal, with their error as the reason.
        transcript.fail(signal.reason instanceof ProviderError ? signal.reason : error)
        throw error
      } finally {
        const reply = transcript.reply()
        if (reply !== undefined) listener(reply, { request, took: Math.round(performance.now() - begun) })
      }
    },
  }
}

/** Returns the header line for a script of this model's replies. It must be the first line of the file. */
export function scriptHeader({ id, name, limit, cost, capabilities }: ModelInfo): string {
  return JSON.stringify({ model: { id, name, limit, cost, capabilities } })
}
