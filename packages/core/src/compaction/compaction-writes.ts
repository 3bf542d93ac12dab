import { isRequest } from "../record/request-order.ts"
import {
  applyWrites,
  type Candidate,
  type CandidateDeps,
  continueWrites,
  type Kept,
  summaryWrites,
} from "./ladder/candidate.ts"
import { answersSinceCompaction, newestAnswer } from "./ladder/brake.ts"
import { stateBudget } from "./ladder/limits.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import { renderState } from "./ladder/render-state.ts"
import { isFinalAnswer, type State, stateOf } from "./ladder/state.ts"
import type { Instruction, WorkspaceReader } from "../contracts/workspace.ts"
import { loadedInstructions } from "../workspace/loaded.ts"
import { measuredStep } from "../measure/calibration.ts"
import { toStoredError } from "../base/errors.ts"
import type { MessageID } from "../base/ids.ts"
import type { OutputFacts } from "../contracts/output-facts.ts"
import type { Write } from "../contracts/storage.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { History } from "../store/history.ts"
import type { MessageWithParts, StepFinishPart, UserMessage } from "../record/message.ts"
import { sizesFor } from "../request/message-sizes.ts"
import type { Requests } from "../request/request-deps.ts"

export interface WritesDeps {
  readonly store: CandidateDeps
  readonly requests: Requests
  readonly calls: { readonly outputFacts: OutputFacts }
  readonly workspace: Pick<WorkspaceReader, "readInstruction">
}

/**
 * Returns the writes that apply a candidate, without the message on which the agent continues. A prepared summary is
 * stored already.
 */
export async function candidateWrites(
  deps: WritesDeps,
  input: Pick<CompactionInput, "context" | "history" | "usable" | "checked">,
  record: CompactionRecord,
  candidate: Candidate,
): Promise<Write[]> {
  const { context, history } = input
  const { workspace } = context
  const { session, messages } = history
  const { lead, talk } = deps.requests.arrange(messages)
  const { kept } = candidate
  const path = { cwd: workspace.directory, root: workspace.worktree }
  const measured = lastMeasured(messages)
  const summary = record.summary
    ? []
    : summaryWrites(deps.store, record, { ...candidate, measured }, { newest: newestOf(history), path })
  const instructions = await instructionsAgain(
    deps.workspace,
    workspace.worktree,
    [...lead, ...talk],
    [...kept.tail, ...kept.messages],
  )
  const state = stateOf(deps.calls.outputFacts, messages, talk, idsThatStay(kept))
  const texts = renderState(state, {
    ...{ agent: context.agent, model: context.model.ref, session, instructions },
    ...{ longestRequest: candidate.longestRequest, ...budgetOf(deps.requests, input, record, { candidate, state }) },
  })
  const counted = { answers: answersSinceCompaction(messages), answered: newestAnswer(messages) }
  const through = seenBy(record, messages)
  return [...summary, ...applyWrites(deps.store, record, kept, { state: texts, through, counted })]
}

/** Tokens of the engine's own texts around the parts: questions and introductions. */
const FRAME_TOKENS = 150

/** Returns the token budget of the state, beside everything else that the next request will hold. */
function budgetOf(
  requests: Requests,
  { context, usable, checked }: Pick<CompactionInput, "context" | "usable" | "checked">,
  { summary }: CompactionRecord,
  { candidate, state }: { readonly candidate: Candidate; readonly state: State },
) {
  const { tokensOf, sizeOf, bytesPerToken } = sizesFor(requests, checked, context.model)
  const { kept, text, longestRequest } = candidate
  const { system, tools } = checked.expected
  const ofRequests = state.requests.reduce((sum, request) => sum + tokensOf(request.text), 0)
  const stays = [...kept.tail, ...kept.messages].reduce((sum, message) => sum + sizeOf(message), 0)
  const summaryTokens = summary ? sizeOf(summary) : tokensOf(text)
  const shortened = longestRequest === undefined ? ofRequests : Math.min(ofRequests, longestRequest / bytesPerToken)
  const beside = system + tools + summaryTokens + stays + shortened + FRAME_TOKENS
  return { tokensOf, budget: stateBudget(beside, usable, longestRequest !== undefined) }
}

