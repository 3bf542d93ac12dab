import { ProviderError } from "../../base/errors.ts"
import type { AskedRequest } from "../../budget/budget.ts"
import { makeRoom } from "../../compaction/overflow.ts"
import type { Write } from "../../contracts/storage.ts"
import { quarantinesSince, quarantineWrites } from "../../media/quarantine.ts"
import { addSpent, figuresOf, type Spent } from "../../record/spent.ts"
import { usagePart } from "../../usage/usage-part.ts"
import { type BrokenAttempt, giveUpWrite, goOnElsewhere, retryPart, retryWrites } from "../retry/broken-attempt.ts"
import { waitToRetry } from "../retry/retry-wait.ts"
import type { FailureDecision } from "./decide.ts"
import type { ReadyStep } from "./prepare.ts"
import type { StepDeps, StepInput, StepScene } from "./step-input.ts"
import { cutOff, nudgeMessage } from "./step-messages.ts"
import { again, COMPACTED, type StepResult, TAKEN } from "./step-result.ts"

/** The request may be sent again. */
export interface Retry {
  readonly type: "retry"
  readonly asked: AskedRequest
}

/** Commits the decision about a failed attempt. `spent`: usage of the step's attempts so far. */
export async function settleFailure(
  deps: StepDeps,
  scene: StepScene,
  { history, user }: StepInput,
  ready: ReadyStep,
  {
    attempt,
    spent,
    decision,
  }: { readonly attempt: BrokenAttempt; readonly spent: Spent; readonly decision: FailureDecision },
): Promise<Retry | StepResult> {
  const { journal, signal, model, fallback } = scene
  const { error, outcome } = attempt
  const message = { ...attempt.message, ...figuresOf(addSpent(spent, scene.generator.spent)) }
  const failed = { ...attempt, message }
  switch (decision.type) {
    case "quarantine":
      await journal.commit([...decision.writes, ...removalWrites(deps, scene, user, ready, spent)])
      scene.cacheLedger.note("quarantine")
      return again("files-quarantined")
    case "make-room":
      try {
        const { checked } = ready
        const room = { scene, journal, history, user, signal, inAdvance: scene.inAdvance, checked }
        const goesOn = await makeRoom(deps, { ...room, refusal: decision.refusal })
        await journal.commit(removalWrites(deps, scene, user, ready, spent))
        return goesOn ? again("room-made") : COMPACTED
      } catch (cause) {
        await journal.commit([giveUpWrite(deps, message, cause)])
        return TAKEN
      }
    case "nudge":
      await journal.commit([...cutOff(deps, message), ...nudgeMessage(deps, user, message.id, decision.text)])
      return TAKEN
    case "give-up": {
      const isTaken = await goOnElsewhere(deps, { journal, user, fallback, model: model.ref }, failed)
      if (!isTaken) await journal.commit([giveUpWrite(deps, message, error, decision)])
      return isTaken && !outcome.called ? again("other-model") : TAKEN
    }
    case "retry":
      return retry(deps, scene, ready, failed, decision.delay)
  }
}

/** Waits, and asks the budget again. If calls ran, they are stored: the next step waits, and sends their results. */
async function retry(
  deps: StepDeps,
  { journal, signal, budget }: StepScene,
  { estimate }: ReadyStep,
  failed: BrokenAttempt,
  delay: number,
): Promise<Retry | StepResult> {
  const { message } = failed
  const part = retryPart(deps, failed, { next: deps.now() + delay })
  await journal.commit(retryWrites(deps, failed, part))
  if (failed.outcome.called) return TAKEN
  if (!(await waitToRetry(deps, part, delay, signal))) {
    await journal.commit([giveUpWrite(deps, message, signal.reason)])
    return TAKEN
  }
  try {
    const asked = await budget.ask(estimate, signal)
    if (asked.type === "asked") return { type: "retry", asked }
    await journal.commit(cutOff(deps, message))
    return { type: "end", end: asked }
  } catch (error) {
    await journal.commit([giveUpWrite(deps, message, error)])
    return TAKEN
  }
}

/** Removes the message of the attempts, and stores their usage with the user's message. */
function removalWrites(
  deps: StepDeps,
  scene: StepScene,
  user: StepInput["user"],
  { message }: ReadyStep,
  spent: Spent,
): Write[] {
  const of = { sessionID: user.sessionID, messageID: user.id, purpose: "retry", model: scene.model.ref } as const
  const part = usagePart(deps, { ...of, agent: scene.agent }, spent)
  scene.budget.told(user.id)
  return [
    { type: "message.remove", messageID: message.id },
    { type: "part.put", part },
  ]
}

/** Maximum retries of a turn without the files that its provider refused. */
const MAX_QUARANTINES = 3

/** Returns the writes that keep refused files out of the next request; empty if the error is not about files. */
export async function quarantine(
  { now }: Pick<StepDeps, "now">,
  { model }: Pick<StepScene, "model">,
  { history, user }: StepInput,
  { request }: Pick<ReadyStep, "request">,
  error: unknown,
): Promise<Write[]> {
  if (!(error instanceof ProviderError)) return []
  if (quarantinesSince(history.messages, user.time.created) >= MAX_QUARANTINES) return []
  const rejected = await model.findRejectedFiles?.(error, request)
  return rejected ? quarantineWrites(history.messages, rejected, now()) : []
}
