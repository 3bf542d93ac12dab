import {
  isAbort,
  messageOf,
  OutputLengthError,
  ProviderError,
  RepetitionError,
  toStoredError,
} from "../../base/errors.ts"
import type { FinishReason, ModelEvent, ModelRequest } from "../../contracts/model.ts"
import { type Judgement, judgeReport } from "../../measure/judge-report.ts"
import { totalBytes } from "../../measure/measure.ts"
import { measuredOf } from "../../measure/measured-step.ts"
import { inputTokens } from "../../measure/measured-request.ts"
import { countedTokens } from "../../record/tokens.ts"
import type { Write } from "../../contracts/storage.ts"
import { billOf } from "../../usage/answer-bill.ts"
import type { AskModel } from "../../request/ask-model.ts"
import type { Reservation } from "../../budget/budget.ts"
import { brokenOff, type Estimate } from "../../usage/estimate.ts"
import { tellIgnored } from "./ignored-report.ts"
import type { AssistantMessage, StepFinishPart, Tokens } from "../../record/message.ts"
import type { Checked } from "../../request/preflight.ts"
import { addSpent, figuresOf, type Spent } from "../../record/spent.ts"
import { createStepParts, type StepParts } from "./step-parts.ts"
import type { ModelWait } from "../../request/stream-deadline.ts"
import type { PartID } from "../../base/ids.ts"
import type { EventBus } from "../../contracts/events.ts"
import type { StepContext } from "../../request/step-context.ts"
import type { History } from "../../store/history.ts"
import type { Journal } from "../../store/journal.ts"
import type { CallHandles, ToolCallDeps } from "../../tool-call/call-deps.ts"
import { runToolCall, type ToolCallOutcome } from "../../tool-call/tool-call.ts"
import type { Policies } from "../policies.ts"
import type { StepHandles } from "./step-input.ts"
import type { FailedOutcome } from "../retry/broken-attempt.ts"

export interface ProcessorDeps extends ToolCallDeps {
  readonly models: { readonly askModel: AskModel }
}

/** Maximum characters of an answer so far in the event `session.waiting`. */
const MAX_WAITING_TEXT_LENGTH = 2_000

/** A request that is sent once. */
export interface Attempt {
  readonly context: StepContext
  readonly history: History
  /** The stored message of the answer. */
  readonly message: AssistantMessage
  readonly request: ModelRequest
  /** The request as it was measured. */
  readonly checked: Checked
  readonly estimate: () => Estimate
  /** Reserves the cost of the request until it is paid. */
  readonly reservation: Reservation
  /** Usage of the step's earlier attempts. */
  readonly spent: Spent
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
  readonly watchText: Policies["onText"]
  /** Repetition watches, by the ids of the stream's texts. */
  readonly watches: Map<string, ReturnType<Policies["onText"]>>
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
  const { parts, watches, watchText } = at
  at.received += text.length
  parts.appendText(id, text)
  let watch = watches.get(id)
  if (!watch) watches.set(id, (watch = watchText()))
  watch.append(text)
}

/**
 * Turns the events of an answer into stored parts. Text is published as deltas and saved at intervals. Calls start when
 * their arguments are complete, and run in parallel. The end of a step is staged; the parts before a failure are
 * committed. Rejects only when the journal cannot write.
 */
