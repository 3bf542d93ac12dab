import { type Agent, buildAgent, chooseAgent, type Chooser, findAgent } from "../agents/agent.ts"
import { NotFoundError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import { requireVariant, storedVariant, variantChange } from "../contracts/variant.ts"
import { admit, type AdmitDeps, writtenText } from "../inbox/admit.ts"
import { type PromptInput } from "../contracts/prompt.ts"
import { queuedPrompts } from "../inbox/deliver.ts"
import type { RunLimits } from "../budget/limits.ts"
import type { ModelRef, Session } from "../record/message.ts"
import { requirePrompt } from "../inbox/require-prompt.ts"
import type { RunResult } from "../run/run-result.ts"
import type { Runs, StartOptions } from "../run/run-api.ts"
import { storeOnly } from "./store-only.ts"
import type { Titles } from "./titles.ts"
import type { DeliveryMode } from "../record/waiting.ts"

export type PromptRequest = Omit<PromptInput, "agent" | "model"> & {
  readonly agent?: string
  readonly model?: ModelRef
  /** Delivery to a running session: at the next step, after the turn, or at once instead of the current step. */
  readonly delivery?: DeliveryMode
  /** Stores the message and begins no run; the model reads it with the next prompt. Resolves with type `stored`. */
  readonly noReply?: boolean
  /** The caller that chose the agent. Default: `user`, who may not choose subagents and hidden agents */
  readonly by?: Extract<Chooser, "user" | "program">
  /** Limits of a new run. Default for each: the limit in the engine's options */
  readonly limits?: RunLimits
}

export interface PromptingDeps extends AdmitDeps {
  readonly settings: () => ReturnType<AdmitDeps["settings"]> & {
    /** The model of prompts without a model. */
    readonly model: ModelRef | undefined
  }
}

/** Services that work on a prompt. */
export interface Workers {
  readonly runs: Pick<Runs, "start" | "send" | "has">
  readonly titles: Pick<Titles, "isWanted" | "begin">
  readonly getSession: (id: SessionID) => Promise<Session>
  /** Aborts when the engine begins no more work. */
  readonly closing: AbortSignal
}

/** Stores a prompt, and answers it unless `noReply` is set. The engine's `prompt` has the contract. */
export async function prompt(
  deps: PromptingDeps,
  { runs, titles, getSession, closing }: Workers,
  { delivery, limits, noReply, by = "user", ...input }: PromptRequest,
): Promise<RunResult> {
  // A prompt that hooks may fill is checked after the hooks.
  const isOpen = deps.hooks.has("chat.message") || (input.command && deps.hooks.has("command.execute.before"))
  if (!isOpen) requirePrompt(input.parts, { command: input.command, isUnanswered: noReply === true })
  const session = await getSession(input.sessionID)
  const chosen = input.agent === undefined ? undefined : chooseAgent(deps.settings().agents, input.agent, by)
  const { agent, model } = agentAndModel(deps, session, { agent: chosen, model: input.model })
  const found = await deps.models.findModel(model)
  if (input.variant !== undefined) requireVariant(found, input.variant)
  // In a running session the prompt waits, so do not connect yet.
  if (!noReply && !runs.has(session.id)) openAhead(found)
  // Choosing an agent also selects that agent's variant.
  const wanted = input.variant ?? chosen?.variant ?? session.variant ?? agent.variant
  const change = variantChange(found, wanted)
  if (change !== undefined) deps.store.bus.publish("session.notice", { sessionID: session.id, message: change })
  const complete = { ...input, agent: agent.name, model, ...storedVariant(found.info, wanted) }
  const prepare: StartOptions["prepare"] = async (run) => {
    const messageID = await admit(deps, complete, run)
    if (!titles.isWanted(session)) return
    const titled = { budget: run.budget, model, messageID }
    // The user waits for the answer, so its request is sent first, on the connection that was opened ahead.
    run.onceRequested(() => titles.begin(session.id, writtenText(input.parts), titled))
  }
  const isDraft = deps.store.drafts.has(session.id) && !runs.has(session.id)
  if (noReply && isDraft) {
    const messageID = await admit(deps, complete, { signal: closing, isQueued: false, isUnanswered: true })
    return { type: "stored", messageID }
  }
  if (noReply) {
    const messageID = await storeOnly({ ...deps.store, runs }, session.id, (run) => admit(deps, complete, run))
    return { type: "stored", messageID }
  }
  const bounds = limits ? { limits } : {}
  if (isDraft) return runs.start(session.id, { create: prepare, ...bounds })
  if (!delivery) return runs.start(session.id, { prepare, ...bounds })
  return runs.send(session.id, {
    ...{ prepare, ...bounds },
    async store() {
      const isAgentOpen = input.agent === undefined
      const admission = { signal: closing, isQueued: true, waits: delivery, isAgentOpen }
      const messageID = await admit(deps, complete, admission)
      const isWaiting = (await queuedPrompts(deps.store, session.id)).some(({ info }) => info.id === messageID)
      return { messageID, isUrgent: delivery === "interrupt" && isWaiting }
    },
  })
}

/**
 * Returns the agent and model for the session: the chosen ones, else the session's. Throws NotFoundError without a
 * model.
 */
export function agentAndModel(
  { settings }: Pick<PromptingDeps, "settings">,
  session: Session,
  chosen: { readonly agent?: Agent | undefined; readonly model?: ModelRef | undefined },
): { readonly agent: Agent; readonly model: ModelRef } {
  const { agents, model: usual } = settings()
  const agent = chosen.agent ?? findAgent(agents, session.agent ?? buildAgent.name)
  const model = chosen.model ?? agent.model ?? session.model ?? usual
  if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
  return { agent, model }
}

/**
 * Opens the connection ahead. Ignores errors of third-party models, because the request that follows reports the cause.
 */
function openAhead(model: Model): void {
  void (async () => model.connect?.())().catch(() => undefined)
}
