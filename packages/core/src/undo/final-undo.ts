import type { IDSource } from "../base/ids.ts"
import { digest } from "../base/digest.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import type {
  FileChange,
  MessageWithParts,
  PatchPart,
  Session,
  UndoneFile,
  UndoStep,
  UserMessage,
} from "../record/message.ts"
import { createBoundarySearch, cutMessage } from "../record/fork-point.ts"
import { isWaiting } from "../record/waiting.ts"
import { undonePoints } from "./undo-point.ts"

export interface FinalUndoDeps {
  readonly storage: Pick<Storage, "readMessages">
}

/**
 * Returns the writes that make a session's undo final: they remove the undone messages and parts, and move the start of the
 * context if its compaction is among them. Empty if nothing is undone. `notice`: told to the model with its next prompt,
 * unless the writes are stored with that prompt.
 */
export async function finalUndoWrites(
  { storage }: FinalUndoDeps,
  session: Session,
  { notice }: { readonly notice?: string | undefined } = {},
): Promise<Write[]> {
  if (!session.undo?.length && session.undoNotice === undefined) return []
  const writes: Write[] = []
  const { chat } = undonePoints(session)
  let { boundary } = session
  if (chat) {
    const point = { messageID: chat.messageID, partID: chat.partID } as Parameters<typeof cutMessage>[1]
    let isCompactionUndone = false
    const search = createBoundarySearch(session, point)
    for await (const message of storage.readMessages(session.id)) {
      if (isWaiting(message)) continue
      const kept = cutMessage(message, point)
      if (kept !== message) {
        writes.push(...removal(message, kept))
        isCompactionUndone ||= message.info.role === "assistant" && message.info.summary === true
        continue
      }
      // Reads on only to find an earlier compaction.
      if (!isCompactionUndone) break
      search.look(message)
      boundary = search.found()
      if (boundary !== undefined) break
    }
    if (isCompactionUndone) boundary = search.found()
  }
  const changes = { undo: undefined, revert: undefined, summary: undefined, undoNotice: notice, boundary }
  return [...writes, { type: "session.patch", changes }]
}

function removal({ info, parts }: MessageWithParts, kept: MessageWithParts | undefined): Write[] {
  if (!kept) return [{ type: "message.remove", messageID: info.id }]
  const left = new Set(kept.parts.map(({ id }) => id))
  const removed = parts.filter(({ id }) => !left.has(id))
  return [
    ...removed.map(({ id }): Write => ({ type: "part.remove", messageID: info.id, partID: id })),
    { type: "message.put", message: kept.info },
  ]
}

/** Returns what the model has to know about the undo: which files no longer hold its changes, and which still do. */
export function undoNotice({
  undo = [],
  undoNotice: earlier,
}: Pick<Session, "undo" | "undoNotice">): string | undefined {
  const files = new Map(undo.flatMap((step) => (step.files ?? []).map((file) => [file.path, { file, step }] as const)))
  const named = (wanted: (file: UndoneFile, step: UndoStep) => boolean) =>
    [...files.values()].filter(({ file, step }) => wanted(file, step)).map(({ file }) => `- ${file.path}`)
  const restored = named(({ outcome }, { chat }) => !chat && (outcome === "restored" || outcome === "merged"))
  const left = named(({ outcome }) => outcome === "conflict" || outcome === "uncovered")
  const isChatOnly = undo.some(({ chat, files: own }) => chat && own === undefined)
  const sentences = [
    ...(restored.length > 0
      ? [
          `The user has undone your changes of these files. Read them again before you edit them:\n${restored.join("\n")}`,
        ]
      : []),
    ...(left.length > 0
      ? [`The user has undone work in this session, but these files still contain changes of it:\n${left.join("\n")}`]
      : []),
    ...(isChatOnly
      ? [
          "The user has removed the last messages from this conversation. Changes that were made to files since then are still there.",
        ]
      : []),
  ]
  if (sentences.length === 0) return earlier
  const text = `<system-reminder>\n${sentences.join("\n\n")}\n</system-reminder>`
  return earlier === undefined ? text : `${earlier}\n${text}`
}

/** Returns the changes that undos without messages made, as a part of the prompt that makes them final. */
export function undoPatch(
  { undo = [] }: Pick<Session, "undo">,
  owner: Pick<UserMessage, "id" | "sessionID">,
  ids: Pick<IDSource, "part">,
): PatchPart[] {
  const files = undo.filter(({ chat }) => !chat).flatMap((step) => step.files ?? [])
  const changes = files.filter(isWritten).map(({ path, had, left }): FileChange => ({ path, before: had, after: left }))
  if (changes.length === 0) return []
  return [{ id: ids.part(), sessionID: owner.sessionID, messageID: owner.id, ...patchOf(changes) }]
}

export function isWritten({ outcome }: UndoneFile): boolean {
  return outcome === "restored" || outcome === "merged"
}

/** Returns the fields of a patch part for these changes. */
export function patchOf(changes: readonly FileChange[]): Pick<PatchPart, "type" | "hash" | "files" | "changes"> {
  const hash = digest(JSON.stringify(changes.map(({ path, after }) => [path, after?.hash ?? null])))
  return { type: "patch", hash, files: changes.map(({ path }) => path), changes: [...changes] }
}
