import type { ContextHeads } from "../request/context-head.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import { unlessAborted } from "../base/deadlines.ts"
import { runSubtask } from "./subtask.ts"
import type { AdmitDeps } from "../inbox/admit.ts"
import type { CacheLedger } from "../cache/cache-ledger.ts"
import type { CompactOutcome } from "../compaction/compact.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { modelInForce } from "./retry/fallback.ts"
import { handoverOf, handoverWrites } from "../inbox/handover.ts"
import { catchUp, type History, withStaged } from "../store/history.ts"
import type { Interrupts } from "../inbox/interrupts.ts"
import type { Journal } from "../store/journal.ts"
import type { Budget } from "../budget/budget.ts"
import type { LimitReached } from "../budget/limits.ts"
import { mentioned } from "../inbox/mentioned.ts"
import type { AssistantMessage, MessageWithParts } from "../record/message.ts"
import { type NextAction, nextAction } from "./next-action.ts"
import type { SummaryInAdvance } from "../compaction/prepare-summary.ts"
import type { RepetitionGuard } from "../repetition/repetition-guard.ts"
import { respond, type RespondDeps, type StepScene } from "./step/respond.ts"
import { resumeCalls } from "./resume.ts"
import { compactPending, interruptedWrites, type RoomDeps } from "../compaction/room.ts"
import type { EnteredStep } from "../budget/step-count.ts"
import { forStep } from "./step/step-scene.ts"
import type { Scenes, SceneSource } from "./step/scene.ts"
import { followHead } from "./step/step-head.ts"
import { whileAlive } from "../base/while-alive.ts"
import type { Revision } from "../contracts/storage.ts"

export type LoopEnd =
  /** `answer` is absent where nothing was asked. */
  | { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> }
  /** The agent may take no more steps, although the work asks for one, or a limit of the run is reached. */
  | LimitReached
  /** A compaction that was asked for, or after which nobody wants to go on. */
  | { readonly type: "compacted"; readonly outcome: CompactOutcome }

/** `revision`: as far as the loop has read. */
export interface LoopOutcome {
  readonly end: LoopEnd
  readonly revision: Revision
}

export type LoopDeps = RespondDeps & RoomDeps & AdmitDeps

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
  /** A sign of life for those above; they wait for one so many milliseconds, 0: for ever. */
  readonly alive: () => void
  readonly patience: number
  /** Nothing but a compaction was asked for. */
  readonly only: boolean
}

interface SceneRun extends LoopRun {
  readonly scene: SceneSource
}

/** What one turn of the loop leaves for the next. */
interface Progress {
  /** Taken in this run. */
  steps: number
  /** A hook that skips a compaction lets one request through. */
  isSkipped: boolean
}

/** Catch up, decide, act, until the stored messages ask for nothing more. The end of a step is committed with the next action. */
export async function runLoop(deps: LoopDeps, run: LoopRun, opened: History): Promise<LoopOutcome> {
  const progress: Progress = { steps: 0, isSkipped: false }
  let history = opened
  for (;;) {
    // Taken before the wait: what is committed meanwhile may be missing from what is read.
    const { unwritten } = run.journal
    history = withStaged(await catchUp(deps, history), unwritten)
    run.repetition.see(history.messages)
    const action = nextAction(history.messages)
    if (await handOver(deps, run, history, action)) continue
    if (await deliverDue(deps, run, history, action)) continue
    // A step works to its end with the plugins that there are when it begins.
    const hooks = deps.hooks.hold()
    const scene: SceneSource = async (user) => {
      const asked = { ...user, model: modelInForce(history.messages, user) }
      return forStep({ ...deps, hooks }, run, await run.scenes(asked, hooks), history.messages, user)
    }
    const end = await act({ ...deps, hooks }, { ...run, scene }, history, action, progress).finally(hooks.release)
    if (end) return { end, revision: history.revision }
  }
}

/** Whether another agent goes on now that the work of this one is over. */
async function handOver(deps: LoopDeps, run: LoopRun, { messages }: History, action: NextAction): Promise<boolean> {
  if (action.type !== "stop" || run.only || action.answer?.info.error) return false
  const handover = handoverOf(messages, deps.agents)
  const newest = messages.at(-1)
  if (!handover || !newest) return false
  await run.journal.commit(handoverWrites(deps, handover, newest))
  return true
}

/** Whether prompts that waited have come into the conversation. */
async function deliverDue(deps: LoopDeps, run: LoopRun, history: History, action: NextAction): Promise<boolean> {
  // Calls are answered before anything else is said.
  if (!history.waiting || run.only || run.signal.aborted || action.type === "resume") return false
  const prompts = duePrompts(history, action.type === "stop")
  if (prompts.length === 0) return false
  for (const { info } of prompts) run.interrupts.taken(info.id)
  await deliver(deps, run.journal, history, { prompts, isMidTurn: action.type !== "stop" })
  return true
}

