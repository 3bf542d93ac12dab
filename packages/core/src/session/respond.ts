import { setTimeout as sleep } from "node:timers/promises"
import type { Agent } from "../agent.ts"
import { messageOf, ProviderError, toStoredError } from "../errors.ts"
import type { Model } from "../provider/model.ts"
import { noTokens } from "../provider/usage.ts"
import type { Write } from "../storage/storage.ts"
import { buildContext, type ContextDeps } from "./context.ts"
import type { History } from "./history.ts"
import { isAssistant } from "./next-action.ts"
import type { AssistantMessage, MessageWithParts, UserMessage } from "./message.ts"
import { type ProcessorDeps, type ProcessorScene, processStep, type StepOutcome } from "./processor.ts"
import { retryDecision } from "./retry.ts"

export interface RespondDeps extends ProcessorDeps, ContextDeps {
  /** 0 to 1. */
  readonly random: () => number
}

/** What the steps of a run have in common. */
export interface RunScene extends ProcessorScene {
  readonly agent: string
  readonly settings: Agent
  readonly model: Model
  readonly system: readonly string[]
}

/**
 * One step: context, model, processor. An answer that breaks off is asked for again after a delay, as long as the
 * retry policy says so; what came of it is removed first, unless tools have run upon it.
 */
export async function respond(
  deps: RespondDeps,
  scene: RunScene,
  history: History,
  user: UserMessage,
  isLastStep: boolean,
): Promise<void> {
  const { settings, model, tools, system, journal } = scene
  const input = { history, user, agent: settings, model, tools, system, isLastStep, signal: scene.signal }
  const message = newMessage(deps, scene, history, user)
  await journal.commit([{ type: "message.put", message }, startPart(deps, message)])
  const request = await buildContext(deps, input).catch((error: unknown) => {
    return journal.commit([failed(deps, message, error)])
  })
  if (!request) return

  const began = performance.now()
  for (let failures = failuresBefore(history.messages) + 1; ; failures++) {
    const outcome = await processStep(deps, scene, { message, model, request })
    if (outcome.type !== "failed") return
    const { error } = outcome
    const decision =
      error instanceof ProviderError
        ? retryDecision(error, { failed: failures, elapsed: performance.now() - began }, deps.random())
        : ({ type: "give-up" } as const)
    if (decision.type === "give-up") return journal.commit([failed(deps, message, error, decision.reason)])

    const next = deps.now() + decision.delay
    const status = { type: "retry", attempt: failures, message: messageOf(error), next } as const
    await journal.commit(retryWrites(deps, message, outcome, failures))
    deps.bus.publish("session.status", { sessionID: message.sessionID, status })
    await sleep(decision.delay, undefined, { signal: scene.signal }).catch(() => undefined)
    if (scene.signal.aborted)
      return outcome.called ? undefined : journal.commit([failed(deps, message, scene.signal.reason)])
    deps.bus.publish("session.status", { sessionID: message.sessionID, status: { type: "busy" } })
    // The tools' results are stored: the next step asks with them.
    if (outcome.called) return
  }
}

function newMessage(deps: RespondDeps, scene: RunScene, history: History, user: UserMessage): AssistantMessage {
  const { providerID, modelID } = scene.model.ref
  return {
    id: deps.ids.message(history.messages.at(-1)?.info.id),
    sessionID: history.session.id,
    role: "assistant",
    parentID: user.id,
    providerID,
    modelID,
    agent: scene.agent,
    mode: scene.agent,
    path: { cwd: scene.directory, root: scene.worktree },
    cost: 0,
    tokens: noTokens,
    time: { created: deps.now() },
  }
}

function startPart({ ids }: RespondDeps, { id, sessionID }: AssistantMessage): Write {
  return { type: "part.put", part: { id: ids.part(), sessionID, messageID: id, type: "step-start" } }
}

/** The failure becomes visible; where tools have run the message is over, else what came of it goes. */
function retryWrites(
  { ids, now }: RespondDeps,
  message: AssistantMessage,
  { error, called, partIDs }: Extract<StepOutcome, { type: "failed" }>,
  attempt: number,
): Write[] {
  const { id: messageID, sessionID } = message
  const part = { id: ids.part(partIDs.at(-1)), sessionID, messageID, type: "retry" } as const
  const retry: Write = {
    type: "part.put",
    part: { ...part, attempt, error: toStoredError(error), time: { created: now() } },
  }
  if (!called) return [...partIDs.map((partID): Write => ({ type: "part.remove", messageID, partID })), retry]
  const time = { ...message.time, completed: now() }
  return [retry, { type: "message.put", message: { ...message, finish: "unknown", time } }]
}

function failed({ now }: RespondDeps, message: AssistantMessage, error: unknown, reason?: string): Write {
  const stored = toStoredError(error)
  const text = reason === undefined ? stored.data.message : `${stored.data.message} ${reason}`
  return {
    type: "message.put",
    message: {
      ...message,
      finish: "error",
      error: { ...stored, data: { ...stored.data, message: text } },
      time: { ...message.time, completed: now() },
    },
  }
}

/** Answers in a row that broke off after their tools had run: they count against the same budget. */
function failuresBefore(messages: readonly MessageWithParts[]): number {
  let failures = 0
  for (const { info, parts } of messages.toReversed()) {
    const broke = isAssistant({ info, parts }) && parts.at(-1)?.type === "retry"
    if (!broke) break
    failures++
  }
  return failures
}
