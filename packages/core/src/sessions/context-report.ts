import type { Agent } from "../agents/agent.ts"
import { isRequest } from "../record/request-order.ts"
import { isRecord } from "../record/compaction-record.ts"
import type { CacheBust } from "../contracts/cache-bust.ts"
import { windowShares, type WindowShares } from "../cache/window-shares.ts"
import { instructionBlock } from "../workspace/render-instructions.ts"
import type { SelectPrunable } from "../compaction/prune/select-prunable.ts"
import type { Calibration } from "../measure/calibration.ts"
import { textBytes, totalBytes } from "../measure/measure.ts"
import { messageOf } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import { openHistory } from "../store/history.ts"
import type { MessageWithParts, ModelRef, Session, UserMessage } from "../record/message.ts"
import { type PastCompaction, pastCompactions } from "./past-compactions.ts"
import type { Pin } from "./pins.ts"
import { type Checked, checkPrompt } from "../request/preflight.ts"
import type { RequestDeps } from "../request/request-deps.ts"
import type { Store } from "../store/store.ts"
import { type WorkspaceDeps, readWorkspace } from "../workspace/workspace.ts"
import { type ContextsDeps, type ContextSettings, createStepContexts } from "../run/step/contexts.ts"

/** Contents of the next request of a session, without the next prompt. Tokens are estimates. */
export interface ContextReport {
  readonly sessionID: SessionID
  readonly agent: string
  readonly model: ModelRef
  /** Set if the model cannot be used. */
  readonly modelProblem?: string
  /** Tokens of the whole request. `margin`: tokens by which this may be too low. */
  readonly tokens: number
  readonly margin: number
  /** Shares that add up to `tokens`, including images and documents. */
  readonly shares: WindowShares
  /** Tokens of images and documents only. */
  readonly media: number
  /**
   * Tokens of the model's window and of the usable part, and the thresholds at which summaries are prepared (`soft`)
   * and applied (`hard`). Missing if the window is not known.
   */
  readonly limits?: {
    readonly window: number
    readonly usable: number
    readonly soft: number
    readonly hard: number
  }
  /** Set if compactions are automatic. `prune`: set if old outputs are cleared automatically. */
  readonly auto: boolean
  readonly prune: boolean
  /** Calibration of the estimates. `samples`: number of answers that it was learned from; `error`: average error. */
  readonly calibration: Calibration
  /** Instruction files in the order in which the model reads them. */
  readonly instructions: readonly { readonly path: string; readonly tokens: number }[]
  readonly tools: number
  /** Oldest first. */
  readonly pins: readonly Pin[]
  /** Oldest first. */
  readonly compactions: readonly PastCompaction[]
  /** Number of requests since the start of the context, and those that missed the cache, oldest first. */
  readonly cache: { readonly requests: number; readonly busts: readonly PastBust[] }
  /** Old outputs of tools that could be cleared now. */
  readonly prunable: { readonly outputs: number; readonly tokens: number }
}

/** A request for which the provider could not reuse its cache. */
export interface PastBust extends Omit<CacheBust, "sessionID" | "reason"> {
  readonly reason: string
  /** Time at which the answer was complete, in epoch milliseconds. */
  readonly time: number
}

export interface ContextReportDeps extends ContextsDeps, RequestDeps, Pick<WorkspaceDeps, "workspace"> {
  readonly store: Store
  readonly requests: RequestDeps["requests"] & { readonly selectPrunable: SelectPrunable }
  readonly settings: () => ContextSettings & { readonly instructionFiles: readonly string[] }
}

/**
 * Reports the contents of the next request. Sends nothing, runs no tool and stores nothing. Calls the request hooks.
 */
export async function contextReport(
  deps: ContextReportDeps,
  sessionID: SessionID,
  choice: { readonly agent: Agent; readonly model: ModelRef },
): Promise<ContextReport> {
  const { session, messages } = await openHistory(deps.store, sessionID)
  const user = newestUser(deps.store, session, messages, choice)
  const found = await foundModel(deps.models, user.model)
  const { signal } = new AbortController()
  const { bus, roots } = deps.store
  const workspace = readWorkspace({ settings: deps.settings, bus, workspace: deps.workspace }, session)
  const rootSessionID = await roots.of(sessionID)
  const contexts = createStepContexts(
    { ...deps, models: { findModel: async () => found.model } },
    { session, workspace, rootSessionID, signal },
  )
  const hooks = deps.hooks.hold()
  const context = await contexts.of(user, messages, hooks).finally(hooks.release)
  const { agent, model, tools } = context
  const history = { session, messages }
  const checked = await checkPrompt(deps, { context, history, user, isLastStep: false, signal })
  const { expected, policy } = checked
  const { bytesPerToken, error, samples, ignored } = checked.calibration
  const prunable = deps.requests.selectPrunable(messages, { bytesPerToken, model, usable: policy.usable })
  const { instructions } = await workspace.read()
  const blocks = instructions.map((each) => ({ path: each.path, bytes: textBytes(instructionBlock(each)) }))
  const tokensPerByte = (expected.tokens - expected.media) / Math.max(1, totalBytes(checked.size))
  return {
    ...{ sessionID, agent: agent.name, model: model.ref },
    ...(found.problem === undefined ? {} : { modelProblem: found.problem }),
    ...{ tokens: expected.tokens, margin: expected.margin, media: expected.media },
    shares: sharesOf(deps.requests, messages, checked, model.ref, blocks),
    ...(policy.usable === Infinity ? {} : { limits: limitsOf(checked) }),
    ...{
      auto: policy.auto,
      prune: policy.prune,
      calibration: { bytesPerToken, error, samples, ...(ignored ? { ignored } : {}) },
    },
    instructions: blocks.map(({ path, bytes }) => ({ path, tokens: Math.round(bytes * tokensPerByte) })),
    tools: tools.definitions.length,
    pins: session.pins ?? [],
    compactions: await pastCompactions(deps.store, sessionID),
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

/** Returns the newest user message, which decides about tools and the message's own system prompt. */
function newestUser(
  { ids, now }: Pick<Store, "ids" | "now">,
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
  { findModel }: ContextReportDeps["models"],
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

function sharesOf(
  { arrange, modelMessages }: RequestDeps["requests"],
  messages: readonly MessageWithParts[],
  { expected, size }: Checked,
  model: ModelRef,
  blocks: readonly { readonly bytes: number }[],
): WindowShares {
  const { summaryMessages, conversation } = arrange(messages)
  const turn = conversation.findLastIndex((message) => isRequest(message))
  const newest = conversation.slice(Math.max(0, turn), Math.max(0, turn) + 1)
  // Include the next message, because it decides whether an incomplete answer counts.
  const before = modelMessages([...summaryMessages, ...conversation.slice(0, Math.max(0, turn)), ...newest], model)
  // Without messages, count the rounding rest as system prompt.
  const { system, messages: rest } = expected
  const shared = messages.length > 0 ? expected : { ...expected, system: system + rest, messages: 0 }
  return windowShares({
    ...{ expected: shared, size },
    instructionBytes: blocks.reduce((sum, { bytes }) => sum + bytes, 0),
    summaryMessages: modelMessages(summaryMessages, model).length,
    newFrom: before.length - modelMessages(newest, model).length,
  })
}

function limitsOf({ policy: { window, usable, soft, hard } }: Checked): NonNullable<ContextReport["limits"]> {
  return { window, usable, soft, hard }
}
