import { RepetitionError } from "../../base/errors.ts"
import { lazy } from "../../base/lazy.ts"
import type { AskedRequest } from "../../budget/budget.ts"
import { tellUnpriced } from "../../budget/unpriced.ts"
import { createPromptTraces } from "../../cache/cache-monitor.ts"
import { shareAnswer } from "../../compaction/cut-results.ts"
import { makeRoom, tidy } from "../../compaction/overflow.ts"
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
import type { StepDeps, StepInput, StepScene } from "./step-input.ts"
import { newMessage, nudgeMessage, startPart } from "./step-messages.ts"
import { again, COMPACTED, type StepResult, TAKEN } from "./step-result.ts"

/** A request that may be sent: it fits, its cost is reserved, and its message is stored. */
export interface ReadyStep {
  readonly type: "ready"
  readonly message: AssistantMessage
  readonly request: ModelRequest
  readonly checked: Checked
  readonly estimate: () => Estimate
  readonly asked: AskedRequest
  /** Attempts that failed before this process took the step, with their milliseconds. */
  readonly before: { readonly failed: number; readonly elapsed: number }
}

/**
 * Waits, cuts results, measures the request, makes room, and reserves its cost. Commits the message that will hold the
 * answer.
 */
export async function prepareStep(deps: StepDeps, scene: StepScene, step: StepInput): Promise<ReadyStep | StepResult> {
  const { history, user } = step
  const { journal, model, signal } = scene
  const message = newMessage(deps, scene, history, user)
  const giveUp = async (error: unknown) => {
    await journal.commit([{ type: "message.put", message }, giveUpWrite(deps, message, error)])
    return TAKEN
  }
  const before = attemptsBefore(history.messages, model.ref)
  // The loop handles the abort on its next iteration.
  if (!(await restOfWait(deps, before, signal))) return again("wait-aborted")
  const repeated = scene.repetition.answer()
  if (repeated.type === "stop") return giveUp(new RepetitionError(repeated.message, "stop"))
  if (repeated.type === "nudge") {
    await journal.commit(nudgeMessage(deps, user, message.id, repeated.message))
    return again("nudged")
  }
  const cuts = await shareAnswer(deps, scene, history)
  if (cuts.length > 0) {
    await journal.commit(cuts)
    return again("results-cut")
  }
  try {
    return await readyStep(deps, scene, step, { message, before })
  } catch (error) {
    return giveUp(error)
  }
}

async function readyStep(
  deps: StepDeps,
  scene: StepScene,
  step: StepInput,
  { message, before }: Pick<ReadyStep, "message" | "before">,
): Promise<ReadyStep | StepResult> {
  const { history, user } = step
  const { settings: agent, model, tools, system, journal, signal, rootSessionID, cacheLedger } = scene
  const input = { history, rootSessionID, user, agent, model, tools, system, isLastStep: step.isLast, signal }
  const traces = createPromptTraces()
  const checked = await checkPrompt(deps, input, traces)
  const { expected, policy, prompt } = checked
  const room = { scene, journal, history, user, signal, inAdvance: scene.inAdvance, checked }
  if (expected.tokens >= policy.hard && !step.isSkipped) {
    return (await makeRoom(deps, room)) ? again("room-made") : COMPACTED
  }
  if (step.isFirst && (await tidy(deps, room))) return again("room-made")
  const output = clampOutput(policy.maxOutput, policy.window, expected.tokens + expected.margin)
  const sent = { expected, maxOutput: model.info.limit.output > 0 ? output : 0 }
  const estimate = lazy(() => estimateOf({ ...sent, last: lastTokens(history.messages, model.ref) }, model.info))
  tellUnpriced(deps.bus, scene.budget, message.sessionID, model)
  const asked = await scene.budget.ask(estimate, signal)
  if (asked.type !== "asked") return { type: "end", end: asked }
  try {
    await journal.commit([
      { type: "message.put", message },
      { type: "part.put", part: startPart(deps, message, headToStore(scene.head)) },
    ])
    const request = await buildRequest(deps, input, prompt, output)
    const { cacheTTL } = policy
    const { variant } = message
    cacheLedger.sending({ request, model, variant, history, traces, tools, agent: scene.agent, cacheTTL })
    return { type: "ready", message, request, checked, estimate, asked, before }
  } catch (error) {
    asked.over()
    throw error
  }
}
