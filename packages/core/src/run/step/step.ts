import { addSpent, nothingSpent } from "../../record/spent.ts"
import { judgedFailure } from "../retry/provider-failure.ts"
import { callContext } from "./call-context.ts"
import { decideAfterFailure } from "./decide.ts"
import { prepareStep } from "./prepare.ts"
import { processStep } from "./processor.ts"
import { quarantine, settleFailure } from "./settle.ts"
import type { StepDeps, StepInput, StepScene } from "./step-input.ts"
import { type StepResult, TAKEN } from "./step-result.ts"

/** Takes a step: prepares the request, and sends it until an attempt settles. */
export async function takeStep(deps: StepDeps, scene: StepScene, step: StepInput): Promise<StepResult> {
  const ready = await prepareStep(deps, scene, step)
  if (ready.type !== "ready") return ready
  const { message, checked, before } = ready
  const { model, signal, agent, rootSessionID } = scene
  const onAnswer = () => {
    scene.onAnswer()
    scene.inAdvance.consider({ scene, journal: scene.journal, history: step.history, checked })
    scene.cacheLedger.answered()
  }
  const answering = { ...scene, ...callContext(deps, scene, step.history), onAnswer }
  const began = performance.now() - before.elapsed
  let { asked } = ready
  let spent = nothingSpent
  for (let attempt = before.failed + 1; ; attempt++) {
    const sent = { ...ready, model, asked, cacheLedger: scene.cacheLedger, before: spent }
    const outcome = await processStep(deps, answering, sent)
    if (outcome.type === "settled") return TAKEN
    spent = addSpent(spent, outcome.spent)
    const about = { sessionID: message.sessionID, rootSessionID, agent, model: model.ref }
    const error = await judgedFailure(deps, { ...about, messageID: message.id, attempt }, outcome.error, signal)
    const elapsed = performance.now() - began
    const rejected = await quarantine(deps, scene, step, ready, error)
    const failure = { error, called: outcome.called, attempt, elapsed, quarantine: rejected }
    const decision = decideAfterFailure(failure, deps.retry, deps.random())
    const broken = { message, outcome, error, attempt, elapsed }
    const next = await settleFailure(deps, scene, step, ready, { attempt: broken, spent, decision })
    if (next.type !== "retry") return next
    ;({ asked } = next)
  }
}
