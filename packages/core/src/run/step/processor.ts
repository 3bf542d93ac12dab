import {
  isAbort,
  messageOf,
  OutputLengthError,
  ProviderError,
  RepetitionError,
  toStoredError,
} from "../../base/errors.ts"
import type { IDSource } from "../../base/ids.ts"
import type { FinishReason, Model, ModelEvent, ModelRequest } from "../../contracts/model.ts"
import { type Judgement, judgeReport } from "../../measure/judge-report.ts"
import { totalBytes } from "../../measure/measure.ts"
import { measuredOf } from "../../measure/measured-step.ts"
import { inputTokens } from "../../measure/measured-request.ts"
import { countedTokens } from "../../record/tokens.ts"
import type { Write } from "../../contracts/storage.ts"
import { billOf } from "../../usage/answer-bill.ts"
import type { AskModel } from "../../request/ask-model.ts"
import type { AskedRequest } from "../../budget/budget.ts"
import type { CacheLedger } from "../../cache/cache-monitor.ts"
import { brokenOff, type Estimate } from "../../usage/estimate.ts"
import { tellIgnored } from "./ignored-report.ts"
import type { AssistantMessage, Tokens } from "../../record/message.ts"
import type { Checked } from "../../request/preflight.ts"
import type { RepetitionGuard } from "../../repetition/repetition-guard.ts"
import { addSpent, figuresOf, type Spent } from "../../record/spent.ts"
import { createStepParts, type StepParts } from "./step-parts.ts"
import type { ModelWait } from "../../request/stream-deadline.ts"
import { runToolCall, type ToolCallDeps, type ToolCallOutcome, type ToolCallScene } from "../../tool-call/tool-call.ts"
import type { FailedOutcome } from "../retry/broken-attempt.ts"

export interface ProcessorDeps extends ToolCallDeps {
  readonly ids: IDSource
  readonly askModel: AskModel
}

/** Maximum characters of an answer so far in the event `session.waiting`. */
const MAX_WAITING_TEXT_LENGTH = 2_000

export interface ProcessorScene extends ToolCallScene {
  /** Called after a request was sent. */
  readonly onSent: () => void
  /** Called when an answer begins. */
  readonly onAnswer: () => void
  /** Called when an answer, or an incomplete answer with calls, has ended. The calls may still run. */
  readonly onEnd: (isAnswered: boolean) => void
}

export interface Step {
  /** The stored message of the answer. */
  readonly message: AssistantMessage
  readonly model: Model
  readonly request: ModelRequest
  /** The request as it was measured. */
  readonly checked: Pick<Checked, "size" | "expected" | "policy" | "learned" | "last">
  readonly cacheLedger: Pick<CacheLedger, "ended">
  readonly estimate: () => Estimate
  /** Permit of the request. Reserves its cost until the request is paid. */
  readonly asked: AskedRequest
  /** Cost of earlier attempts. */
  readonly before: Spent
}

export type StepOutcome =
  /** The message is complete and its calls are settled: the answer ended, was aborted, or a call was refused. */
  { readonly type: "settled" } | FailedOutcome

interface JudgedUsage {
  readonly reported: Tokens
  /** Bytes of the request's text. */
  readonly bytes: number
  readonly judgement: Judgement
}

