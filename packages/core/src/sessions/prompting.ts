import { type Agent, buildAgent, chooseAgent, type Chooser, findAgent } from "../agents/agent.ts"
import { NotFoundError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import { requireVariant, storedVariant, variantChange } from "../contracts/variant.ts"
import { admit, type AdmitDeps, writtenText } from "../inbox/admit.ts"
import { type PromptInput } from "../contracts/prompt.ts"
import { type QueueDeps, queuedPrompts } from "../inbox/deliver.ts"
import type { RunLimits } from "../budget/limits.ts"
import type { ModelRef, Session } from "../record/message.ts"
import { requirePrompt } from "../inbox/require-prompt.ts"
import type { RunResult } from "../run/run-result.ts"
import type { Runs, StartOptions } from "../run/run-api.ts"
import { storeOnly, type StoreOnlyDeps } from "./store-only.ts"
import type { Titles } from "./titles.ts"
import type { DeliveryMode } from "../record/waiting.ts"

export type PromptRequest = Omit<PromptInput, "agent" | "model"> & {
  readonly agent?: string
  readonly model?: ModelRef
  /** For a session at work: at the next step, after the turn, or at once in place of the step under way. */
  readonly delivery?: DeliveryMode
  /** Stores the message and begins no run: it is read with the next prompt. Resolves with type `stored`. */
  readonly noReply?: boolean
  /** Who chose the agent. Default: the user, who has no subagents and hidden agents to choose from. */
  readonly by?: Extract<Chooser, "user" | "program">
  /** Of the run that this begins; limits that are not named are those of the engine's options. */
  readonly limits?: RunLimits
}

export interface PromptingDeps extends AdmitDeps, Omit<StoreOnlyDeps, "storage" | "deadlines" | "runs"> {
  readonly storage: AdmitDeps["storage"] & StoreOnlyDeps["storage"] & QueueDeps["storage"]
  readonly deadlines: AdmitDeps["deadlines"] & StoreOnlyDeps["deadlines"]
  /** The model of prompts that name none. */
  readonly model: ModelRef | undefined
}

/** Who works on a prompt. */
export interface Workers {
  readonly runs: Pick<Runs, "start" | "send" | "has">
  readonly titles: Pick<Titles, "isWanted" | "begin">
  readonly getSession: (id: SessionID) => Promise<Session>
  /** Aborts once nothing is begun any more. */
  readonly closing: AbortSignal
}

/** Has a prompt stored, and answered unless it says otherwise. What it promises stands with the engine's `prompt`. */
export async function prompt(
  deps: PromptingDeps,
  { runs, titles, getSession, closing }: Workers,
  { delivery, limits, noReply, by = "user", ...input }: PromptRequest,
): Promise<RunResult> {
  // What hooks may fill is judged when they have.
  const isOpen = deps.hooks.has("chat.message") || (input.command && deps.hooks.has("command.execute.before"))
  if (!isOpen) requirePrompt(input.parts, { command: input.command, isUnanswered: noReply === true })
  const session = await getSession(input.sessionID)
  const chosen = input.agent === undefined ? undefined : chooseAgent(deps.agents, input.agent, by)
  const { agent, model } = agentAndModel(deps, session, { agent: chosen, model: input.model })
  const found = await deps.findModel(model)
  if (input.variant !== undefined) requireVariant(found, input.variant)
  // While a session is at work the prompt waits for its turn.
  if (!noReply && !runs.has(session.id)) openAhead(found)
  // Who asks for an agent that has a variant of its own wants both.
  const wanted = input.variant ?? chosen?.variant ?? session.variant ?? agent.variant
  const change = variantChange(found, wanted)
  if (change !== undefined) deps.bus.publish("session.notice", { sessionID: session.id, message: change })
  const asked = { ...input, agent: agent.name, model, ...storedVariant(found.info, wanted) }
  const prepare: StartOptions["prepare"] = async (run) => {
    const messageID = await admit(deps, asked, run)
    if (!titles.isWanted(session)) return
    const titled = { budget: run.budget, model, messageID }
    // The user waits for the answer: its request comes first, and takes the connection that was opened ahead.
    run.onceRequested(() => titles.begin(session.id, writtenText(input.parts), titled))
  }
  const isDraft = deps.drafts.has(session.id) && !runs.has(session.id)
  if (noReply && isDraft) {
    const messageID = await admit(deps, asked, { signal: closing, isQueued: false, isUnanswered: true })
    return { type: "stored", messageID }
  }
  if (noReply) {
    const messageID = await storeOnly({ ...deps, runs }, session.id, (run) => admit(deps, asked, run))
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
      const messageID = await admit(deps, asked, admission)
      const isWaiting = (await queuedPrompts(deps, session.id)).some(({ info }) => info.id === messageID)
      return { messageID, isUrgent: delivery === "interrupt" && isWaiting }
    },
  })
}

/** Who is to answer in the session: those that were chosen, else its own. Throws NotFoundError where there is no model. */
export function agentAndModel(
  deps: Pick<PromptingDeps, "agents" | "model">,
  session: Session,
  chosen: { readonly agent?: Agent | undefined; readonly model?: ModelRef | undefined },
): { readonly agent: Agent; readonly model: ModelRef } {
  const agent = chosen.agent ?? findAgent(deps.agents, session.agent ?? buildAgent.name)
  const model = chosen.model ?? agent.model ?? session.model ?? deps.model
  if (!model) throw new NotFoundError("No model is chosen: name one, or set one in the engine's options.")
  return { agent, model }
}

/** Others' models may fail here, against their contract; the request that follows tells why it cannot be sent. */
function openAhead(model: Model): void {
  void (async () => model.connect?.())().catch(() => undefined)
}
