import type { Agent } from "../agents/agent.ts"
import { isRequest } from "../record/request-order.ts"
import { isRecord } from "../record/compaction-record.ts"
import type { CacheBust } from "../contracts/cache-bust.ts"
import { createContextHeads } from "../request/context-head.ts"
import { windowShares, type WindowShares } from "../cache/window-shares.ts"
import { instructionBlock } from "../workspace/instruction-file.ts"
import type { SelectPrunable } from "../compaction/prune/select-prunable.ts"
import type { Calibration } from "../measure/calibration.ts"
import { textBytes, totalBytes } from "../measure/measure.ts"
import { messageOf } from "../base/errors.ts"
import type { IDSource, SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import type { Storage } from "../contracts/storage.ts"
import { openHistory } from "../store/history.ts"
import type { Journal } from "../store/journal.ts"
import type { MessageWithParts, ModelRef, Session, UserMessage } from "../record/message.ts"
import { type PastCompaction, pastCompactions } from "./past-compactions.ts"
import type { Pin } from "./pins.ts"
import { type Checked, checkPrompt, type PreflightDeps } from "../request/preflight.ts"
import type { Roots } from "../store/roots.ts"
import { type PlaceDeps, readPlace } from "../workspace/place.ts"
import { createScenes, type SceneDeps } from "../run/step/scene.ts"
import { withHead } from "../run/step/step-head.ts"

/** What the next request of a session would hold, without what the user is going to say. Tokens are estimates. */
export interface ContextReport {
  readonly sessionID: SessionID
  readonly agent: string
  readonly model: ModelRef
  /** Why nothing is known of the model; absent where it can be used. */
  readonly modelProblem?: string
  /** Of the whole request, and how far that may be too low. */
  readonly tokens: number
  readonly margin: number
  /** They add up to `tokens`; images and documents are among them. */
  readonly shares: WindowShares
  /** Of images and documents alone. */
  readonly media: number
  /** The model's window, what of it a request may take, and where summaries are prepared and put into effect. Absent: not known. */
  readonly limits?: {
    readonly window: number
    readonly usable: number
    readonly soft: number
    readonly hard: number
  }
  /** Whether old messages are replaced, and old outputs cleared, without being asked for. */
  readonly auto: boolean
  readonly prune: boolean
  /** How the model's tokens are estimated: `samples` answers have taught it, `error` is how far it was off on average. */
  readonly calibration: Calibration
  /** In the order in which the model reads them. */
  readonly instructions: readonly { readonly path: string; readonly tokens: number }[]
  readonly tools: number
  /** Oldest first. */
  readonly pins: readonly Pin[]
  /** Oldest first. */
  readonly compactions: readonly PastCompaction[]
  /** Since the context starts: how many requests there were, and which did not begin like the one before, oldest first. */
  readonly cache: { readonly requests: number; readonly busts: readonly PastBust[] }
  /** Old outputs of tools that could be cleared now. */
  readonly prunable: { readonly outputs: number; readonly tokens: number }
}

/** A request for which the provider could not reuse what it had read. */
export interface PastBust extends Omit<CacheBust, "sessionID" | "reason"> {
  readonly reason: string
  /** When its answer was complete, epoch milliseconds. */
  readonly time: number
}

export interface ContextReportDeps extends PlaceDeps, SceneDeps, PreflightDeps {
  readonly storage: Pick<Storage, "readContext" | "readChanges" | "readMessages" | "getSession">
  readonly selectPrunable: SelectPrunable
  readonly ids: IDSource
  readonly now: () => number
  readonly roots: Roots
}

/** Sends nothing, runs no tool and stores nothing; hooks that make the request are called as for one. */
export async function contextReport(
  deps: ContextReportDeps,
  sessionID: SessionID,
  choice: { readonly agent: Agent; readonly model: ModelRef },
): Promise<ContextReport> {
  const { session, messages } = await openHistory(deps, sessionID)
  const user = newestUser(deps, session, messages, choice)
  const found = await foundModel(deps, user.model)
  const { signal } = new AbortController()
  const place = readPlace(deps, session)
  const rootSessionID = await deps.roots.of(sessionID)
  const scenes = createScenes(
    { ...deps, findModel: async () => found.model },
    { session, place, rootSessionID, journal: unwritten, signal, onSent: () => undefined, onAnswer: () => undefined },
  )
  const hooks = deps.hooks.hold()
  const scene = await scenes(user, hooks).finally(hooks.release)
  const { settings: agent, model, tools } = scene
  const { system } = withHead(deps, createContextHeads(), scene, messages)
  const history = { session, messages }
  const about = { history, rootSessionID, user, agent, model, tools, system, isLastStep: false, signal }
  const checked = await checkPrompt(deps, about)
  const { expected, policy } = checked
  const { bytesPerToken, error, samples, ignored } = checked.calibration
  const prunable = deps.selectPrunable(messages, { bytesPerToken, model: model.ref, usable: policy.usable })
  const { instructions } = await place.read()
  const blocks = instructions.map((each) => ({ path: each.path, bytes: textBytes(instructionBlock(each)) }))
  const tokensPerByte = (expected.tokens - expected.media) / Math.max(1, totalBytes(checked.size))
  return {
    ...{ sessionID, agent: agent.name, model: model.ref },
    ...(found.problem === undefined ? {} : { modelProblem: found.problem }),
    ...{ tokens: expected.tokens, margin: expected.margin, media: expected.media },
    shares: sharesOf(deps, messages, checked, model.ref, blocks),
    ...(policy.usable === Infinity ? {} : { limits: limitsOf(checked) }),
    ...{
      auto: policy.auto,
      prune: policy.prune,
      calibration: { bytesPerToken, error, samples, ...(ignored ? { ignored } : {}) },
    },
    instructions: blocks.map(({ path, bytes }) => ({ path, tokens: Math.round(bytes * tokensPerByte) })),
    tools: tools.definitions.length,
    pins: session.pins ?? [],
    compactions: await pastCompactions(deps, sessionID),
    cache: cacheOf(messages),
    prunable: { outputs: prunable.parts.length, tokens: prunable.reclaimed },
  }
}

function cacheOf(messages: readonly MessageWithParts[]): ContextReport["cache"] {
  const steps = messages.flatMap(({ info, parts }) => {
    const time = info.role === "assistant" ? (info.time.completed ?? info.time.created) : 0
    return parts.flatMap((part) =>
      part.type === "step-finish" && part.prefix ? [{ time, bust: part.prefix.bust }] : [],
    )
  })
  return { requests: steps.length, busts: steps.flatMap(({ time, bust }) => (bust ? [{ ...bust, time }] : [])) }
}

/** What was said last decides about tools and the message's own system prompt, as it does for a request. */
function newestUser(
  { ids, now }: ContextReportDeps,
  session: Session,
  messages: readonly MessageWithParts[],
  { agent, model }: { readonly agent: Agent; readonly model: ModelRef },
): UserMessage {
  const newest = messages.findLast((message) => message.info.role === "user" && !isRecord(message))
  const chosen = { agent: agent.name, model }
  if (newest) return { ...(newest.info as UserMessage), ...chosen }
  return { id: ids.message(), sessionID: session.id, role: "user", time: { created: now() }, ...chosen }
}

async function foundModel(
  { findModel }: ContextReportDeps,
  ref: ModelRef,
): Promise<{ readonly model: Model; readonly problem?: string }> {
  try {
    return { model: await findModel(ref) }
  } catch (error) {
    return { model: unknownModel(ref), problem: messageOf(error) }
  }
}

function unknownModel(ref: ModelRef): Model {
  return {
    ref,
    info: {
      ...{ id: ref.modelID, name: ref.modelID, limit: { context: 0, output: 0 } },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      capabilities: { reasoning: false, attachment: false, toolCall: true },
    },
    stream() {
      throw new TypeError(`${ref.providerID}/${ref.modelID} stands for a model that is not known and answers nothing.`)
    },
  }
}

/** Nothing of a report is written. */
const unwritten: Journal = {
  commit: () => Promise.reject(new TypeError("A report writes nothing.")),
  attempt: () => Promise.reject(new TypeError("A report writes nothing.")),
  stage: () => undefined,
  staged: [],
  unwritten: [],
  save: () => undefined,
  settled: () => Promise.resolve(),
}

function sharesOf(
  { arrange, modelMessages }: ContextReportDeps,
  messages: readonly MessageWithParts[],
  { expected, size }: Checked,
  model: ModelRef,
  blocks: readonly { readonly bytes: number }[],
): WindowShares {
  const { lead, talk } = arrange(messages)
  const turn = talk.findLastIndex((message) => isRequest(message))
  const newest = talk.slice(Math.max(0, turn), Math.max(0, turn) + 1)
  // With the message behind them: whether an answer that broke off counts depends on what follows it.
  const before = modelMessages([...lead, ...talk.slice(0, Math.max(0, turn)), ...newest], model)
  // Without messages what rounding leaves is no message.
  const { system, messages: rest } = expected
  const shared = messages.length > 0 ? expected : { ...expected, system: system + rest, messages: 0 }
  return windowShares({
    ...{ expected: shared, size },
    instructionBytes: blocks.reduce((sum, { bytes }) => sum + bytes, 0),
    summaryMessages: modelMessages(lead, model).length,
    newFrom: before.length - modelMessages(newest, model).length,
  })
}

function limitsOf({ policy: { window, usable, soft, hard } }: Checked): NonNullable<ContextReport["limits"]> {
  return { window, usable, soft, hard }
}
