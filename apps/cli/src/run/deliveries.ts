import type { DeliveryMode, EngineEvent, TextPart } from "@pawl/core"

/** A text of the user's that came to a session at work. */
export interface Delivered {
  readonly part: TextPart
  readonly mode: DeliveryMode
}

/** Knows from the events of a session which texts were left for it and are read now. */
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
