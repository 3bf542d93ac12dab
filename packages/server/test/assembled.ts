interface Identified {
  readonly id: string
}

/** A session as a client has put it together from events. */
export interface Assembled {
  readonly messages: ReadonlyMap<string, Identified>
  readonly parts: ReadonlyMap<string, Identified & { readonly text?: string }>
}

interface SeenEvent {
  readonly type: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** Puts the messages and parts of all sessions together, as a client does. Throws for a delta of an unknown part. */
export function createAssembly() {
  const messages = new Map<string, Identified>()
  const parts = new Map<string, Identified & { text?: string }>()
  return {
    messages,
    parts,
    apply({ type, properties }: SeenEvent): void {
      if (type === "message.updated") {
        const info = properties["info"] as Identified
        messages.set(info.id, info)
      } else if (type === "message.part.updated") {
        const part = properties["part"] as Identified
        parts.set(part.id, { ...part })
      } else if (type === "message.part.delta") {
        const part = parts.get(String(properties["partID"]))
        if (!part) throw new Error(`A delta of part ${String(properties["partID"])} came before the part.`)
        part.text = `${part.text ?? ""}${String(properties["delta"])}`
      } else if (type === "message.removed") {
        const messageID = String(properties["messageID"])
        messages.delete(messageID)
        for (const [id, part] of parts) if ((part as { messageID?: string }).messageID === messageID) parts.delete(id)
      } else if (type === "message.part.removed") parts.delete(String(properties["partID"]))
    },
  }
}

/** Returns the messages and parts in a form that can be compared. */
export function sorted({ messages, parts }: Assembled) {
  const byID = (a: Identified, b: Identified) => (a.id < b.id ? -1 : 1)
  return { messages: [...messages.values()].toSorted(byID), parts: [...parts.values()].toSorted(byID) }
}
