import type { Model, ModelEvent, ModelMessage, ModelRequest } from "@pawl/core/provider"

export const never: AbortSignal = new AbortController().signal

/** A request of a session in which the model has answered so many times. */
export function requestAfter(answers: number, partial: Partial<ModelRequest> = {}): ModelRequest {
  const turn: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "Go on." }] },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
  ]
  return {
    sessionID: "ses_1",
    system: [],
    messages: [...Array.from({ length: answers }, () => turn).flat(), ...turn.slice(0, 1)],
    tools: [],
    settings: {},
    headers: {},
    ...partial,
  }
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const collected: ModelEvent[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** What the model says to a request, as one string, or the message of its error. */
export async function answer(model: Model, request: ModelRequest): Promise<string> {
  try {
    return textOf(await collect(model.stream(request, never)))
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")
}
