import type { Model, ModelEvent, ModelRequest } from "../src/provider.ts"
import { ended } from "./streaming-model.ts"

export interface Asked {
  readonly request: ModelRequest
  /** Requests of the same session before this one. */
  readonly n: number
  readonly signal: AbortSignal
}

export interface AnsweringModel extends Model {
  readonly requests: ModelRequest[]
}

/** A model that decides by the request what to answer. Each answer takes 10 tokens in and 10 out, at a dollar for a million. */
export function answeringModel(
  answer: (asked: Asked) => readonly ModelEvent[] | AsyncIterable<ModelEvent>,
  modelID = "answers",
): AnsweringModel {
  const requests: ModelRequest[] = []
  return {
    requests,
    ref: { providerID: modelID, modelID },
    info: {
      ...{ id: modelID, name: modelID, limit: { context: 0, output: 0 } },
      cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: false, attachment: true, toolCall: true },
    },
    async *stream(request, signal) {
      const n = requests.filter(({ sessionID }) => sessionID === request.sessionID).length
      requests.push(request)
      let hasCalls = false
      for await (const event of answer({ request, n, signal })) {
        hasCalls ||= event.type === "tool-call"
        yield event
      }
      const { usage } = ended() as Extract<ModelEvent, { type: "finish" }>
      const tokens = { ...usage, input: 10, output: 10 }
      yield { type: "finish", reason: hasCalls ? "tool-calls" : "stop", usage: tokens }
    },
  }
}

/** The same model, of which only what it says costs anything: 20 millionths of a dollar for an answer. */
export function paidByAnswers(model: AnsweringModel): AnsweringModel {
  return { ...model, info: { ...model.info, cost: { input: 0, output: 2, cacheRead: 0, cacheWrite: 0 } } }
}

/** Never answers, until it is told to stop. */
export async function* silence(signal: AbortSignal): AsyncGenerator<ModelEvent> {
  yield { type: "start" }
  await new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })
}

/** All texts of the newest message of the user's in a request. */
export function lastPrompt({ messages }: ModelRequest): string {
  const user = messages.findLast(({ role }) => role === "user")
  return user?.role === "user"
    ? user.content.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n")
    : ""
}
