import type { Engine, EngineEvent, SessionID } from "@pawl/core"
import { type RecordedDelivery, type Recording, ROOT } from "@pawl/provider-replay"
import { promptOf } from "./prompt-of.ts"

/** Returns the prompts that were delivered between the reply in this line and the next reply. */
export function saidAfter({ deliveries, replies }: Recording, line: number): RecordedDelivery[] {
  const later = replies.flatMap((reply) => {
    return reply.session === ROOT && !reply.beside && reply.line > line ? [reply.line] : []
  })
  const [next = Infinity] = later
  return deliveries.filter((delivery) => delivery.line > line && delivery.line < next)
}

/** Sends the messages to the running session. Resolves when all of them wait for the next step. */
export async function sayMeanwhile(
  engine: Engine,
  sessionID: SessionID,
  deliveries: readonly RecordedDelivery[],
): Promise<void> {
  for (const { prompt, agent, delivery } of deliveries) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const unsubscribe = engine.subscribe((event) => {
      if (isWaiting(event)) resolve()
    })
    engine
      .prompt({
        ...{ sessionID, parts: promptOf(prompt), ...(agent === undefined ? {} : { agent }) },
        // A message that interrupted its step steers here, since the replay plays the interrupted reply up to the
        // interruption.
        delivery: delivery === "queue" ? "queue" : "steer",
      })
      .then(
        () => resolve(),
        () => resolve(),
      )
    await promise
    unsubscribe()
  }
}

function isWaiting({ type, properties }: EngineEvent): boolean {
  return type === "message.updated" && properties.info.role === "user" && properties.info.delivery?.state === "waiting"
}
