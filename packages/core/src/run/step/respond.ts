import { findRejected, quarantineWrites, quarantinesSince } from "../../media/quarantine.ts"
import type { MessageID } from "../../base/ids.ts"
import type { AskedRequest } from "../../budget/budget.ts"
import { type CacheLedger, createPromptTraces } from "../../cache/cache-ledger.ts"
import { mediaFitter, type MediaFitterDeps } from "../../media/media-fitter.ts"
import type { RepetitionGuard } from "../../repetition/repetition-guard.ts"
import { ProviderError, RepetitionError, toStoredError } from "../../base/errors.ts"
import { headToStore, type StoredHead } from "../../request/context-head.ts"
import { loadedInstructions } from "../../workspace/loaded.ts"
import { nestedInstructions } from "../../workspace/nested.ts"
import { clampOutput } from "../../measure/overflow-policy.ts"
import type { ModelRequest } from "../../contracts/model.ts"
import { noTokens } from "../../record/tokens.ts"
import { variantFor } from "../../contracts/variant.ts"
import type { Write } from "../../contracts/storage.ts"
import { attemptsBefore } from "../retry/attempts.ts"
import { giveUpWrite, goOnElsewhere, retryPart, retryWrites } from "../retry/broken-attempt.ts"
import { buildRequest } from "../../request/context.ts"
import { shareAnswer } from "../../compaction/cut-results.ts"
import { type Estimate, estimateOf, lastTokens } from "../../usage/estimate.ts"
import type { FallbackDeps } from "../retry/fallback.ts"
import type { History } from "../../store/history.ts"
import type { LimitReached } from "../../budget/limits.ts"
import type { AssistantMessage, MessageWithParts, StepStartPart, UserMessage } from "../../record/message.ts"
import { billWrites, type ProcessorDeps, type ProcessorScene, processStep } from "./processor.ts"
import { type Checked, checkPrompt } from "../../request/preflight.ts"
import type { SummaryInAdvance } from "../../compaction/prepare-summary.ts"
import { judgedFailure } from "../retry/provider-failure.ts"
import type { ToolCallOutcome } from "../../tool-call/tool-call.ts"
import { retryDecision, type RetryPolicy } from "../../request/retry.ts"
import { restOfWait, waitToRetry } from "../retry/retry-wait.ts"
import { makeRoom, type RoomDeps, tidy } from "../../compaction/room.ts"
import { addSpent, figuresOf, nothingSpent } from "../../record/spent.ts"
import { spentOf } from "../../usage/stored-spending.ts"
import { tellUnpriced } from "../../budget/unpriced.ts"
import { usagePart } from "../../usage/usage-part.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"

export interface RespondDeps extends ProcessorDeps, RoomDeps, MediaFitterDeps, FallbackDeps {
  readonly storage: ProcessorDeps["storage"] & RoomDeps["storage"]
  readonly deadlines: ProcessorDeps["deadlines"] & MediaFitterDeps["deadlines"]
  readonly retry: RetryPolicy
  /** 0 to 1. */
  readonly random: () => number
}

export interface StepScene extends RunScene {
  readonly inAdvance: SummaryInAdvance
  readonly repetition: RepetitionGuard
  readonly cacheLedger: CacheLedger
  readonly onEnd: ProcessorScene["onEnd"]
}

export interface StepInput {
  readonly history: History
  readonly user: UserMessage
  readonly isFirst: boolean
  readonly isLast: boolean
  /** A hook has skipped the compaction that would be due. */
  readonly isSkipped: boolean
}

/**
 * `room-made`: the step is still to be taken. `compacted`: after a compaction nobody wants the agent to go on. A limit
 * keeps a request from being made: what is stored can be gone on with.
 */
type StepEnd = "done" | "room-made" | "compacted" | LimitReached

/**
 * One step: context, model, processor. Where the context does not fit the model, room is made for it first, and the
 * step is not taken yet. An answer that breaks off is asked for again after a delay, as long as the retry policy says
 * so; what came of it is removed first, unless tools have run upon it. After that another model may take the step.
 */
