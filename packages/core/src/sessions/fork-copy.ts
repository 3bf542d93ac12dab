import type { IDSource, MessageID, PartID, SessionID } from "../base/ids.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { collected } from "../base/collected.ts"
import { isStatePart, justAfter } from "../record/compaction-record.ts"
import { createBoundarySearch, cutMessage, type ForkPoint } from "./fork-point.ts"
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

/** What goes into a fork. */
export interface ForkPlan {
  readonly source: Session
  readonly point: ForkPoint
  /** The new id of each message, by the old one, oldest first. */
  readonly messages: ReadonlyMap<MessageID, MessageID>
  /** The new id of each part that a compaction keeps, by the old one. */
  readonly parts: Map<string, PartID>
  /** One of the new ids. */
  readonly boundary: MessageID | undefined
}

/** Messages read at once. */
const PAGE = 50
/** Characters of JSON in one commit, more or less. */
const BATCH = 1_000_000

/** Reads the session once, newest first, and keeps only ids: what is said in it may be more than fits in memory. */
export async function planFork({ storage, ids }: CopyDeps, source: Session, point: ForkPoint): Promise<ForkPlan> {
  const { messageID } = point
  const search = createBoundarySearch(source, point)
  const found: MessageID[] = []
  const parts = new Map<string, PartID>()
  for await (const message of storage.readMessages(source.id, messageID ? { before: justAfter(messageID) } : {})) {
    const kept = cutMessage(message, point)
    // What waits is delivered where it was sent to.
    if (!kept || isWaiting(kept)) continue
    found.push(kept.info.id)
    search.look(kept)
    // Newest first: what keeps a part is seen before it.
    for (const id of keptParts(kept)) parts.set(id, ids.part())
  }
  const messages = new Map(found.toReversed().map((id) => [id, ids.message()]))
  const boundary = search.found()
  return { source, point, messages, parts, boundary: boundary && firstFrom(messages, boundary) }
}

/** The writes that make the copy, oldest message first, in batches for a commit each. */
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
      if (size < BATCH) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** The storage reads newest first only: so page by page, each of them turned round. */
async function* oldestFirst({ storage }: CopyDeps, { source, messages }: ForkPlan): AsyncGenerator<MessageWithParts> {
  const ids = [...messages.keys()]
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
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

/** What the source's run is still at is settled in the copy: nobody goes on with it there. */
function copyWrites({ ids, now }: CopyDeps, plan: ForkPlan, { info, parts }: MessageWithParts, owner: Owner): Write[] {
  // An answer stands with its question, and what was paid for by the source is not paid twice.
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
    // Who sent it knows it in the source.
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

function copyPart(part: Part, ids: IDSource, owner: Owner, plan: ForkPlan): Part {
  const copy = { ...part, ...owner, id: plan.parts.get(part.id) ?? ids.part() }
  if (copy.type === "compaction") return copyCompaction(copy, plan)
  if (copy.type === "text" && isStatePart(copy)) return copyState(copy, plan)
  if (copy.type === "question") return copyQuestion(copy)
  if (copy.type !== "tool" || copy.state.status !== "completed" || !copy.state.attachments) return copy
  const attachments = copy.state.attachments.map((file) => ({ ...file, ...owner, id: ids.part() }))
  return { ...copy, state: { ...copy.state, attachments } }
}

/** The answer that counts stands with its question. */
function copyQuestion({ answerID: _answerID, ...question }: QuestionPart): QuestionPart {
  return question
}

/** What stays is named by its new ids. */
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

/** The new id of the first message that sorts at the old id or behind it. */
function firstFrom(messages: ForkPlan["messages"], id: MessageID): MessageID | undefined {
  for (const [old, copy] of messages) if (old >= id) return copy
  return undefined
}

/** The new id of the last message that does not sort behind the old id. */
function lastTo(messages: ForkPlan["messages"], id: MessageID): MessageID | undefined {
  let last: MessageID | undefined
  for (const [old, copy] of messages) if (old <= id) last = copy
  return last
}

/** What a state says of messages is said of their copies. */
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
