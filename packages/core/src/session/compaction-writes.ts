import { isRequest } from "../context/compaction/arrange.ts"
import {
  applyWrites,
  type Candidate,
  type CandidateDeps,
  continueWrites,
  type Kept,
  summaryWrites,
} from "../context/compaction/candidate.ts"
import type { CompactionRecord } from "../context/compaction/record.ts"
import { isFinalAnswer, renderState, stateOf } from "../context/compaction/state.ts"
import { type Instruction, readInstructionFile } from "../context/instructions/instruction-file.ts"
import { loadedInstructions } from "../context/instructions/loaded.ts"
import { measuredStep } from "../context/tokens/calibration.ts"
import { toStoredError } from "../errors.ts"
import type { MessageID } from "../ids.ts"
import type { Write } from "../storage/storage.ts"
import type { ContextDeps } from "./context.ts"
import type { CompactionInput } from "./draft-summary.ts"
import type { History } from "./history.ts"
import type { MessageWithParts, StepFinishPart, UserMessage } from "./message.ts"

type WritesDeps = CandidateDeps & Pick<ContextDeps, "arrange">

/** What puts a candidate into effect, without the message on which the agent goes on. One that was prepared is stored already. */
export async function candidateWrites(
  deps: WritesDeps,
  { scene, history, usable }: Pick<CompactionInput, "scene" | "history" | "usable">,
  record: CompactionRecord,
  candidate: Candidate,
): Promise<Write[]> {
  const { session, messages } = history
  const { lead, talk } = deps.arrange(messages)
  const { kept } = candidate
  const place = { newest: newestOf(history), path: { cwd: scene.directory, root: scene.worktree } }
  const measured = lastMeasured(messages)
  const summary = record.summary ? [] : summaryWrites(deps, record, { ...candidate, measured }, place)
  const instructions = await instructionsAgain(scene.worktree, [...lead, ...talk], [...kept.tail, ...kept.messages])
  const around = { agent: scene.settings, model: scene.model.ref, session, instructions, usable }
  const { longestRequest } = candidate
  const state = renderState(stateOf(messages, talk, idsThatStay(kept)), { ...around, longestRequest })
  return [...summary, ...applyWrites(deps, record, kept, { state, through: seenBy(record, messages) })]
}

/** Messages that stay whole. */
export function idsThatStay({ tail, ids }: Kept): ReadonlySet<string> {
  return new Set([...tail.map(({ info }) => info.id), ...ids])
}

/** The newest message that a compaction made now has seen: what is on its way has an id by then, maybe an earlier one. */
export function seenBy({ marker }: CompactionRecord, messages: readonly MessageWithParts[]): MessageID {
  const seen = messages.flatMap(({ info }) => (info.id < marker.info.id ? [info.id] : []))
  return seen.reduce((newest, id) => (id > newest ? id : newest), seen[0] ?? marker.info.id)
}

/** The message on which the agent goes on, put behind these writes; undefined where it needs none. */
export function continuation(
  deps: WritesDeps,
  history: History,
  tail: readonly MessageWithParts[],
): ((writes: readonly Write[]) => Write[]) | undefined {
  const { talk } = deps.arrange(history.messages)
  const user = talk.findLast((message): message is MessageWithParts<UserMessage> => message.info.role === "user")
  if (!user || isEnded(talk, user.info.id)) return undefined
  // A request that nothing has been said to, and that stays in its place, is what the agent goes on with.
  if (talk.at(-1) === user && isRequest(user) && tail.includes(user)) return undefined
  return (writes) => {
    const put = writes.flatMap((write) => (write.type === "message.put" ? [write.message.id] : []))
    return continueWrites(deps, user.info, put.reduce(later, newestOf(history)))
  }
}

function isEnded(talk: readonly MessageWithParts[], id: MessageID): boolean {
  return talk.some((message) => {
    const { info } = message
    return info.role === "assistant" && info.parentID === id && (info.error !== undefined || isFinalAnswer(message))
  })
}

/** The marker keeps the count and the bill of its calls, and is not tried again. */
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
  const place = { newest: newestOf(history), path: { cwd: directory, root: directory } }
  const writes = summaryWrites(deps, record, empty, place).flatMap((write): Write[] => {
    if (write.type === "part.put") return write.part.type === "text" ? [] : [write]
    if (write.type !== "message.put" || write.message.role !== "assistant") return []
    return [{ type: "message.put", message: { ...write.message, finish: "error", error } }]
  })
  return [...writes, { type: "part.put", part: record.part }]
}

/** The nested instruction files whose tool results go, as they are now. */
async function instructionsAgain(
  worktree: string,
  messages: readonly MessageWithParts[],
  tail: readonly MessageWithParts[],
): Promise<readonly Instruction[]> {
  const stay = loadedInstructions(tail)
  const gone = [...loadedInstructions(messages)].filter((path) => !stay.has(path))
  const files = await Promise.all(gone.map((path) => readInstructionFile(path, worktree)))
  return files.filter((file) => file !== undefined)
}

/** What was learned of the model goes on, though the steps that it was learned from are no longer read. */
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
