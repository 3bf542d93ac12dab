import type { Write } from "../contracts/storage.ts"
import {
  isAssistant,
  type AssistantMessage,
  type MessageWithParts,
  type Part,
  type QuestionPart,
  type ToolPart,
} from "../record/message.ts"
import { canResume, isAsking, isRepeatable, isResumable, MAX_RERUNS, rerunsOf } from "../record/resumable.ts"
import { fail } from "../contracts/tool-state.ts"
import { isUnsettled } from "../record/tool-calls.ts"

export interface RecoveryOptions {
  /**
   * `false` for a run that only compacts: it runs no calls, so a call that could run again is settled. Default: `true`
   */
  readonly runsCalls?: boolean
  /** Calls whose processes have ended for certain. Default: empty */
  readonly stopped?: ReadonlySet<ToolPart["id"]>
}

/**
 * Decision about a call that a dead owner left. `rerun`: the call stays open, and the rerun is counted before it
 * begins.
 */
type LeftCall = "settle" | "stays" | "rerun"

type Settling = { readonly now: number } & Required<Pick<RecoveryOptions, "stopped">>

/**
 * Returns the writes that settle the messages which a dead owner left: calls without a result get an error that says
 * so, their questions are closed, and answers without an end are completed with finish `unknown`, so the loop
 * continues. Calls that can be resumed stay open with their messages. Empty if nothing was left.
 */
export function recoveryWrites(
  messages: readonly MessageWithParts[],
  now: number,
  { runsCalls = true, stopped = new Set() }: RecoveryOptions = {},
): Write[] {
  return messages.filter(isLeft).flatMap((message) => {
    return settleMessage(message, { now, stopped }, (part) => decide(part, message, runsCalls))
  })
}

/** Returns the writes that settle messages which no run continues: no call stays open. */
export function settleWrites(messages: readonly MessageWithParts[], now: number): Write[] {
  return messages
    .filter(isLeft)
    .flatMap((message) => settleMessage(message, { now, stopped: new Set() }, () => "settle"))
}

/** Returns the message as `settleWrites` leaves it. */
export function settledMessage(message: MessageWithParts, now: number): MessageWithParts {
  const writes = settleWrites([message], now)
  if (writes.length === 0) return message
  const parts = new Map(writes.flatMap((write) => (write.type === "part.put" ? [[write.part.id, write.part]] : [])))
  const info = writes.find((write) => write.type === "message.put")?.message ?? message.info
  return { info, parts: message.parts.map((part) => parts.get(part.id) ?? part) }
}

function decide(part: ToolPart, { info, parts }: MessageWithParts<AssistantMessage>, runsCalls: boolean): LeftCall {
  // The loop only continues calls of answers that are not completed.
  if (info.time.completed !== undefined) return "settle"
  if (!canResume(part, parts)) return "settle"
  if (part.state.status === "pending" || isResumable(part) || isAsking(part, parts)) return "stays"
  return runsCalls && rerunsOf(part) < MAX_RERUNS ? "rerun" : "settle"
}

/**
 * Returns whether the message was left open. Allocates nothing, because most messages of a long session are settled.
 */
function isLeft(message: MessageWithParts): message is MessageWithParts<AssistantMessage> {
  if (!isAssistant(message)) return false
  if (message.info.time.completed === undefined) return true
  for (const part of message.parts) if (isOpen(part)) return true
  return false
}

function settleMessage(
  { info, parts }: MessageWithParts<AssistantMessage>,
  settling: Settling,
  decide: (part: ToolPart) => LeftCall,
): Write[] {
  const unsettled = parts.filter((part): part is ToolPart => part.type === "tool" && isUnsettled(part.state))
  const decisions = new Map(unsettled.map((part) => [part.id, decide(part)]))
  const open = new Set(unsettled.filter(({ id }) => decisions.get(id) !== "settle").map(({ callID }) => callID))
  const writes = parts.flatMap((part): Write[] => {
    const isRerun = part.type === "tool" && decisions.get(part.id) === "rerun"
    const left = isRerun ? counted(part) : settledPart(part, open, settling)
    return left ? [{ type: "part.put", part: left }] : []
  })
  if (info.time.completed !== undefined || open.size > 0) return writes
  const time = { ...info.time, completed: settling.now }
  return [...writes, { type: "message.put", message: { ...info, finish: info.finish ?? "unknown", time } }]
}

function counted(part: ToolPart): ToolPart {
  return { ...part, metadata: { ...part.metadata, reruns: rerunsOf(part) + 1 } }
}

function isOpen(part: Part): boolean {
  return part.type === "tool" ? isUnsettled(part.state) : part.type === "question" && part.time.closed === undefined
}

/** Returns the settled part, or undefined if the part stays unchanged. */
function settledPart(part: Part, open: ReadonlySet<string>, settling: Settling): ToolPart | QuestionPart | undefined {
  if (part.type === "tool" && isUnsettled(part.state) && !open.has(part.callID)) return interrupted(part, settling)
  if (part.type !== "question" || part.time.closed !== undefined || open.has(part.callID)) return undefined
  const answer = { type: "dismissed", reason: "The call that asked was interrupted." } as const
  return { ...part, answer: part.answer ?? answer, time: { ...part.time, closed: settling.now } }
}

function interrupted(part: ToolPart, { now, stopped }: Settling): ToolPart {
  if (!isUnsettled(part.state)) return part
  const isStopped = stopped.has(part.id)
  const metadata = { interrupted: true, ...(isStopped ? { stopped: true } : {}) }
  return { ...part, state: fail(part.state, explanation(part, isStopped), now, metadata) }
}

function explanation(part: ToolPart, isStopped: boolean): string {
  if (part.state.status === "pending")
    return "The call was interrupted before it ran. Call again if it is still needed."
  if (isRepeatable(part) && rerunsOf(part) >= MAX_RERUNS)
    return `The process ended ${MAX_RERUNS + 1} times while the call ran. The call may be the cause: do not repeat it unchanged.`
  if (isRepeatable(part)) return "The call was interrupted while it ran. It is safe to call again."
  if (isStopped)
    return "The call was stopped while it ran. All of its processes that could be found were ended. It may have done a part of its work: look before you repeat it."
  return "The call was interrupted while it ran. Whether it took effect is unknown: look before you repeat it."
}
