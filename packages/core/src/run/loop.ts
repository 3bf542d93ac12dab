import { unlessAborted } from "../base/deadlines.ts"
import type { Budget } from "../budget/budget.ts"
import type { LimitReached } from "../budget/limits.ts"
import type { StepPermit } from "../budget/step-permits.ts"
import { compactPending, interruptedWrites } from "../compaction/overflow.ts"
import type { Delegate } from "../contracts/delegate.ts"
import type { Revision } from "../contracts/storage.ts"
import { createGenerator } from "../generate/generate.ts"
import type { HeldHooks } from "../hooks/hooks.ts"
import type { AdmitDeps } from "../inbox/admit.ts"
import { deliver, duePrompts } from "../inbox/deliver.ts"
import { handoverOf, handoverWrites } from "../inbox/handover.ts"
import type { Interrupts } from "../inbox/interrupts.ts"
import { mentioned } from "../inbox/mentioned.ts"
import type { CompactionRecord } from "../record/compaction-record.ts"
import type { AssistantMessage, MessageWithParts, ModelRef, UserMessage } from "../record/message.ts"
import type { StepContext } from "../request/step-context.ts"
import { catchUp, type History, withStaged } from "../store/history.ts"
import type { Journal } from "../store/journal.ts"
import { type NextAction, nextAction } from "./next-action.ts"
import type { Policies } from "./policies.ts"
import { resumeCalls } from "./resume.ts"
import { modelInForce } from "./retry/fallback.ts"
import { conversationReaders } from "./step/call-context.ts"
import type { StepContexts } from "./step/contexts.ts"
import { followHead } from "./step/step-head.ts"
import type { StepDeps, StepInput, WorkHandles } from "./step/step-input.ts"
import { again, type RunEnd, type StepResult } from "./step/step-result.ts"
import { takeStep } from "./step/step.ts"
import { runSubtask } from "./subtask.ts"
import { runRequestedCall } from "./user-call.ts"

export type LoopEnd =
  /** `answer` is missing if the session has no prompt. */
  { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> } | RunEnd

/** The end of the loop. `revision`: the newest revision that the loop has read. */
export interface LoopOutcome {
  readonly end: LoopEnd
  readonly revision: Revision
}

export interface LoopDeps extends StepDeps {
  readonly settings: AdmitDeps["settings"]
  readonly mask: AdmitDeps["mask"]
}

/** Handles of a run. */
export interface LoopHandles {
  readonly contexts: StepContexts
  readonly journal: Journal
  readonly budget: Budget
  readonly policies: Policies
  readonly interrupts: Interrupts
  /** Returns the delegate for calls of this model. */
  readonly delegateFor: (model: ModelRef) => Delegate
  readonly signal: AbortSignal
}

/** Facts of an iteration of the loop. */
interface Iteration {
  readonly history: History
  /** Set if the run only compacts. */
  readonly isCompactOnly: boolean
  /** Number of steps that the run has taken. */
  readonly steps: number
  /** Set if a hook has skipped the compaction that is due, so one request may leave without it. */
  readonly isSkipped: boolean
}

/** The result of an iteration, which the next one reads. */
type IterationResult = StepResult | { readonly type: "stop"; readonly end: LoopEnd } | CompactionDone

interface CompactionDone {
  readonly type: "compaction"
  readonly isSkipped: boolean
}

/** The work with which a loop begins. */
export type LoopInput = Pick<Iteration, "history" | "isCompactOnly">

/**
 * Catches up, decides and acts until the stored messages ask for nothing more. Flushes the journal once, at its end.
 */
