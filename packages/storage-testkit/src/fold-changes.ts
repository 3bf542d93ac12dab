import type { Change, Context, Message, MessageID, Part, PartID, Session } from "@pawl/core/storage"

/** Applies changes to a context, as a reader does: each change is the new state of one record. */
export function foldChanges(context: Context, changes: readonly Change[]): Context {
  let session: Session = context.session
  let revision = context.revision
  const infos = new Map<string, Message>(context.messages.map(({ info }) => [info.id, info]))
  const parts = new Map<string, Part>(
    context.messages.flatMap((message) => message.parts.map((part) => [partKey(message.info.id, part.id), part])),
  )

  for (const change of changes) {
    revision = change.revision
    switch (change.type) {
      case "session.put":
        session = change.session
        break
      case "message.put":
        infos.set(change.message.id, change.message)
        break
      case "part.put":
        parts.set(partKey(change.part.messageID, change.part.id), change.part)
        break
      case "message.remove":
        infos.delete(change.messageID)
        break
      case "part.remove":
        parts.delete(partKey(change.messageID, change.partID))
        break
    }
  }
  const messages = [...infos.values()].toSorted(byID).map((info) => ({
    info,
    parts: [...parts.values()].filter((part) => part.messageID === info.id).toSorted(byID),
  }))
  return { session, revision, messages }
}

/** Includes the message id, since two messages may have parts with the same id. */
function partKey(messageID: MessageID, partID: PartID): string {
  return `${messageID} ${partID}`
}

function byID(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