export async function respond(deps: RespondDeps, scene: StepScene, step: StepInput): Promise<StepEnd> {
  const { history, user } = step
  const { settings, model, tools, system, journal, signal, rootSessionID } = scene
  const input = { history, rootSessionID, user, agent: settings, model, tools, system, isLastStep: step.isLast, signal }
  const message = newMessage(deps, scene, history, user)
  const begin = () =>
    journal.commit([
      { type: "message.put", message },
      { type: "part.put", part: startPart(deps, message, headToStore(scene.head)) },
    ])
  const giveUp = async (error: unknown) => {
    await journal.commit([{ type: "message.put", message }, giveUpWrite(deps, message, error)])
    return "done" as const
  }
  const room = { scene, journal, history, user, signal, inAdvance: scene.inAdvance }
  const { cacheLedger } = scene
  const traces = createPromptTraces()
  let checked: Checked
  let request: ModelRequest
  let estimate: Estimate
  let asked: AskedRequest
  const before = attemptsBefore(history.messages, model.ref)
  // Who aborts it is seen to at the next turn of the loop.
  if (!(await restOfWait(deps, before, signal))) return "room-made"
  const repeated = scene.repetition.answer()
  if (repeated.type === "stop") return giveUp(new RepetitionError(repeated.message, "stop"))
  if (repeated.type === "nudge") {
    await journal.commit(reminderMessage(deps, user, message.id, nudge(repeated.message)))
    return "room-made"
  }
  const cuts = await shareAnswer(deps, scene, history)
  if (cuts.length > 0) {
    await journal.commit(cuts)
    return "room-made"
  }
  try {
    checked = await checkPrompt(deps, input, traces)
    const { expected, policy } = checked
    if (expected.tokens >= policy.hard && !step.isSkipped) {
      return (await makeRoom(deps, { ...room, checked })) ? "room-made" : "compacted"
    }
    if (step.isFirst && (await tidy(deps, { ...room, checked }))) return "room-made"
    const output = clampOutput(policy.maxOutput, policy.window, expected.tokens + expected.margin)
    const sent = { expected, maxOutput: model.info.limit.output > 0 ? output : 0 }
    estimate = estimateOf({ ...sent, last: lastTokens(history.messages, model.ref) }, model.info)
    tellUnpriced(deps.bus, scene.budget, message.sessionID, model)
    const answer = await scene.budget.ask(estimate, signal)
    if (answer.type !== "asked") {
      await journal.commit([])
      return answer
    }
    asked = answer
    const { prompt } = checked
    const built = begin().then(() => buildRequest(deps, input, prompt, output))
    request = await built.catch((error: unknown) => {
      answer.over()
      throw error
    })
  } catch (error) {
    return giveUp(error)
  }
  const around = callSurroundings(deps, scene, history)
  const onAnswer = () => {
    scene.onAnswer()
    scene.inAdvance.consider({ scene, journal, history, checked })
    cacheLedger.answered()
  }

  const { cacheTTL } = checked.policy
  const { variant } = message
  cacheLedger.sending({ request, model, variant, history, traces, tools, agent: scene.agent, cacheTTL })
  const began = performance.now() - before.elapsed
  let spent = nothingSpent
  for (let attempt = before.failed + 1; ; attempt++) {
    const outcome = await processStep(
      deps,
      { ...scene, ...around, onAnswer },
      { message, model, request, checked, cacheLedger, estimate, asked, before: spent },
    )
    if (outcome.type !== "failed") return "done"
    spent = addSpent(spent, outcome.spent)
    const figures = figuresOf(addSpent(spent, scene.generator.spent))
    const removed = (): Write[] => {
      const of = { sessionID: user.sessionID, messageID: user.id, purpose: "retry", model: model.ref } as const
      const part = usagePart(deps, { ...of, agent: scene.agent }, spent)
      scene.budget.told(user.id)
      return [
        { type: "message.remove", messageID: message.id },
        { type: "part.put", part },
      ]
    }
    const about = { sessionID: message.sessionID, rootSessionID, agent: scene.agent, model: model.ref }
    const error = await judgedFailure(deps, { ...about, messageID: message.id, attempt }, outcome.error, signal)
    if (error instanceof ProviderError && !outcome.called) {
      const writes = await quarantine(deps, step, request, error)
      if (writes.length > 0) {
        await journal.commit([...writes, ...removed()])
        cacheLedger.note("quarantine")
        return "room-made"
      }
    }
    if (error instanceof ProviderError && error.kind === "overflow" && !outcome.called) {
      try {
        const goesOn = await makeRoom(deps, { ...room, checked, refusal: error })
        await journal.commit(removed())
        return goesOn ? "room-made" : "compacted"
      } catch (cause) {
        await journal.commit([giveUpWrite(deps, { ...message, ...figures }, cause)])
        return "done"
      }
    }
    if (error instanceof RepetitionError && error.response === "nudge") {
      await journal.commit([
        ...cutOff(deps, { ...message, ...figures }),
        ...reminderMessage(deps, user, message.id, nudge(error.message)),
      ])
      return "done"
    }
    const elapsed = performance.now() - began
    const decision =
      error instanceof ProviderError
        ? retryDecision(error, { failed: attempt, elapsed }, deps.retry, deps.random())
        : ({ type: "give-up" } as const)
    const broken = { message: { ...message, ...figures }, outcome, error, attempt, elapsed }
    if (decision.type === "give-up") {
      const isTaken = await goOnElsewhere(deps, { journal, user, agent: settings, model: model.ref }, broken)
      if (!isTaken) await journal.commit([giveUpWrite(deps, broken.message, error, decision)])
      return isTaken && !outcome.called ? "room-made" : "done"
    }
    const next = deps.now() + decision.delay
    const part = retryPart(deps, broken, { next })
    await journal.commit(retryWrites(deps, broken, part))
    // The tools' results are stored: the next step waits, and asks with them.
    if (outcome.called) return "done"
    if (!(await waitToRetry(deps, part, decision.delay, signal))) {
      await journal.commit([giveUpWrite(deps, broken.message, signal.reason)])
      return "done"
    }
    const again = await scene.budget.ask(estimate, signal).catch(toFailure)
    if (again.type === "asked") {
      asked = again
      continue
    }
    const isLimit = again.type !== "failure"
    await journal.commit(isLimit ? cutOff(deps, broken.message) : [giveUpWrite(deps, broken.message, again.error)])
    return isLimit ? again : "done"
  }
}