export async function runLoop(deps: LoopDeps, run: LoopHandles, input: LoopInput): Promise<LoopOutcome> {
  let now: Iteration = { ...input, steps: 0, isSkipped: false }
  for (;;) {
    // Read before the wait: writes that are committed meanwhile may be missing from the history that is read.
    const { unwritten } = run.journal
    const history = withStaged(await catchUp(deps.store, now.history), unwritten)
    run.policies.onHistory(history.messages)
    const action = nextAction(history.messages)
    now = { ...now, history }
    if (await switchAgent(deps, run, now, action)) continue
    if (await deliverDue(deps, run, now, action)) continue
    // A step ends with the plugins that it began with.
    const hooks = deps.hooks.hold()
    const result = await act({ ...deps, hooks }, run, now, action).finally(hooks.release)
    if ("end" in result) {
      await run.journal.commit([])
      return { end: result.end, revision: history.revision }
    }
    if (result.type === "step") now = { ...now, steps: now.steps + 1, isSkipped: false }
    if (result.type === "compaction") now = { ...now, isSkipped: result.isSkipped }
  }
}

/** Dependencies of an iteration, with the plugins that it began with. */
type HeldDeps = LoopDeps & { readonly hooks: HeldHooks }

/** Returns the user message with the model that answers it now: its own, or a fallback. */
function inForce({ messages }: History, user: UserMessage): UserMessage {
  return { ...user, model: modelInForce(messages, user) }
}

/** Returns whether another agent continues now that the work of this one is done. */
async function switchAgent(
  { store, settings }: LoopDeps,
  { journal }: LoopHandles,
  { history: { messages }, isCompactOnly }: Iteration,
  action: NextAction,
): Promise<boolean> {
  if (action.type !== "stop" || isCompactOnly || action.answer?.info.error) return false
  const handover = handoverOf(messages, settings().agents)
  const newest = messages.at(-1)
  if (!handover || !newest) return false
  await journal.commit(handoverWrites(store, handover, newest))
  return true
}

/** Returns whether waiting prompts were delivered into the conversation. */
async function deliverDue(
  deps: LoopDeps,
  { journal, interrupts, signal }: LoopHandles,
  { history, isCompactOnly }: Iteration,
  action: NextAction,
): Promise<boolean> {
  // Open calls get their results before a prompt is delivered.
  if (!history.waiting || isCompactOnly || signal.aborted || action.type === "resume") return false
  const prompts = duePrompts(history, action.type === "stop")
  if (prompts.length === 0) return false
  for (const { info } of prompts) interrupts.taken(info.id)
  await deliver(deps, journal, history, { prompts, isMidTurn: action.type !== "stop" })
  return true
}

/** Does what the stored messages ask for next. */
async function act(deps: HeldDeps, run: LoopHandles, now: Iteration, action: NextAction): Promise<IterationResult> {
  switch (action.type) {
    case "stop":
      return { type: "stop", end: action }
    case "compact":
      return compactNow(deps, run, now, action.record)
    default:
      run.signal.throwIfAborted()
      return now.isCompactOnly ? onlyCompaction(action) : work(deps, run, now, action)
  }
}

/** Compacts as a step: a limit may allow it as the last one, and an urgent prompt interrupts it. */
async function compactNow(
  deps: HeldDeps,
  run: LoopHandles,
  { history, isCompactOnly }: Iteration,
  record: CompactionRecord,
): Promise<IterationResult> {
  const { journal, budget, policies, contexts } = run
  const permit = await budget.enter(run.signal)
  if (permit.type !== "entered") return { type: "end", end: permit }
  const reached = policies.beforeStep()
  const signal = run.interrupts.next(run.signal)
  try {
    if (reached) return { type: "end", end: reached }
    const contextFor = (user: UserMessage) => contexts.of(inForce(history, user), history.messages, deps.hooks)
    const handles = { journal, budget, policies, signal, contextFor }
    const outcome = await compactPending(deps, handles, { history, record, isLast: isCompactOnly })
    const isOver = isCompactOnly || (outcome.type === "applied" && !outcome.goesOn)
    if (isOver) return { type: "end", end: { type: "compacted", outcome } }
    return { type: "compaction", isSkipped: outcome.type === "skipped" }
  } catch (error) {
    if (run.signal.aborted || !signal.aborted) throw error
    await journal.commit(await interruptedWrites(deps.store, history, record))
    return isCompactOnly ? failedCompaction("another prompt has taken its place") : again("compaction-interrupted")
  } finally {
    policies.afterStep()
    permit.leave()
  }
}

