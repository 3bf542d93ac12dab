import {
  isAbort,
  messageOf,
  type PermissionDeniedError,
  ProviderError,
  RepetitionError,
  toStoredError,
} from "../errors.ts"
import type { IDSource, PartID } from "../ids.ts"
import type { FinishReason, Model, ModelEvent, ModelRequest } from "../provider/model.ts"
import { calibrationOf, observe } from "../context/tokens/calibration.ts"
import { totalBytes } from "../context/tokens/measure.ts"
import { inputTokens } from "../context/tokens/preflight.ts"
import { cost, countedTokens } from "../provider/usage.ts"
import type { Write } from "../storage/storage.ts"
import type { AskedRequest } from "./budget.ts"
import type { CacheLedger } from "./cache-ledger.ts"
import { brokenOff, type Estimate } from "./estimate.ts"
import type { History } from "./history.ts"
import type { AssistantMessage } from "./message.ts"
import type { Checked } from "./preflight.ts"
import type { RepetitionGuard } from "./repetition-guard.ts"
import { addSpent, figuresOf, type Spent } from "./spent.ts"
import { createStepParts, type StepParts } from "./step-parts.ts"
import { withDeadlines } from "./stream-deadline.ts"
import { runToolCall, type ToolCallDeps, type ToolCallOutcome, type ToolCallScene } from "./tool-call.ts"

export interface ProcessorDeps extends ToolCallDeps {
  readonly ids: IDSource
}

export interface ProcessorScene extends ToolCallScene {
  /** Called when an answer begins: its request has left. */
  readonly onAnswer: () => void
  /** Called when an answer, or one that broke off with calls, is over; these may still run. */
  readonly onEnd: (isAnswered: boolean) => void
}

export interface Step {
  /** Stored already. */
  readonly message: AssistantMessage
  readonly model: Model
  readonly request: ModelRequest
  /** The request as it was measured. */
  readonly checked: Pick<Checked, "size" | "expected">
  readonly history: Pick<History, "messages">
  readonly cacheLedger: Pick<CacheLedger, "ended">
  readonly estimate: Estimate
  /** The request may leave, and is to be paid. */
  readonly asked: AskedRequest
  /** By attempts before this one. */
  readonly before: Spent
}

export type StepOutcome =
  /** The answer came to its end, its calls are settled, the message is complete. */
  | { readonly type: "finished" }
  | { readonly type: "aborted" }
  /** A call was refused by a person, or because none could be asked. */
  | { readonly type: "blocked"; readonly refusal: PermissionDeniedError | RepetitionError }
  /** The message is not complete. `called`: calls were made and are settled, so its parts are worth keeping. */
  | {
      readonly type: "failed"
      readonly error: unknown
      readonly called: boolean
      readonly partIDs: readonly PartID[]
      readonly spent: Spent
    }

/** What the handlers of events share. */
interface Progress {
  readonly parts: StepParts
  readonly calls: Promise<ToolCallOutcome>[]
  readonly startCall: (event: Extract<ModelEvent, { type: "tool-call" }>) => void
  readonly repetition: RepetitionGuard
  /** By the ids of the stream's texts. */
  readonly watches: Map<string, ReturnType<RepetitionGuard["text"]>>
  /** Characters of the answer. */
  received: number
  end?: Pick<Extract<ModelEvent, { type: "finish" }>, "reason" | "usage">
}

type Handlers = {
  readonly [T in ModelEvent["type"]]: (at: Progress, event: Extract<ModelEvent, { type: T }>) => Promise<void> | void
}

