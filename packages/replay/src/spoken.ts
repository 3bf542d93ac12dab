import type { EngineEvent } from "@pawl/core"
import type { Part, UserMessage } from "@pawl/core/record"
import { type PromptLine } from "@pawl/provider-replay"
import { formatModelRef } from "@pawl/provider-registry/model-ref"
import { promptParts } from "./prompt-parts.ts"

/** Prompts that the user sends to a running session. */
export interface Spoken {
  /** Called with each event of the session. */
  follow(event: EngineEvent): void
  /** Returns the prompts delivered since the last call, in order. */
  taken(): PromptLine[]
}

export function createSpoken(isMeant: (sessionID: string) => boolean): Spoken {
  const messages = new Map<string, { readonly info: UserMessage; readonly parts: Map<string, Part> }>()
  const known = new Set<string>()
  return {
    follow(event) {
      if (event.type === "message.part.updated") {
        const { part } = event.properties
        messages.get(part.messageID)?.parts.set(part.id, part)
      }
      if (event.type !== "message.updated") return
      const { info } = event.properties
      if (info.role !== "user" || info.delivery?.state !== "delivered" || !isMeant(info.sessionID)) return
      if (!known.has(info.id)) messages.set(info.id, { info, parts: new Map() })
      known.add(info.id)
    },
    taken() {
      const spoken = [...messages.values()].map(({ info: { agent, variant, model, delivery }, parts }) => {
        const prompt = promptParts([...parts.values()])
        return { prompt, agent, variant, by: formatModelRef(model), delivery: delivery?.mode }
      })
      messages.clear()
      return spoken
    },
  }
}
