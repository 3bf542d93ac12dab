import type { ContextHeads } from "../request/context-head.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import { unlessAborted } from "../base/deadlines.ts"
import { runSubtask } from "./subtask.ts"
import type { AdmitDeps } from "../inbox/admit.ts"
import type { CacheLedger } from "../cache/cache-monitor.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { modelInForce } from "./retry/fallback.ts"
import { handoverOf, handoverWrites } from "../inbox/handover.ts"
import { catchUp, type History, withStaged } from "../store/history.ts"
import type { Interrupts } from "../inbox/interrupts.ts"
import type { Journal } from "../store/journal.ts"
import type { Budget } from "../budget/budget.ts"
import type { LimitReached } from "../budget/limits.ts"
import { mentioned } from "../inbox/mentioned.ts"
import type { AssistantMessage, MessageWithParts, UserMessage } from "../record/message.ts"
import type { HeldHooks } from "../hooks/hooks.ts"
import { type NextAction, nextAction } from "./next-action.ts"
import type { SummaryInAdvance } from "../compaction/background-summary.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import { takeStep } from "./step/step.ts"
import type { StepDeps, StepScene } from "./step/step-input.ts"
import { again, type RunEnd, type StepResult } from "./step/step-result.ts"
import { resumeCalls } from "./resume.ts"
import { compactPending, interruptedWrites, type RoomDeps } from "../compaction/overflow.ts"
import type { EnteredStep } from "../budget/step-permits.ts"
import { forStep } from "./step/step-scene.ts"
import type { Scenes, SceneSource } from "./step/contexts.ts"
import { followHead } from "./step/step-head.ts"
import { whileAlive } from "../base/while-alive.ts"
import type { Revision } from "../contracts/storage.ts"

export type LoopEnd =
  /** `answer` is missing if the session has no prompt. */
  { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> } | RunEnd

/** The end of the loop. `revision`: the newest revision that the loop has read. */
export interface LoopOutcome {
  readonly end: LoopEnd
  readonly revision: Revision
}

export type LoopDeps = StepDeps & RoomDeps & AdmitDeps

export interface LoopRun {
  readonly scenes: Scenes
  readonly journal: Journal
  readonly inAdvance: SummaryInAdvance
  readonly repetition: RepetitionGuard
  readonly cacheLedger: CacheLedger
  readonly heads: ContextHeads
  readonly interrupts: Interrupts
  readonly budget: Budget
  readonly signal: AbortSignal
  /** Signals progress to the run above, which waits for such a signal for `patience` milliseconds. 0: no limit. */
  readonly alive: () => void
  readonly patience: number
  /** Set if the run only compacts. */
  readonly only: boolean
}

/** State of an iteration of the loop. */
interface Turn extends LoopRun {
  readonly scene: SceneSource
  readonly history: History
  /** Number of steps that the run has taken. */
  readonly steps: number
  /** Set if a hook has skipped the compaction that is due, so one request may leave without it. */
  readonly isSkipped: boolean
}

/** The result of an iteration, which the next one reads. */
type TurnResult = StepResult | { readonly type: "stop"; readonly end: LoopEnd } | CompactionDone

interface CompactionDone {
  readonly type: "compaction"
  readonly isSkipped: boolean
}

/**
 * Catches up, decides and acts until the stored messages ask for nothing more. Flushes the journal once, at its end.
 */
export async function runLoop(deps: LoopDeps, run: LoopRun, opened: History): Promise<LoopOutcome> {
  let history = opened
  let steps = 0
  let isSkipped = false
  for (;;) {
    // Read before the wait: writes that are committed meanwhile may be missing from the history that is read.
    const { unwritten } = run.journal
    history = withStaged(await catchUp(deps, history), unwritten)
    run.repetition.see(history.messages)
    const action = nextAction(history.messages)
    if (await handOver(deps, run, history, action)) continue
    if (await deliverDue(deps, run, history, action)) continue
    // A step ends with the plugins that it began with.
    const hooks = deps.hooks.hold()
    const turn: Turn = { ...run, scene: sceneOf({ ...deps, hooks }, run, history), history, steps, isSkipped }
    const result = await act({ ...deps, hooks }, turn, action).finally(hooks.release)
    if ("end" in result) {
      await run.journal.commit([])
      return { end: result.end, revision: history.revision }
    }
    if (result.type === "step") [steps, isSkipped] = [steps + 1, false]
    if (result.type === "compaction") isSkipped = result.isSkipped
  }
}

/** Returns the scene of a user message with the plugins of this iteration. */
function sceneOf(deps: LoopDeps & { readonly hooks: HeldHooks }, run: LoopRun, { messages }: History): SceneSource {
  return async (user) => {
    const current = { ...user, model: modelInForce(messages, user) }
    return forStep(deps, run, await run.scenes(current, deps.hooks), messages, user)
  }
}

/** Returns whether another agent continues now that the work of this one is done. */
async function handOver(deps: LoopDeps, run: LoopRun, { messages }: History, action: NextAction): Promise<boolean> {
  if (action.type !== "stop" || run.only || action.answer?.info.error) return false
  const handover = handoverOf(messages, deps.settings().agents)
  const newest = messages.at(-1)
  if (!handover || !newest) return false
  await run.journal.commit(handoverWrites(deps, handover, newest))
  return true
}