const handlers: Handlers = {
  start: () => {},
  "start-step": () => {},
  "text-start": ({ parts }, { id, metadata }) => parts.openText("text", id, metadata),
  "text-delta": (at, { id, text }) => append(at, id, text),
  "text-end": ({ parts }, { id, metadata }) => parts.closeText(id, metadata),
  "reasoning-start": ({ parts }, { id, metadata }) => parts.openText("reasoning", id, metadata),
  "reasoning-delta": (at, { id, text }) => append(at, id, text),
  "reasoning-end": ({ parts }, { id, metadata }) => parts.closeText(id, metadata),
  "tool-input-start": ({ parts }, { id, name }) => void parts.openCall(id, name),
  "tool-input-delta": (at, { id, delta }) => {
    at.received += delta.length
    at.parts.appendInput(id, delta)
  },
  "tool-input-end": () => {},
  "tool-call": (at, event) => {
    at.received = Math.max(at.received, event.input.length, 1)
    at.startCall(event)
  },
  "tool-result": ({ parts }, { id, name, output }) => parts.settleProviderCall(id, name, { output }),
  "tool-error": ({ parts }, { id, name, error }) => parts.settleProviderCall(id, name, { error }),
  "finish-step": (at, { reason, usage }) => void (at.end = { reason, usage: countedTokens(usage) }),
  error: (_at, { error }) => {
    throw error
  },
  finish: (at, { reason, usage }) => void (at.end ??= { reason, usage: countedTokens(usage) }),
}

function append(at: Progress, id: string, text: string): void {
  const { parts, watches, repetition } = at
  at.received += text.length
  parts.appendText(id, text)
  let watch = watches.get(id)
  if (!watch) watches.set(id, (watch = repetition.text()))
  watch.append(text)
}

/**
 * Turns the events of one answer into parts in storage. Text goes out as deltas and is saved now and then; calls start
 * when their arguments are complete, and run side by side. The end of a step is staged, what precedes a failure is
 * committed. Rejects only when the journal cannot write.
 */
export async function processStep(deps: ProcessorDeps, scene: ProcessorScene, step: Step): Promise<StepOutcome> {
  const { journal } = scene
  // An answer that cannot be stored is not worth waiting for.
  const unwritable = new AbortController()
  const signal = AbortSignal.any([scene.signal, unwritable.signal])
  const parts = createStepParts(deps, { journal, message: step.message, rootSessionID: scene.rootSessionID, signal })
  const calls: Promise<ToolCallOutcome>[] = []
  let open = 1 // The stream itself.
  const at: Progress = {
    parts,
    calls,
    repetition: scene.repetition,
    watches: new Map(),
    received: 0,
    startCall({ id, name, input, metadata, providerExecuted }) {
      if (parts.isTaken(id, name, input)) return
      const part = parts.takeCall(id, name, input, metadata)
      if (providerExecuted) return parts.awaitResult(id, part)
      open++
      const call = runToolCall(deps, { ...scene, signal }, part).then(async (outcome) => {
        // The last to end is stored together with the end of the step.
        if (--open > 0) await journal.commit([])
        return outcome
      })
      call.catch((error: unknown) => unwritable.abort(error))
      calls.push(call)
    },
  }
  let failure: { readonly error: unknown } | undefined
  const began = performance.now()
  try {
    await readStream(deps, { ...scene, signal }, step, at)
  } catch (error) {
    failure = { error: isAbort(error) && !signal.aborted ? abortedByProvider(error) : error }
  }
  const took = Math.round(performance.now() - began)
  const spent = billOf(step, at)
  step.asked.pay(step.message.id, spent)
  step.asked.over()
  if (at.end && !failure) scene.onEnd(true)
  else if (calls.length > 0) scene.onEnd(false)
  open--
  const isCutOff = failure?.error instanceof RepetitionError
  const left = parts.closeAll(scene.signal.aborted || isCutOff ? "keep" : "remove")
  // Also when one of them cannot be stored: no tool works on in a session that is not ours any more.
  await Promise.allSettled(calls)
  const outcomes = await Promise.all(calls)
  const { aborted } = scene.signal
  const refusal = outcomes.find((outcome) => outcome.refusal)?.refusal
  if (failure && !aborted && !refusal) {
    await journal.commit([...left, ...billWrites(scene)])
    return { type: "failed", error: failure.error, called: calls.length > 0, partIDs: parts.partIDs, spent }
  }
  const error = aborted ? scene.signal.reason : refusal
  const total = addSpent(addSpent(step.before, spent), scene.generator.spent)
  journal.stage([...left, ...billWrites(scene), ...finishWrites(deps, step, parts, at.end, { error, total, took })])
  if (aborted) return { type: "aborted" }
  return refusal ? { type: "blocked", refusal } : { type: "finished" }
}

