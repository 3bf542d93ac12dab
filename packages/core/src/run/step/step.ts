import { addSpent, nothingSpent } from "../../record/spent.ts"
import { judgedFailure } from "../retry/provider-failure.ts"
import { decideAfterFailure } from "./decide.ts"
import { prepareStep } from "./prepare.ts"
import { processStep } from "./processor.ts"
import { settleFailure } from "./settle.ts"
import type { StepDeps, StepHandles, StepInput } from "./step-input.ts"
import { type StepResult, TAKEN } from "./step-result.ts"

/** Takes a step: prepares the request, and sends it until an attempt settles. */
export async function takeStep(deps: StepDeps, run: StepHandles, step: StepInput): Promise<StepResult> {
  const ready = await prepareStep(deps, run, step)
  if (ready.type !== "ready") return ready
  const { message, request, before } = ready
  const { context, history, user } = step
  const { model } = context
  const began = performance.now() - before.elapsed
  let { reservation } = ready
  let spent = nothingSpent
  for (let number = before.failed + 1; ; number++) {
    const outcome = await processStep(deps, run, { context, history, ...ready, reservation, spent })
    if (outcome.type === "settled") return TAKEN
    spent = addSpent(spent, outcome.spent)
    const error = await judgedFailure(deps.hooks, run.signal, { context, message, attempt: number }, outcome.error)
    const elapsed = performance.now() - began
    const refused = { model, request, messages: history.messages, since: user.time.created }
    const quarantine = await run.policies.afterFailure(error, refused)
    const failure = { error, called: outcome.called, attempt: number, elapsed, quarantine }
    const decision = decideAfterFailure(failure, deps.models.retry, deps.models.random())
    const attempt = { message, outcome, error, attempt: number, elapsed }
    const next = await settleFailure(deps, run, { step, ready, attempt, spent, decision })
    if (next.type !== "retry") return next
    ;({ reservation } = next)
  }
}
