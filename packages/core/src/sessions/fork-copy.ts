import type { IDSource, MessageID, PartID, SessionID } from "../base/ids.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { collected } from "../base/collected.ts"
import { isStatePart, justAfter } from "../record/compaction-record.ts"
import { createBoundarySearch, cutMessage, type ForkPoint } from "../record/fork-point.ts"
import type {
  CompactionPart,
  Message,
  MessageWithParts,
  Part,
  QuestionPart,
  Session,
  TextPart,
} from "../record/message.ts"
import { settleWrites } from "../run/recovery.ts"
import { isWaiting } from "../record/waiting.ts"

export interface CopyDeps {
  readonly storage: Pick<Storage, "readMessages">
  readonly ids: IDSource
  readonly now: () => number
}

/** Contents of a fork. */
export interface ForkPlan {
  readonly source: Session
  readonly point: ForkPoint
  /** New ids of messages, by the old ids, oldest first. */
  readonly messages: ReadonlyMap<MessageID, MessageID>
  /** New ids of parts that compactions keep, by the old ids. */
  readonly parts: Map<string, PartID>
  /** Start of the context, as a new id. */
  readonly boundary: MessageID | undefined
}

/** Number of messages that are read at once. */
const PAGE_SIZE = 50
/** Approximate characters of JSON in a commit. */
const BATCH_LENGTH = 1_000_000

/**
 * Plans a fork. Reads the session once, newest first, and keeps only ids, because its contents may not fit in memory.
 */
export async function planFork({ storage, ids }: CopyDeps, source: Session, point: ForkPoint): Promise<ForkPlan> {
  const { messageID } = point
  const search = createBoundarySearch(source, point)
  const found: MessageID[] = []
  const parts = new Map<string, PartID>()
  for await (const message of storage.readMessages(source.id, messageID ? { before: justAfter(messageID) } : {})) {
    const kept = cutMessage(message, point)
    // Waiting prompts are delivered in the source.
    if (!kept || isWaiting(kept)) continue
    found.push(kept.info.id)
    search.look(kept)
    // Messages are read newest first, so a compaction is read before the parts that it keeps.
    for (const id of keptParts(kept)) parts.set(id, ids.part())
  }
  const messages = new Map(found.toReversed().map((id) => [id, ids.message()]))
  const boundary = search.found()
  return { source, point, messages, parts, boundary: boundary && firstFrom(messages, boundary) }
}

