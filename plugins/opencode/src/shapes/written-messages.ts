import type { IDSource, MessageWithParts, Part, SessionID } from "@pawl/core"
import type { Message, MessageID, PartID } from "@pawl/core/record"
import {
  isOwnPart,
  type OpenCodeMessage,
  openCodeMessage,
  type OpenCodePart,
  openCodePart,
  ownFields,
  ownMessageFields,
} from "@pawl/server"
import { mappedMessage, mappedPart, type Report } from "@pawl/transfer/opencode-shapes"

/** A message as a plugin sees and changes it. */
export interface SeenMessage {
  info: OpenCodeMessage
  parts: OpenCodePart[]
}

export interface Seen {
  readonly messages: SeenMessage[]
  /** pawl's messages of what they have become. What a plugin did not touch is what it was. */
  written(messages: readonly SeenMessage[]): MessageWithParts[]
  writtenMessage(info: OpenCodeMessage): Message | undefined
  writtenParts(parts: readonly OpenCodePart[], of: Pick<Message, "id" | "time">): Part[]
}

export interface SeenDeps {
  readonly ids: Pick<IDSource, "message" | "part">
  readonly sessionID: SessionID
  readonly directory: string
  readonly report: Report
}

/** Messages in OpenCode's shape, and the way back: what only pawl knows of them is put back in. */
export function seenMessages(deps: SeenDeps, messages: readonly MessageWithParts[]): Seen {
  const { ids, sessionID, directory, report } = deps
  const infos = new Map<unknown, { readonly info: Message; readonly text: string; readonly hidden: readonly Part[] }>()
  const parts = new Map<unknown, { readonly part: Part; readonly text: string }>()
  const lastAsked = messages.findLast(({ info }) => info.role === "user")?.info

  const seen = messages.map((message): SeenMessage => {
    const info = openCodeMessage(message.info)
    const hidden = message.parts.filter((part) => isOwnPart(part))
    infos.set(info.id, { info: message.info, text: JSON.stringify(info), hidden })
    const shown = message.parts.filter((part) => !isOwnPart(part)).map((part) => seenPart(part))
    return { info, parts: shown }
  })

  function seenPart(part: Part): OpenCodePart {
    const shape = openCodePart(part)
    parts.set(shape.id, { part, text: JSON.stringify(shape) })
    return shape
  }

  function writtenMessage(info: OpenCodeMessage): Message | undefined {
    const known = infos.get(info.id)
    if (known?.text === JSON.stringify(info)) return known.info
    const id = isID(info.id, "msg_") ? (info.id as MessageID) : ids.message()
    const answer = lastAsked?.role === "user" ? { ...lastAsked.model, agent: lastAsked.agent } : undefined
    const setting = { id, session: { id: sessionID, directory }, answer, question: lastAsked?.id }
    const mapped = mappedMessage({ info, parts: [] }, setting, report)
    if (!mapped || !known) return mapped?.info ?? known?.info
    return { ...ownMessageFields(known.info), ...mapped.info }
  }

  /** `after`: an id that a new one has to sort behind. */
  function writtenPart(shape: OpenCodePart, of: Pick<Message, "id" | "time">, after: PartID | undefined): Part[] {
    const known = parts.get(shape.id)
    if (known?.text === JSON.stringify(shape) && known.part.messageID === of.id) return [known.part]
    const id = isID(shape.id, "prt_") ? (shape.id as PartID) : ids.part(after)
    const owner = { sessionID, messageID: of.id, created: of.time.created, completed: of.time.created }
    const part = mappedPart({ ...shape, id }, owner, report)
    if (!part) return []
    return known?.part.type === part.type ? [{ ...ownFields(known.part), ...part }] : [part]
  }

  const writtenParts: Seen["writtenParts"] = (list, of) => {
    const written: Part[] = []
    for (const shape of list) written.push(...writtenPart(shape, of, written.at(-1)?.id))
    return written
  }

  return {
    messages: seen,
    writtenMessage,
    writtenParts,
    written(list) {
      return list.flatMap((message): MessageWithParts[] => {
        const info = writtenMessage(message.info)
        if (!info) return []
        const { hidden = [] } = infos.get(message.info.id) ?? {}
        return [{ info, parts: [...writtenParts(message.parts, info), ...hidden] }]
      })
    },
  }
}

function isID(id: unknown, prefix: string): boolean {
  return typeof id === "string" && id.startsWith(prefix)
}
