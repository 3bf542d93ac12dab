import type { OpenCodeEvent } from "../shapes/event.ts"

/** Events with the directory that they belong to. */
interface InDirectory {
  readonly directory: string
  readonly event: OpenCodeEvent
}

interface OpenPart extends InDirectory {
  readonly messageID: string
  /** All that was sent of it. */
  text: string
}

/** A part in OpenCode's form. */
export interface SentPart {
  readonly id: string
  readonly [field: string]: unknown
}

/** The parts whose texts are being written. */
export interface OpenParts {
  has(partID: string): boolean
  /** Returns the parts of a message that are being written, with all that was sent of their texts, oldest first. */
  ofMessage(messageID: string): SentPart[]
  /** For each part the `message.part.updated` that a client needs instead of all its deltas. */
  events(): InDirectory[]
  /** Follows an event of the server. */
  follow(directory: string, event: OpenCodeEvent): void
}

export function createOpenParts(): OpenParts {
  const open = new Map<string, OpenPart>()

  function followPart(directory: string, event: OpenCodeEvent): void {
    const part = event.properties["part"] as {
      readonly id: string
      readonly messageID: string
      readonly text?: string
      readonly time?: { readonly start?: number; readonly end?: number }
    }
    const isOpen = typeof part.text === "string" && part.time?.start !== undefined && part.time.end === undefined
    if (isOpen) open.set(part.id, { directory, event, messageID: part.messageID, text: part.text ?? "" })
    else open.delete(part.id)
  }

  return {
    has: (partID) => open.has(partID),
    ofMessage: (id) =>
      [...open.values()].flatMap(({ event, messageID, text }) => {
        return messageID === id ? [partOf(withText(event, text))] : []
      }),
    events: () => [...open.values()].map(({ directory, event, text }) => ({ directory, event: withText(event, text) })),
    follow(directory, event) {
      const { type, properties } = event
      if (type === "message.part.delta") {
        const part = open.get(String(properties["partID"]))
        if (part) part.text += String(properties["delta"])
      } else if (type === "message.part.updated") followPart(directory, event)
      else if (type === "message.part.removed") open.delete(String(properties["partID"]))
      else if (type === "message.removed") {
        for (const [id, { messageID }] of open) if (messageID === properties["messageID"]) open.delete(id)
      }
    },
  }
}

function partOf({ properties }: OpenCodeEvent): SentPart {
  return properties["part"] as SentPart
}

function withText(event: OpenCodeEvent, text: string): OpenCodeEvent {
  const part = event.properties["part"] as object
  return { ...event, properties: { ...event.properties, part: { ...part, text } } }
}