export async function processStep(deps: ProcessorDeps, run: StepHandles, attempt: Attempt): Promise<StepOutcome> {
  const { journal, policies, permit, generator } = run
  const { context, message, reservation } = attempt
  const { info } = context.model
  // An answer that cannot be stored is not worth waiting for.
  const unwritable = new AbortController()
  const signal = AbortSignal.any([run.signal, unwritable.signal])
  const parts = createStepParts(deps, { journal, message, rootSessionID: context.rootSessionID, signal })
  const calls: Promise<ToolCallOutcome>[] = []
  let open = 1 // The stream itself.
  const at: Progress = {
    parts,
    calls,
    watchText: () => policies.onText(),
    watches: new Map(),
    received: 0,
    startCall({ id, name, input, metadata, providerExecuted }) {
      if (parts.isTaken(id, name, input)) return
      const part = parts.takeCall(id, name, input, metadata)
      if (providerExecuted) return parts.awaitResult(id, part)
      open++
      const call = runToolCall(deps, { ...run, signal }, context, part).then(async (outcome) => {
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
    await readStream(deps, { ...run, signal }, attempt, at)
  } catch (error) {
    failure = { error: isAbort(error) && !signal.aborted ? abortedByProvider(error) : error }
  }
  const took = Math.round(performance.now() - began)
  const judged = at.end && judgeEnd(attempt, at.end.usage)
  const spent = judged
    ? billOf({ ...judged, estimate: attempt.estimate, received: at.received }, info)
    : brokenOff(attempt.estimate(), at.received, info)
  reservation.pay(message.id, spent)
  reservation.release()
  // The calls may still run.
  if (at.end && !failure) permit.answered()
  else if (calls.length > 0) permit.leave()
  open--
  const isEnded = at.end !== undefined && !failure
  const total = () => addSpent(addSpent(attempt.spent, spent), generator.spent)
  const bill = isEnded ? keepBill(journal, calls, () => ({ ...message, ...figuresOf(total()) })) : undefined
  bill?.catch((error: unknown) => unwritable.abort(error))
  const isCutOff = failure?.error instanceof RepetitionError
  const left = parts.closeAll(run.signal.aborted || isCutOff ? "keep" : "remove")
  // Wait for all calls even if one cannot be stored: no tool may continue after the session is lost.
  await Promise.allSettled(calls)
  const outcomes = await Promise.all(calls)
  await bill
  const { aborted } = run.signal
  const refusal = outcomes.find((outcome) => outcome.refusal)?.refusal
  if (failure && !aborted && !refusal) {
    await journal.commit([...left, ...billWrites(run)])
    return { type: "failed", error: failure.error, called: calls.length > 0, partIDs: parts.partIDs, spent }
  }
  const error = aborted ? run.signal.reason : (refusal ?? lengthProblem(at))
  const ending = at.end && judged && { reason: at.end.reason, judged, spent }
  const end = { error, total: total(), took, prefix: judged && policies.afterAnswer(judged.reported) }
  journal.stage([...left, ...billWrites(run), ...finishWrites(deps.store, attempt, parts.partIDs, ending, end)])
  return { type: "settled" }
}

/** Calls that end within this time are stored together with the cost of the answer. */
const SHORT_CALL_MS = 20

/** Stores the cost of an answer while its calls run, so the cost is not lost if the process is killed meanwhile. */
async function keepBill(
  journal: Journal,
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

async function readStream(deps: ProcessorDeps, run: StepHandles, attempt: Attempt, at: Progress): Promise<void> {
  const { context, history, request, checked, message } = attempt
  const { model } = context
  const { policies, signal } = run
  const { sessionID, id: messageID } = message
  const onWaiting = ({ waited, isAlive }: ModelWait) => {
    const wait = { waited: Math.round(waited), isAlive, text: at.parts.newestText(MAX_WAITING_TEXT_LENGTH) }
    deps.store.bus.publish("session.waiting", { sessionID, messageID, model: model.ref, ...wait })
  }
  let isFirst = true
  for await (const event of deps.models.askModel(model, request, signal, {
    onSent: () => policies.onSent(),
    onWaiting,
  })) {
    if (isFirst) policies.onAnswer(run, { context, history, checked })
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
function judgeEnd({ checked: { size, policy, last, learned } }: Attempt, reported: Tokens): JudgedUsage {
  const { maxOutput } = policy
  const bytes = totalBytes(size)
  const request = { bytes, media: size.media, reported: inputTokens(reported) }
  const judgement = judgeReport({ ...request, basis: learned.basis, isCut: last === undefined, maxOutput })
  return { reported, bytes, judgement }
}

/** Returns the measurements of the request to store, including the calibration learned from its report. */
function measure(
  bus: EventBus,
  { message: { sessionID }, context, checked }: Pick<Attempt, "message" | "context" | "checked">,
  { reported: usage, bytes, judgement }: JudgedUsage,
) {
  const { size, expected, learned } = checked
  const { model } = context
  const reported = inputTokens(usage)
  const about = { sessionID, model: model.ref, judgement, bytes, reported, expected: expected.tokens, learned }
  const isIgnored = tellIgnored(bus, about)
  const request = { bytes, media: size.media, estimate: expected.tokens, reported, model }
  return measuredOf(learned, request, judgement, isIgnored)
}

/** Returns the writes of the usage of requests that the calls made. */
export function billWrites({ generator }: Pick<CallHandles, "generator">): Write[] {
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

interface StepEnd {
  readonly error: unknown
  readonly total: Spent
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number
  readonly prefix: StepFinishPart["prefix"]
}

function finishWrites(
  { bus, ids, now }: Pick<ProcessorDeps["store"], "bus" | "ids" | "now">,
  attempt: Pick<Attempt, "message" | "context" | "checked">,
  partIDs: readonly PartID[],
  end: { readonly reason: FinishReason; readonly judged: JudgedUsage; readonly spent: Spent } | undefined,
  { error, total, took, prefix }: StepEnd,
): Write[] {
  const { message } = attempt
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: now() }
  const figures = figuresOf(total)
  if (!end) return [{ type: "message.put", message: { ...message, ...failed, ...figures, time } }]
  const { reason, judged, spent } = end
  const { tokens, cost } = spent
  const owner = { id: ids.part(partIDs.at(-1)), sessionID: message.sessionID, messageID: message.id }
  const measured = measure(bus, attempt, judged)
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
