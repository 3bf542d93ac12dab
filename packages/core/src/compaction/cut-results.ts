import { quarantineWrites } from "../media/quarantine.ts"
import { outcomeOf } from "../repetition/outcome.ts"
import { OUTCOME } from "../repetition/turn-calls.ts"
import { calibrationOf } from "../measure/calibration.ts"
import { mediaFacts, mediaTokens } from "../measure/media-tokens.ts"
import type { JSONObject } from "../base/json.ts"
import type { Write } from "../contracts/storage.ts"
import { evenShare } from "../measure/truncate.ts"
import { divideContext, type DivideInput } from "./divide-context.ts"
import { type History, withStaged } from "../store/history.ts"
import { cutOutput, type LongOutputDeps, mayDelegate } from "../tool-call/long-output.ts"
import type { FilePart, MessageWithParts } from "../record/message.ts"
import type { Requests } from "../request/request-deps.ts"
import type { StepContext } from "../request/step-context.ts"
import { CUT_AGAIN } from "../record/tool-calls.ts"
import { shortenWrites } from "../measure/shown-words.ts"
import { resultText, type SettledToolPart, unreadFrom, unreadResults } from "../record/unread-results.ts"

export interface CutResultsDeps extends LongOutputDeps {
  readonly store: LongOutputDeps["store"] & { readonly now: () => number }
  readonly requests: Requests
}

type CutContext = Pick<StepContext, "tools" | "rules">

/**
 * Returns the writes that cut results which no request has carried yet, so that together they fit into the part of the
 * window for one answer. Short results stay whole, long ones get equal shares, and a part of each stays. Empty if the
 * results fit, or if nothing more can be cut. Results that a request has carried never change here, so the provider's
 * cache stays valid.
 */
export async function shareAnswer(
  deps: CutResultsDeps,
  context: CutContext & Pick<StepContext, "model" | "outputLimits">,
  { messages }: Pick<History, "messages">,
  signal: AbortSignal,
): Promise<Write[]> {
  const { bytesPerToken } = calibrationOf(messages, context.model)
  const budget = context.outputLimits.answerTokens * Math.min(bytesPerToken, MAX_COUNTED_BYTES_PER_TOKEN)
  return cutUnreadResults(deps, context, { messages, budget, signal })
}

/** Limits the calibration, because a provider that reports too few tokens would make it too large. */
const MAX_COUNTED_BYTES_PER_TOKEN = 4

/**
 * Returns the writes that make unread messages small enough to stay beside a summary. Results share the room with the
 * texts and arguments of the answer that called for them. Texts and arguments are shortened, in requests only, if they
 * take more than half of the room. Texts of results are cut, and files that do not fit are named instead. Empty if
 * everything is small enough, or if nothing more can be cut.
 */
export async function fitUnread(
  deps: CutResultsDeps,
  context: CutContext & Pick<StepContext, "model">,
  input: Pick<DivideInput, "history" | "checked" | "usable">,
  signal: AbortSignal,
): Promise<Write[]> {
  const { model } = context
  const { mostRoom, sizeOf } = divideContext(deps.requests, { ...input, model, summarizerWindow: 0, isEarly: false })
  const { bytesPerToken } = input.checked.calibration
  const unreadOf = ({ messages }: History) => {
    const { conversation } = deps.requests.arrange(messages)
    const unread = conversation.slice(unreadFrom(conversation))
    const results = unreadResults(conversation)
    const texts = results.reduce((sum, part) => sum + Buffer.byteLength(resultText(part)), 0) / bytesPerToken
    const files = results.flatMap(({ state }) => (state.status === "completed" ? filesOf(state) : []))
    const tokens = files.map((file) => mediaTokens(mediaFacts(file), model))
    const ofResults = tokens.reduce((sum, each) => sum + each, texts)
    const whole = unread.reduce((sum, message) => sum + sizeOf(message), 0)
    return { unread, files, tokens, ofResults, beside: whole - ofResults }
  }
  const { unread, ofResults, beside } = unreadOf(input.history)
  if (beside + ofResults <= mostRoom) return []
  const tooMuch = beside - Math.max(mostRoom * SHARE_OF_ANSWER, mostRoom - ofResults)
  const shortened = tooMuch > 0 ? shortenWrites(unread, tooMuch * bytesPerToken) : []
  const history = withStaged(input.history, shortened)
  const { files, tokens, ...now } = unreadOf(history)
  const left = Math.max(0, mostRoom - now.beside)
  if (now.ofResults <= left) return shortened
  let taken = 0
  const tooMany = files.filter((_file, at) => {
    const isKept = taken + (tokens[at] ?? 0) <= left * SHARE_OF_FILES
    if (isKept) taken += tokens[at] ?? 0
    return !isKept
  })
  const dropped = quarantineWrites(now.unread, { files: tooMany, reason: NO_ROOM }, deps.store.now())
  const { messages } = withStaged(history, dropped)
  const cut = await cutUnreadResults(deps, context, { messages, budget: (left - taken) * bytesPerToken, signal })
  return [...shortened, ...dropped, ...cut]
}

/** Part of the room for texts and arguments of the answer, if the results need the rest. */
const SHARE_OF_ANSWER = 0.5
/** Part of the room for files, if texts need the rest. */
const SHARE_OF_FILES = 0.75
const NO_ROOM =
  "the window has no room for it beside the other results. Read it alone, or a smaller part or copy of it."

function filesOf({
  attachments = [],
}: {
  readonly attachments?: readonly FilePart[] | undefined
}): readonly FilePart[] {
  return attachments.filter(({ rejected }) => !rejected)
}

async function cutUnreadResults(
  deps: CutResultsDeps,
  context: CutContext,
  {
    messages,
    budget,
    signal,
  }: { readonly messages: readonly MessageWithParts[]; readonly budget: number; readonly signal: AbortSignal },
): Promise<Write[]> {
  if (budget === Infinity) return []
  const results = unreadResults(deps.requests.arrange(messages).conversation)
  const sizes = results.map((part) => Buffer.byteLength(resultText(part)))
  const share = evenShare(sizes, budget)
  const long = results.filter((_part, at) => (sizes[at] ?? 0) > share)
  const cut = await Promise.all(long.map((part) => cutResult(deps, context, part, { bytes: share, signal })))
  return cut.flatMap((part): Write[] => (part ? [{ type: "part.put", part }] : []))
}

/** Returns the part with a cut result, or undefined if the result would not get shorter. */
async function cutResult(
  deps: CutResultsDeps,
  context: CutContext,
  part: SettledToolPart,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
): Promise<SettledToolPart | undefined> {
  const { state, callID } = part
  const keep = context.tools.find(part.tool)?.keep ?? "head"
  const cut = { signal, callID, keep, canDelegate: mayDelegate(context), bytes }
  // Instructions that came with the result may be cut away, so they count as not loaded.
  const { loaded: _loaded, ...metadata } = state.metadata ?? {}
  const output = resultText(part)
  const shown = await cutOutput(deps, cut, { output, metadata })
  if (Buffer.byteLength(shown.output) >= Buffer.byteLength(output)) return undefined
  const outcome = part.metadata?.[OUTCOME] ?? outcomeOf(state) ?? null
  const cutPart = { ...part, metadata: { ...part.metadata, [OUTCOME]: outcome, [CUT_AGAIN]: true } }
  const kept = shown.metadata as JSONObject
  if (state.status === "error") return { ...cutPart, state: { ...state, error: shown.output, metadata: kept } }
  return { ...cutPart, state: { ...state, output: shown.output, metadata: kept } }
}