/** Returns the ids of messages that stay whole, and of kept messages or parts. */
export function idsThatStay({ tail, ids }: Kept): ReadonlySet<string> {
  return new Set([...tail.map(({ info }) => info.id), ...ids])
}

/** Returns the newest message that this compaction covers. Messages that are being stored may have earlier ids. */
export function seenBy({ marker }: CompactionRecord, messages: readonly MessageWithParts[]): MessageID {
  const seen = messages.flatMap(({ info }) => (info.id < marker.info.id ? [info.id] : []))
  return seen.reduce((newest, id) => (id > newest ? id : newest), seen[0] ?? marker.info.id)
}

/** Returns a function that adds the message on which the agent continues. Undefined if the agent needs no message. */
export function continuation(
  { store, requests }: Pick<WritesDeps, "store" | "requests">,
  history: History,
  tail: readonly MessageWithParts[],
): ((writes: readonly Write[]) => Write[]) | undefined {
  const { talk } = requests.arrange(history.messages)
  const user = talk.findLast((message): message is MessageWithParts<UserMessage> => message.info.role === "user")
  if (!user || isEnded(talk, user.info.id)) return undefined
  // The agent continues with an unanswered request that stays in its place.
  if (talk.at(-1) === user && isRequest(user) && tail.includes(user)) return undefined
  return (writes) => {
    const put = writes.flatMap((write) => (write.type === "message.put" ? [write.message.id] : []))
    return continueWrites(store, user.info, put.reduce(later, newestOf(history)))
  }
}

function isEnded(talk: readonly MessageWithParts[], id: MessageID): boolean {
  return talk.some((message) => {
    const { info } = message
    return info.role === "assistant" && info.parentID === id && (info.error !== undefined || isFinalAnswer(message))
  })
}

/** Returns the writes of a failed compaction. The marker keeps the count and usage of its calls, and is not retried. */
export function failureWrites(
  deps: CandidateDeps,
  history: History,
  record: CompactionRecord,
  { reason, spent }: Pick<Candidate, "spent"> & { readonly reason: string },
): Write[] {
  const { directory } = history.session
  const { model } = record.marker.info
  const error = toStoredError(new Error(`The conversation could not be compacted: ${reason}.`))
  const empty = { strategy: "tail" as const, text: "", kept: { tail: [], ids: [], messages: [] }, model, spent }
  const at = { newest: newestOf(history), path: { cwd: directory, root: directory } }
  const writes = summaryWrites(deps, record, empty, at).flatMap((write): Write[] => {
    if (write.type === "part.put") return write.part.type === "text" ? [] : [write]
    if (write.type !== "message.put" || write.message.role !== "assistant") return []
    return [{ type: "message.put", message: { ...write.message, finish: "error", error } }]
  })
  return [...writes, { type: "part.put", part: record.part }]
}

/** Reads the nested instruction files whose tool results are removed, with their present contents. */
async function instructionsAgain(
  workspace: WritesDeps["workspace"],
  worktree: string,
  messages: readonly MessageWithParts[],
  tail: readonly MessageWithParts[],
): Promise<readonly Instruction[]> {
  const stay = loadedInstructions(tail)
  const gone = [...loadedInstructions(messages)].filter((path) => !stay.has(path))
  const files = await Promise.all(gone.map((path) => workspace.readInstruction(path, worktree)))
  return files.filter((file) => file !== undefined)
}

/** Returns the newest measurement of the model. It is stored again, because older steps are no longer read. */
function lastMeasured(messages: readonly MessageWithParts[]): StepFinishPart["measured"] {
  for (const message of messages.toReversed()) {
    const measured = measuredStep(message)?.measured
    if (measured) return measured
  }
  return undefined
}

function newestOf({ messages, session }: History): MessageID {
  // A history with a compaction has messages.
  return messages.at(-1)?.info.id ?? (session.boundary as MessageID)
}

function later(a: MessageID, b: MessageID): MessageID {
  return a > b ? a : b
}