/** State that the handlers of events share. */
interface Progress {
  readonly parts: StepParts
  readonly calls: Promise<ToolCallOutcome>[]
  readonly startCall: (event: Extract<ModelEvent, { type: "tool-call" }>) => void
  readonly repetition: RepetitionGuard
  /** Repetition watches, by the ids of the stream's texts. */
  readonly watches: Map<string, ReturnType<RepetitionGuard["text"]>>
  /** Number of characters received of the answer. */
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
 * Turns the events of an answer into stored parts. Text is published as deltas and saved at intervals. Calls start when
 * their arguments are complete, and run in parallel. The end of a step is staged; the parts before a failure are
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
  const judged = at.end && judgeEnd(step, at.end.usage)
  const spent = judged
    ? billOf({ ...judged, ...step, received: at.received }, step.model.info)
    : brokenOff(step.estimate(), at.received, step.model.info)
  step.asked.pay(step.message.id, spent)
  step.asked.over()
  if (at.end && !failure) scene.onEnd(true)
  else if (calls.length > 0) scene.onEnd(false)
  open--
  const isEnded = at.end !== undefined && !failure
  const total = () => addSpent(addSpent(step.before, spent), scene.generator.spent)
  const bill = isEnded ? keepBill(journal, calls, () => ({ ...step.message, ...figuresOf(total()) })) : undefined
  bill?.catch((error: unknown) => unwritable.abort(error))
  const isCutOff = failure?.error instanceof RepetitionError
  const left = parts.closeAll(scene.signal.aborted || isCutOff ? "keep" : "remove")
  // Wait for all calls even if one cannot be stored: no tool may continue after the session is lost.
  await Promise.allSettled(calls)
  const outcomes = await Promise.all(calls)
  await bill
  const { aborted } = scene.signal
  const refusal = outcomes.find((outcome) => outcome.refusal)?.refusal
  if (failure && !aborted && !refusal) {
    await journal.commit([...left, ...billWrites(scene)])
    return { type: "failed", error: failure.error, called: calls.length > 0, partIDs: parts.partIDs, spent }
  }
  const error = aborted ? scene.signal.reason : (refusal ?? lengthProblem(at))
  const ending = at.end && judged && { reason: at.end.reason, judged, spent }
  const end = { error, total: total(), took }
  journal.stage([...left, ...billWrites(scene), ...finishWrites(deps, step, parts, ending, end)])
  return { type: "settled" }
}

/** Calls that end within this time are stored together with the cost of the answer. */
const SHORT_CALL_MS = 20

/** Stores the cost of an answer while its calls run, so the cost is not lost if the process is killed meanwhile. */
async function keepBill(
  journal: ProcessorScene["journal"],
  calls: readonly Promise<unknown>[],
  message: () => AssistantMessage,
): Promise<void> {
  if (calls.length === 0) return
  const isLong = Symbol("long")
  const timer = Promise.withResolvers<typeof isLong>()
  const timeout = setTimeout(() => timer.resolve(isLong), SHORT_CALL_MS)
  const first = await Promise.race([Promise.allSettled(calls), timer.promise])
  clearTimeout(timeout)
  if (first === isLong) await journal.commit([{ type: "message.put", message: message() }])
}

async function readStream(deps: ProcessorDeps, scene: ProcessorScene, step: Step, at: Progress): Promise<void> {
  const { model, request, message } = step
  const { sessionID, id: messageID } = message
  const onWaiting = ({ waited, isAlive }: ModelWait) => {
    const wait = { waited: Math.round(waited), isAlive, text: at.parts.newestText(MAX_WAITING_TEXT_LENGTH) }
    deps.bus.publish("session.waiting", { sessionID, messageID, model: model.ref, ...wait })
  }
  let isFirst = true
  for await (const event of deps.askModel(model, request, scene.signal, { onSent: scene.onSent, onWaiting })) {
    if (isFirst) scene.onAnswer()
    isFirst = false
    // An answer may have a hundred thousand deltas, and most handlers are synchronous.
    const work = handlers[event.type]?.(at, event as never)
    if (work) await work
    // Stop at `finish`: the provider closes its own connection.
    if (event.type === "finish") break
  }
  if (!at.end) throw new ProviderError("incomplete-stream", "The answer ended before its finish event.")
  await at.parts.closeTexts()
  const problem = finishProblem(at.end.reason, at.parts.hasContent)
  if (problem) throw problem
  at.end = { ...at.end, reason: settledReason(at.end.reason, at.calls.length) }
}