/** Does what is asked for next; resolves with how the run ends where it does. */
async function act(
  deps: LoopDeps,
  run: SceneRun,
  history: History,
  action: NextAction,
  progress: Progress,
): Promise<LoopEnd | undefined> {
  switch (action.type) {
    case "stop":
      await run.journal.commit([])
      return action
    case "compact":
      return compactNow(deps, run, history, action.record, progress)
    default:
      run.signal.throwIfAborted()
      if (run.only) return onlyCompaction(run, action)
      return work(deps, run, history, action, progress)
  }
}

/** Like a step: it may be the last that a limit lets through, and gives way to a prompt that is to be read at once. */
async function compactNow(
  deps: LoopDeps,
  run: SceneRun,
  history: History,
  record: CompactionRecord,
  progress: Progress,
): Promise<LoopEnd | undefined> {
  const { journal } = run
  const entered = await enter(run)
  if (entered.type !== "entered") {
    await journal.commit([])
    return entered
  }
  const endStep = run.budget.beginStep()
  const signal = run.interrupts.next(run.signal)
  try {
    const outcome = await compactPending(deps, { ...run, signal, isLast: run.only }, history, record)
    progress.isSkipped = outcome.type === "skipped"
    const isOver = run.only || (outcome.type === "applied" && !outcome.goesOn)
    return isOver ? { type: "compacted", outcome } : undefined
  } catch (error) {
    if (run.signal.aborted || !signal.aborted) throw error
    await journal.commit(await interruptedWrites(deps, history, record))
    if (!run.only) return undefined
    return { type: "compacted", outcome: { type: "failed", reason: "another prompt has taken its place" } }
  } finally {
    endStep()
    entered.leave()
  }
}

async function onlyCompaction({ journal }: LoopRun, { type }: NextAction): Promise<LoopEnd> {
  await journal.commit([])
  if (type === "respond") return { type: "stop" }
  const reason = type === "resume" ? "a call is not answered yet" : "a subagent's task is not done yet"
  return { type: "compacted", outcome: { type: "failed", reason } }
}

type Work = Extract<NextAction, { type: "resume" | "subtask" | "respond" }>

async function work(
  deps: LoopDeps,
  run: SceneRun,
  history: History,
  action: Work,
  progress: Progress,
): Promise<LoopEnd | undefined> {
  const { budget, journal } = run
  const reached = budget.reached()
  if (reached) {
    await journal.commit([])
    return reached
  }
  const endStep = budget.beginStep()
  try {
    return await takeStep(deps, run, history, action, progress)
  } finally {
    endStep()
  }
}

async function takeStep(
  deps: LoopDeps,
  run: SceneRun,
  history: History,
  action: Work,
  progress: Progress,
): Promise<LoopEnd | undefined> {
  const { journal } = run
  const user = action.type === "resume" ? userOf(history, action.message) : action.user
  const shared = await unlessAborted(run.signal, run.scene(user.info))
  const signal = run.interrupts.next(run.signal)
  const rules = { ...shared.rules, scopes: [...shared.rules.scopes, ...mentioned(user)] }
  const scene = { ...shared, rules, signal }
  const { inAdvance, repetition, cacheLedger } = run
  if (action.type === "resume") await resumeCalls(deps, { ...scene, repetition }, { history, user, ...action })
  if (action.type === "subtask") await runSubtask(deps, { ...scene, repetition }, { history, ...action })
  if (action.type !== "respond") return undefined

  if (await followHead(deps, run, scene.head, history, action.user)) return undefined
  const most = scene.settings.steps ?? Infinity
  const { steps, isSkipped } = progress
  if (steps >= most) {
    await journal.commit([])
    return { type: "steps-spent", steps: most }
  }
  const entered = await enter(run)
  if (entered.type !== "entered") {
    await journal.commit([])
    return entered
  }
  const onEnd: StepScene["onEnd"] = (isAnswered) => (isAnswered ? entered.answered() : entered.leave())
  const isLast = steps + 1 === most || entered.isLast
  const step = { history, user: user.info, isFirst: steps === 0, isLast, isSkipped }
  try {
    const outcome = await respond(deps, { ...scene, inAdvance, repetition, cacheLedger, onEnd }, step)
    if (outcome === "compacted") return { type: "compacted", outcome: { type: "applied", goesOn: false } }
    if (typeof outcome === "object") return outcome
    if (outcome === "done") {
      entered.answered()
      progress.steps++
      progress.isSkipped = false
    }
    return undefined
  } finally {
    entered.leave()
  }
}

/** Waits for its turn, which may take as long as a request of another session does. */
function enter({ budget, signal, alive, patience }: LoopRun): Promise<EnteredStep | LimitReached> {
  return whileAlive({ alive, inactivity: patience }, () => budget.enter(signal))
}

/** The message that an answer is for; where a compaction has replaced it, the newest. */
function userOf({ messages }: History, { info }: MessageWithParts<AssistantMessage>) {
  const users = messages.filter((message) => message.info.role === "user")
  return (users.find((user) => user.info.id === info.parentID) ?? users.at(-1)) as Extract<
    Work,
    { type: "respond" }
  >["user"]
}
