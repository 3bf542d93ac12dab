import { RepetitionError } from "../../base/errors.ts"
import { lazy } from "../../base/lazy.ts"
import type { Reservation } from "../../budget/budget.ts"
import { tellUnpriced } from "../../budget/unpriced.ts"
import { createPromptTraces } from "../../cache/cache-monitor.ts"
import { shareAnswer } from "../../compaction/cut-results.ts"
import { makeRoom, pruneIfWorthwhile } from "../../compaction/overflow.ts"
import type { ModelRequest } from "../../contracts/model.ts"
import { clampOutput } from "../../measure/overflow-policy.ts"
import type { AssistantMessage } from "../../record/message.ts"
import { buildRequest } from "../../request/context.ts"
import { headToStore } from "../../request/context-head.ts"
import { type Checked, checkPrompt } from "../../request/preflight.ts"
import { type Estimate, estimateOf, lastTokens } from "../../usage/estimate.ts"
import { attemptsBefore } from "../retry/attempts.ts"
import { giveUpWrite } from "../retry/broken-attempt.ts"
import { restOfWait } from "../retry/retry-wait.ts"
import type { StepDeps, StepHandles, StepInput } from "./step-input.ts"
import { newMessage, nudgeMessage, startPart } from "./step-messages.ts"
import { again, COMPACTED, type StepResult, TAKEN } from "./step-result.ts"

/** A request that may be sent: it fits, its cost is reserved, and its message is stored. */
export interface ReadyStep {
  readonly type: "ready"
  readonly message: AssistantMessage
  readonly request: ModelRequest
  readonly checked: Checked
  readonly estimate: () => Estimate
  readonly reservation: Reservation
  /** Attempts that failed before this process took the step, with their milliseconds. */
  readonly before: { readonly failed: number; readonly elapsed: number }
}

/**
 * Waits, cuts results, measures the request, makes room, and reserves its cost. Commits the message that will hold the
 * answer.
 */
export async function prepareStep(deps: StepDeps, run: StepHandles, step: StepInput): Promise<ReadyStep | StepResult> {
  const { store } = deps
  const { context, history, user } = step
  const { journal, signal, policies } = run
  const message = newMessage(store, context, history, user)
  const giveUp = async (error: unknown) => {
    await journal.commit([{ type: "message.put", message }, giveUpWrite(store, message, error)])
    return TAKEN
  }
  const before = attemptsBefore(history.messages, context.model.ref)
  // The loop handles the abort on its next iteration.
  if (!(await restOfWait(deps, before, signal))) return again("wait-aborted")
  const repeated = policies.beforePrompt()
  if (repeated.type === "stop") return giveUp(new RepetitionError(repeated.message, "stop"))
  if (repeated.type === "nudge") {
    await journal.commit(nudgeMessage(store, user, message.id, repeated.message))
    return again("nudged")
  }
  const cuts = await shareAnswer(deps, context, history, signal)
  if (cuts.length > 0) {
    await journal.commit(cuts)
    return again("results-cut")
  }
  try {
    return await readyStep(deps, run, step, { message, before })
  } catch (error) {
    return giveUp(error)
  }
}

async function readyStep(
  deps: StepDeps,
  run: StepHandles,
  step: StepInput,
  { message, before }: Pick<ReadyStep, "message" | "before">,
): Promise<ReadyStep | StepResult> {
  const { store } = deps
  const { context, history, user } = step
  const { agent, model, tools, head } = context
  const { journal, signal, budget, policies } = run
  const input = { context, history, user, isLastStep: step.isLast, signal }
  const traces = createPromptTraces()
  const checked = await checkPrompt(deps, input, traces)
  const { expected, policy, prompt } = checked
  const overflow = { context, history, user, checked }
  if (expected.tokens >= policy.hard && !step.isSkipped) {
    return (await makeRoom(deps, run, overflow)) ? again("room-made") : COMPACTED
  }
  if (step.isFirst && (await pruneIfWorthwhile(deps, run, overflow))) return again("room-made")
  const output = clampOutput(policy.maxOutput, policy.window, expected.tokens + expected.margin)
  const sent = { expected, maxOutput: model.info.limit.output > 0 ? output : 0 }
  const estimate = lazy(() => estimateOf({ ...sent, last: lastTokens(history.messages, model.ref) }, model.info))
  tellUnpriced(store.bus, budget, message.sessionID, model)
  const reservation = await budget.ask(estimate, signal)
  if (reservation.type !== "asked") return { type: "end", end: reservation }
  try {
    await journal.commit([
      { type: "message.put", message },
      { type: "part.put", part: startPart(store, message, headToStore(head)) },
    ])
    const request = await buildRequest(deps, input, prompt, output)
    const { cacheTTL } = policy
    const { variant } = message
    policies.beforeSend({ request, model, variant, history, traces, tools, agent: agent.name, cacheTTL })
    return { type: "ready", message, request, checked, estimate, reservation, before }
  } catch (error) {
    reservation.over()
    throw error
  }
}