/** Returns whether waiting prompts were delivered into the conversation. */
async function deliverDue(deps: LoopDeps, run: LoopRun, history: History, action: NextAction): Promise<boolean> {
  // Open calls get their results before a prompt is delivered.
  if (!history.waiting || run.only || run.signal.aborted || action.type === "resume") return false
  const prompts = duePrompts(history, action.type === "stop")
  if (prompts.length === 0) return false
  for (const { info } of prompts) run.interrupts.taken(info.id)
  await deliver(deps, run.journal, history, { prompts, isMidTurn: action.type !== "stop" })
  return true
}

/** Does what the stored messages ask for next. */
async function act(deps: LoopDeps, turn: Turn, action: NextAction): Promise<TurnResult> {
  switch (action.type) {
    case "stop":
      return { type: "stop", end: action }
    case "compact":
      return compactNow(deps, turn, action.record)
    default:
      turn.signal.throwIfAborted()
      return turn.only ? onlyCompaction(action) : work(deps, turn, action)
  }
}

/** Compacts as a step: a limit may allow it as the last one, and an urgent prompt interrupts it. */
async function compactNow(deps: LoopDeps, turn: Turn, record: CompactionRecord): Promise<TurnResult> {
  const { journal, history, only } = turn
  const entered = await enter(turn)
  if (entered.type !== "entered") return { type: "end", end: entered }
  const endStep = turn.budget.beginStep()
  const signal = turn.interrupts.next(turn.signal)
  try {
    const outcome = await compactPending(deps, { ...turn, signal, isLast: only }, history, record)
    const isOver = only || (outcome.type === "applied" && !outcome.goesOn)
    if (isOver) return { type: "end", end: { type: "compacted", outcome } }
    return { type: "compaction", isSkipped: outcome.type === "skipped" }
  } catch (error) {
    if (turn.signal.aborted || !signal.aborted) throw error
    await journal.commit(await interruptedWrites(deps, history, record))
    return only ? failedCompaction("another prompt has taken its place") : again("compaction-interrupted")
  } finally {
    endStep()
    entered.leave()
  }
}

function onlyCompaction({ type }: Work): TurnResult {
  if (type === "respond") return { type: "stop", end: { type: "stop" } }
  return failedCompaction(type === "resume" ? "a call is not answered yet" : "a subagent's task is not done yet")
}

function failedCompaction(reason: string): TurnResult {
  return { type: "end", end: { type: "compacted", outcome: { type: "failed", reason } } }
}

type Work = Extract<NextAction, { type: "resume" | "subtask" | "respond" }>

async function work(deps: LoopDeps, turn: Turn, action: Work): Promise<StepResult> {
  const reached = turn.budget.reached()
  if (reached) return { type: "end", end: reached }
  const endStep = turn.budget.beginStep()
  try {
    return await workOn(deps, turn, action)
  } finally {
    endStep()
  }
}

async function workOn(deps: LoopDeps, turn: Turn, action: Work): Promise<StepResult> {
  const { history, repetition } = turn
  const user = action.type === "resume" ? userOf(history, action.message) : action.user
  const shared = await unlessAborted(turn.signal, turn.scene(user.info))
  const signal = turn.interrupts.next(turn.signal)
  const rules = { ...shared.rules, scopes: [...shared.rules.scopes, ...mentioned(user)] }
  const scene = { ...shared, rules, signal, repetition }
  switch (action.type) {
    case "resume":
      await resumeCalls(deps, scene, { history, user, ...action })
      return again("calls-resumed")
    case "subtask":
      await runSubtask(deps, scene, { history, ...action })
      return again("subtask-done")
    case "respond":
      if (await followHead(deps, turn, scene.head, history, action.user)) return again("reminded")
      return permittedStep(deps, turn, scene, user.info)
  }
}

/** Takes a step if the agent and the limits of the run permit one more. */
async function permittedStep(
  deps: LoopDeps,
  turn: Turn,
  scene: Omit<StepScene, "inAdvance" | "cacheLedger" | "onEnd">,
  user: UserMessage,
): Promise<StepResult> {
  const { history, steps, isSkipped, inAdvance, cacheLedger } = turn
  const maxSteps = scene.settings.steps ?? Infinity
  if (steps >= maxSteps) return { type: "end", end: { type: "steps-spent", steps: maxSteps } }
  const entered = await enter(turn)
  if (entered.type !== "entered") return { type: "end", end: entered }
  const onEnd: StepScene["onEnd"] = (isAnswered) => (isAnswered ? entered.answered() : entered.leave())
  const isLast = steps + 1 === maxSteps || entered.isLast
  try {
    const step = { history, user, isFirst: steps === 0, isLast, isSkipped }
    const result = await takeStep(deps, { ...scene, inAdvance, cacheLedger, onEnd }, step)
    if (result.type === "step") entered.answered()
    return result
  } finally {
    entered.leave()
  }
}

/** Waits for a permit: as long as a request of another session takes. Signals progress meanwhile. */
function enter({ budget, signal, alive, patience }: LoopRun): Promise<EnteredStep | LimitReached> {
  return whileAlive({ alive, inactivity: patience }, () => budget.enter(signal))
}

/** Returns the user message that an answer is for. Returns the newest one if a compaction has replaced that message. */
function userOf({ messages }: History, { info }: MessageWithParts<AssistantMessage>) {
  const users = messages.filter((message) => message.info.role === "user")
  return (users.find((user) => user.info.id === info.parentID) ?? users.at(-1)) as Extract<
    Work,
    { type: "respond" }
  >["user"]
}