function toFailure(error: unknown) {
  return { type: "failure", error } as const
}

/** What the calls of a step need to know of the conversation. */
export function callSurroundings(
  deps: RespondDeps,
  scene: RunScene,
  { messages }: Pick<History, "messages">,
): Pick<ProcessorScene, "entered" | "fitted"> {
  const { lead, talk } = deps.arrange(messages)
  return { entered: nestedReader(scene, [lead, talk]), fitted: mediaFitter(deps, scene.model, scene.signal) }
}

/** Completes a message whose calls did not come with an answer of the model's. */
export function finishCalls(
  { now }: Pick<RespondDeps, "now">,
  { signal, generator }: Pick<RunScene, "signal" | "generator">,
  message: AssistantMessage,
  outcomes: readonly ToolCallOutcome[],
): Write[] {
  const error = signal.aborted ? signal.reason : outcomes.find(({ refusal }) => refusal)?.refusal
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: now() }
  const figures = figuresOf(addSpent(spentOf(message), generator.spent))
  return [
    ...billWrites({ generator }),
    { type: "message.put", message: { ...message, ...failed, ...figures, finish: "tool-calls", time } },
  ]
}

/** Times that a turn is tried again without the files that its provider would not take. */
const MOST_QUARANTINES = 3

/** What keeps files from the next request that the provider would not take with this one; nothing where it is not about files. */
async function quarantine(
  { now }: RespondDeps,
  { history, user }: StepInput,
  request: ModelRequest,
  error: ProviderError,
): Promise<Write[]> {
  const rejection = findRejected(error, request)
  if (!rejection || quarantinesSince(history.messages, user.time.created) >= MOST_QUARANTINES) return []
  return quarantineWrites(history.messages, rejection, now())
}

/** What was written stays; the loop does not take it for an answer. */
function cutOff({ now }: RespondDeps, message: AssistantMessage): Write[] {
  const time = { ...message.time, completed: now() }
  return [{ type: "message.put", message: { ...message, finish: "unknown", time } }]
}

function nudge(text: string) {
  return { text, metadata: { nudge: true } }
}

/** A message that the model reads as one of its user, behind `newest`. `text` stands in a reminder, `metadata` with its part. */
export function reminderMessage(
  { ids, now }: Pick<RespondDeps, "ids" | "now">,
  user: UserMessage,
  newest: MessageID,
  { text, metadata }: { readonly text: string; readonly metadata: Readonly<Record<string, unknown>> },
): Write[] {
  const { clientID: _clientID, delivery: _delivery, ...asked } = user
  const message: UserMessage = { ...asked, id: ids.message(newest), time: { created: now() } }
  const owner = { id: ids.part(), sessionID: message.sessionID, messageID: message.id }
  const reminder = `<system-reminder>\n${text}\n</system-reminder>`
  return [
    { type: "message.put", message },
    { type: "part.put", part: { ...owner, type: "text", text: reminder, synthetic: true, metadata } },
  ]
}

/** Looks into the history when a call first comes to a place: most steps do not. */
function nestedReader(
  { directory, worktree, instructionPaths }: RunScene,
  messages: readonly (readonly MessageWithParts[])[],
) {
  let loaded: Set<string> | undefined
  return (path: string) => {
    loaded ??= new Set([...instructionPaths, ...messages.flatMap((each) => [...loadedInstructions(each)])])
    return nestedInstructions({ directory, worktree, path, loaded })
  }
}

function newMessage(deps: RespondDeps, scene: RunScene, history: History, user: UserMessage): AssistantMessage {
  const { providerID, modelID } = scene.model.ref
  const variant = variantFor(scene.model.info, user.variant)
  return {
    id: deps.ids.message(history.messages.at(-1)?.info.id),
    sessionID: history.session.id,
    role: "assistant",
    parentID: user.id,
    providerID,
    modelID,
    ...(variant === undefined ? {} : { variant }),
    agent: scene.agent,
    mode: scene.agent,
    path: { cwd: scene.directory, root: scene.worktree },
    cost: 0,
    tokens: noTokens,
    time: { created: deps.now() },
  }
}

export function startPart(
  { ids }: Pick<RespondDeps, "ids">,
  { id, sessionID }: AssistantMessage,
  head?: StoredHead,
): StepStartPart {
  const part = { id: ids.part(), sessionID, messageID: id, type: "step-start" } as const
  return head ? { ...part, head } : part
}
