import type { DeliveryMode, EngineEvent } from "@pawl/core"
import type { TextPart } from "@pawl/core/record"

/** A prompt of the user that was delivered to a running session. */
export interface Delivered {
  readonly part: TextPart
  readonly mode: DeliveryMode
}

/** Tracks by the events of a session which queued prompts it has read. */
export interface Deliveries {
  follow(event: EngineEvent): Delivered | undefined
}

export function createDeliveries(): Deliveries {
  const modes = new Map<string, DeliveryMode>()
  return {
    follow(event) {
      if (event.type === "message.updated") {
        const { info } = event.properties
        if (info.role === "user" && info.delivery?.state === "delivered") modes.set(info.id, info.delivery.mode)
      }
      if (event.type !== "message.part.updated") return undefined
      const { part } = event.properties
      const mode = modes.get(part.messageID)
      return mode !== undefined && part.type === "text" && !part.synthetic ? { part, mode } : undefined
    },
  }
}