/** Judges the usage that a provider reports at the end of an answer: `judgement` says if its input is plausible. */
function judgeEnd({ checked: { size, policy, last, learned } }: Step, reported: Tokens): JudgedUsage {
  const { maxOutput } = policy
  const bytes = totalBytes(size)
  const request = { bytes, media: size.media, reported: inputTokens(reported) }
  const judgement = judgeReport({ ...request, basis: learned.basis, isCut: last === undefined, maxOutput })
  return { reported, bytes, judgement }
}

/** Returns the measurements of the request to store, including the calibration learned from its report. */
function measure(
  { bus }: ProcessorDeps,
  { message: { sessionID }, model: { ref: model }, checked }: Step,
  { reported: usage, bytes, judgement }: JudgedUsage,
) {
  const { size, expected, learned } = checked
  const reported = inputTokens(usage)
  const about = { sessionID, model, judgement, bytes, reported, expected: expected.tokens, learned }
  const isIgnored = tellIgnored(bus, about)
  const request = { bytes, media: size.media, estimate: expected.tokens, reported, model }
  return measuredOf(learned, request, judgement, isIgnored)
}

/** Returns the writes of the usage of requests that the calls made. */
export function billWrites({ generator }: Pick<ToolCallScene, "generator">): Write[] {
  return generator.bills.map((part) => ({ type: "part.put", part }))
}

function abortedByProvider(cause: unknown): ProviderError {
  return new ProviderError("incomplete-stream", `The provider aborted the answer: ${messageOf(cause)}`)
}

/** Returns the reason why a finished answer is unusable. */
function finishProblem(reason: FinishReason, hasContent: boolean): ProviderError | undefined {
  // Usually because of a malformed call.
  if (reason === "error") return new ProviderError("transient", "The provider ended the answer with an error.")
  if (reason === "content-filter")
    return new ProviderError("content-policy", "The provider's content filter ended the answer.")
  if (hasContent || reason === "length") return undefined
  return new ProviderError("incomplete-stream", "The model sent an empty answer.")
}

/**
 * Returns the error of an answer that is cut at the output limit. Its text stays, so the next prompt can continue it.
 */
function lengthProblem({ end, parts }: Progress): OutputLengthError | undefined {
  if (end?.reason !== "length") return undefined
  const words = parts.hasContent
    ? "The model reached its output limit, so the answer is cut. Continue the session to have the rest, or raise the model's limit.output."
    : "The model reached its output limit before it said anything. Raise the model's limit.output."
  return new OutputLengthError(words)
}

/** Corrects the reason by the calls that were made, because some providers report a wrong one. */
function settledReason(reason: FinishReason, calls: number): FinishReason {
  if (calls > 0) return "tool-calls"
  return reason === "tool-calls" || reason === "unknown" ? "stop" : reason
}

function finishWrites(
  deps: ProcessorDeps,
  step: Step,
  parts: StepParts,
  end: { readonly reason: FinishReason; readonly judged: JudgedUsage; readonly spent: Spent } | undefined,
  { error, total, took }: { readonly error: unknown; readonly total: Spent; readonly took: number },
): Write[] {
  const { message, cacheLedger } = step
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: deps.now() }
  const figures = figuresOf(total)
  if (!end) return [{ type: "message.put", message: { ...message, ...failed, ...figures, time } }]
  const { reason, judged, spent } = end
  const { tokens, cost } = spent
  const owner = { id: deps.ids.part(parts.partIDs.at(-1)), sessionID: message.sessionID, messageID: message.id }
  const prefix = cacheLedger.ended(judged.reported)
  const measured = measure(deps, step, judged)
  return [
    {
      type: "part.put",
      part: {
        ...owner,
        type: "step-finish",
        ...{ reason, tokens, cost, took, measured },
        ...(prefix ? { prefix } : {}),
      },
    },
    { type: "message.put", message: { ...message, ...figures, ...failed, finish: reason, time } },
  ]
}