/** Yields the writes of the copy, oldest message first, in a batch for each commit. */
export async function* copyBatches(deps: CopyDeps, plan: ForkPlan, to: SessionID): AsyncGenerator<Write[]> {
  let batch: Write[] = []
  let size = 0
  for await (const message of oldestFirst(deps, plan)) {
    const kept = cutMessage(message, plan.point)
    const id = kept && plan.messages.get(kept.info.id)
    if (!kept || !id) continue
    for (const write of copyWrites(deps, plan, kept, { sessionID: to, messageID: id })) {
      batch.push(write)
      size += JSON.stringify(write).length
      if (size < BATCH_LENGTH) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Yields messages, oldest first. Reads pages and reverses each page, because the storage only reads newest first. */
async function* oldestFirst({ storage }: CopyDeps, { source, messages }: ForkPlan): AsyncGenerator<MessageWithParts> {
  const ids = [...messages.keys()]
  for (let at = 0; at < ids.length; at += PAGE_SIZE) {
    const page = ids.slice(at, at + PAGE_SIZE)
    const last = page.at(-1)
    if (!last) return
    const query = { before: justAfter(last), limit: page.length }
    const read = await collected(storage.readMessages(source.id, query))
    yield* read.toReversed()
  }
}

interface Owner {
  readonly sessionID: SessionID
  readonly messageID: MessageID
}

/** Returns the writes of a message's copy. Open calls are settled, because no run continues them in the copy. */
function copyWrites({ ids, now }: CopyDeps, plan: ForkPlan, { info, parts }: MessageWithParts, owner: Owner): Write[] {
  // Answers are stored with their questions, and usage is only counted in the source.
  const said = parts.filter((part) => part.type !== "answer" && part.type !== "usage")
  const copy = { info: copyMessage(info, plan, owner), parts: said.map((part) => copyPart(part, ids, owner, plan)) }
  return [
    { type: "message.put", message: copy.info },
    ...copy.parts.map((part): Write => ({ type: "part.put", part })),
    ...settleWrites([copy], now()),
  ]
}

function copyMessage(info: Message, { messages }: ForkPlan, { sessionID, messageID }: Owner): Message {
  if (info.role === "user") {
    // The sender's id only refers to the message of the source.
    const { clientID: _clientID, ...copy } = info
    return { ...copy, id: messageID, sessionID }
  }
  return {
    ...info,
    id: messageID,
    sessionID,
    copyOf: info.copyOf ?? info.id,
    parentID: messages.get(info.parentID) ?? info.parentID,
  }
}

/** The changes of a call belong to the source: the copy must not undo them. */
function withoutChanges(part: Part): Part {
  if (part.type !== "tool" && part.type !== "patch") return part
  const { changes: _changes, uncovered: _uncovered, ...rest } = part
  return rest
}

function copyPart(part: Part, ids: IDSource, owner: Owner, plan: ForkPlan): Part {
  const copy = { ...withoutChanges(part), ...owner, id: plan.parts.get(part.id) ?? ids.part() }
  if (copy.type === "compaction") return copyCompaction(copy, plan)
  if (copy.type === "text" && isStatePart(copy)) return copyState(copy, plan)
  if (copy.type === "question") return copyQuestion(copy)
  if (copy.type !== "tool" || copy.state.status !== "completed" || !copy.state.attachments) return copy
  const attachments = copy.state.attachments.map((file) => ({ ...file, ...owner, id: ids.part() }))
  return { ...copy, state: { ...copy.state, attachments } }
}

/** Removes the id of the answer part, because the question itself holds the answer. */
function copyQuestion({ answerID: _answerID, ...question }: QuestionPart): QuestionPart {
  return question
}

/** Replaces the ids of kept messages and parts by their new ids. */
function copyCompaction(part: CompactionPart, { messages, parts }: ForkPlan): CompactionPart {
  const { tail_start_id: tail, through, keep, answered, ...request } = part
  const start = tail && firstFrom(messages, tail)
  const newest = through && lastTo(messages, through)
  const last = answered && lastTo(messages, answered)
  const kept = keep?.map((id) => messages.get(id as MessageID) ?? parts.get(id)).filter((id) => id !== undefined)
  return {
    ...request,
    ...(newest ? { through: newest } : {}),
    ...(last ? { answered: last } : {}),
    ...(start ? { tail_start_id: start } : {}),
    ...(kept ? { keep: kept } : {}),
  }
}

function keptParts({ parts }: MessageWithParts): string[] {
  const ids = parts.flatMap((part) => (part.type === "compaction" ? (part.keep ?? []) : []))
  return ids.filter((id) => id.startsWith("prt_"))
}

/** Returns the new id of the first message at the old id or behind it. */
function firstFrom(messages: ForkPlan["messages"], id: MessageID): MessageID | undefined {
  for (const [old, copy] of messages) if (old >= id) return copy
  return undefined
}

/** Returns the new id of the last message at the old id or before it. */
function lastTo(messages: ForkPlan["messages"], id: MessageID): MessageID | undefined {
  let last: MessageID | undefined
  for (const [old, copy] of messages) if (old <= id) last = copy
  return last
}

/** Replaces message ids in a state by the new ids. */
function copyState(part: TextPart, { messages }: ForkPlan): TextPart {
  const mapped = (value: unknown): unknown => {
    if (typeof value === "string") return messages.get(value as MessageID) ?? value
    if (Array.isArray(value)) return value.map((each) => mapped(each))
    if (typeof value !== "object" || value === null || !("id" in value)) return value
    return { ...value, id: mapped(value.id) }
  }
  const { value } = part.metadata ?? {}
  return value === undefined ? part : { ...part, metadata: { ...part.metadata, value: mapped(value) } }
}