async function readStream(deps: ProcessorDeps, scene: ProcessorScene, step: Step, at: Progress): Promise<void> {
  const open = (stop: AbortSignal) => step.model.stream(step.request, stop)
  let isFirst = true
  for await (const event of withDeadlines(open, scene.signal, deps.deadlines)) {
    if (isFirst) scene.onAnswer()
    isFirst = false
    // Deltas come by the hundred thousand, and most handlers have nothing to wait for.
    const work = handlers[event.type]?.(at, event as never)
    if (work) await work
    // A connection that is not closed then is none of ours.
    if (event.type === "finish") break
  }
  if (!at.end) throw new ProviderError("incomplete-stream", "The answer ended before its finish event.")
  await at.parts.closeTexts()
  const problem = finishProblem(at.end.reason, at.parts.hasContent)
  if (problem) throw problem
  at.end = { ...at.end, reason: settledReason(at.end.reason, at.calls.length) }
}

function billOf({ model, estimate }: Step, { end, received }: Progress): Spent {
  if (!end) return brokenOff(estimate, received, model.info)
  return { requests: 1, tokens: end.usage, cost: cost(end.usage, model.info.cost) }
}

/** What its calls had the model say besides. */
export function billWrites({ generator }: Pick<ToolCallScene, "generator">): Write[] {
  return generator.bills.map((part) => ({ type: "part.put", part }))
}

function abortedByProvider(cause: unknown): ProviderError {
  return new ProviderError("incomplete-stream", `The provider aborted the answer: ${messageOf(cause)}`)
}

/** Why an answer that came to its end is none. */
function finishProblem(reason: FinishReason, hasContent: boolean): ProviderError | undefined {
  // Mostly for a call that the model did not spell as one.
  if (reason === "error") return new ProviderError("transient", "The provider ended the answer with an error.")
  if (reason === "content-filter")
    return new ProviderError("content-policy", "The provider's content filter ended the answer.")
  if (hasContent) return undefined
  if (reason !== "length") return new ProviderError("incomplete-stream", "The model sent an empty answer.")
  return new ProviderError(
    "unknown",
    "The model reached its output limit before it said anything. Raise its limit.output.",
  )
}

/** Whether the loop goes on hangs on the calls that were made, whatever a provider says of them. */
function settledReason(reason: FinishReason, calls: number): FinishReason {
  if (calls > 0) return "tool-calls"
  return reason === "tool-calls" || reason === "unknown" ? "stop" : reason
}

function finishWrites(
  { ids, now }: ProcessorDeps,
  { message, model, checked, history, cacheLedger }: Step,
  parts: StepParts,
  end: Progress["end"],
  { error, total, took }: { readonly error: unknown; readonly total: Spent; readonly took: number },
): Write[] {
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: now() }
  const figures = figuresOf(total)
  if (!end) return [{ type: "message.put", message: { ...message, ...failed, ...figures, time } }]
  const { reason, usage: tokens } = end
  const bill = { tokens, cost: cost(tokens, model.info.cost) }
  const owner = { id: ids.part(parts.partIDs.at(-1)), sessionID: message.sessionID, messageID: message.id }
  const prefix = cacheLedger.ended(tokens)
  const measured = observe(calibrationOf(history.messages, model.ref), {
    bytes: totalBytes(checked.size),
    media: checked.size.media,
    estimate: checked.expected.tokens,
    observed: inputTokens(tokens),
  })
  return [
    {
      type: "part.put",
      part: {
        ...owner,
        type: "step-finish",
        reason,
        ...bill,
        took,
        measured,
        ...(prefix ? { prefix } : {}),
      },
    },
    { type: "message.put", message: { ...message, ...figures, ...failed, finish: reason, time } },
  ]
}