function onlyCompaction({ type }: Work): IterationResult {
  if (type === "respond") return { type: "stop", end: { type: "stop" } }
  return failedCompaction(type === "subtask" ? "a subagent's task is not done yet" : "a call is not answered yet")
}

function failedCompaction(reason: string): IterationResult {
  return { type: "end", end: { type: "compacted", outcome: { type: "failed", reason } } }
}

type Work = Extract<NextAction, { type: "resume" | "subtask" | "call" | "respond" }>

/** Does the work as a step of the policies. */
async function work(deps: HeldDeps, run: LoopHandles, now: Iteration, action: Work): Promise<StepResult> {
  const reached = run.policies.beforeStep()
  if (reached) return { type: "end", end: reached }
  try {
    return await workOn(deps, run, now, action)
  } finally {
    run.policies.afterStep()
  }
}

async function workOn(deps: HeldDeps, run: LoopHandles, now: Iteration, action: Work): Promise<StepResult> {
  const { history } = now
  const user = action.type === "resume" ? userOf(history, action.message) : action.user
  const answered = inForce(history, user.info)
  const shared = await unlessAborted(run.signal, run.contexts.of(answered, history.messages, deps.hooks))
  const rules = { ...shared.rules, scopes: [...shared.rules.scopes, ...mentioned(user)] }
  const context: StepContext = { ...shared, rules }
  const handles = workHandles(deps, run, { context, history, user: user.info, model: answered.model })
  switch (action.type) {
    case "resume":
      await resumeCalls(deps, handles, { context, history, user, ...action })
      return again("calls-resumed")
    case "subtask":
      await runSubtask(deps, handles, { context, history, ...action })
      return again("subtask-done")
    case "call":
      await runRequestedCall(deps, handles, { context, history, ...action })
      return again("call-done")
    case "respond": {
      if (await followHead(deps.store, run, context.head, history, action.user)) return again("reminded")
      const enter = () => run.budget.enter(run.signal)
      return permittedStep(deps, { ...handles, enter }, { ...now, context, user: user.info })
    }
  }
}

interface WorkInput {
  readonly context: StepContext
  readonly history: History
  readonly user: UserMessage
  /** The model that answers now. */
  readonly model: ModelRef
}

/** Returns the handles of a step, which an urgent prompt ends. */
function workHandles(deps: LoopDeps, run: LoopHandles, { context, history, user, model }: WorkInput): WorkHandles {
  const { journal, budget, policies } = run
  const signal = run.interrupts.next(run.signal)
  const origin = { rootSessionID: context.rootSessionID, agent: context.agent.name, message: user }
  return {
    journal,
    budget,
    policies,
    delegate: run.delegateFor(model),
    generator: createGenerator(deps, { sessionID: history.session.id, origin, model: context.model, budget }),
    ...conversationReaders(deps, context, history.messages, signal),
    signal,
  }
}

/** Takes a step if the agent and the limits of the run permit one more. */
async function permittedStep(
  deps: StepDeps,
  { enter, ...run }: WorkHandles & { readonly enter: () => Promise<StepPermit | LimitReached> },
  { context, history, user, steps, isSkipped }: Iteration & Pick<StepInput, "context" | "user">,
): Promise<StepResult> {
  const maxSteps = context.agent.steps ?? Infinity
  if (steps >= maxSteps) return { type: "end", end: { type: "steps-spent", steps: maxSteps } }
  const permit = await enter()
  if (permit.type !== "entered") return { type: "end", end: permit }
  const isLast = steps + 1 === maxSteps || permit.isLast
  try {
    const step = { context, history, user, isFirst: steps === 0, isLast, isSkipped }
    const result = await takeStep(deps, { ...run, permit }, step)
    if (result.type === "step") permit.answered()
    return result
  } finally {
    permit.leave()
  }
}

/** Returns the user message that an answer is for. Returns the newest one if a compaction has replaced that message. */
function userOf({ messages }: History, { info }: MessageWithParts<AssistantMessage>) {
  const users = messages.filter((message) => message.info.role === "user")
  return (users.find((user) => user.info.id === info.parentID) ?? users.at(-1)) as Extract<
    Work,
    { type: "respond" }
  >["user"]
}
