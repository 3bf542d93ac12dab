import type { Reservation } from "../../budget/budget.ts"
import { makeRoom } from "../../compaction/overflow.ts"
import type { Write } from "../../contracts/storage.ts"
import type { AssistantMessage } from "../../record/message.ts"
import { addSpent, figuresOf, type Spent } from "../../record/spent.ts"
import { usagePart } from "../../usage/usage-part.ts"
import { type BrokenAttempt, giveUpWrite, retryPart, retryWrites } from "../retry/broken-attempt.ts"
import { waitToRetry } from "../retry/retry-wait.ts"
import type { FailureDecision } from "./decide.ts"
import type { ReadyStep } from "./prepare.ts"
import type { StepDeps, StepHandles, StepInput } from "./step-input.ts"
import { cutOff, nudgeMessage } from "./step-messages.ts"
import { again, COMPACTED, type StepResult, TAKEN } from "./step-result.ts"

/** The request may be sent again. */
export interface Retry {
  readonly type: "retry"
  readonly reservation: Reservation
}

/** A failed attempt and the decision about it. */
export interface SettledFailure {
  readonly step: StepInput
  readonly ready: ReadyStep
  readonly attempt: BrokenAttempt
  /** Usage of the step's attempts so far. */
  readonly spent: Spent
  readonly decision: FailureDecision
}

/** Commits the decision about a failed attempt. */
export async function settleFailure(
  deps: StepDeps,
  run: StepHandles,
  { step, ready, attempt, spent, decision }: SettledFailure,
): Promise<Retry | StepResult> {
  const { store } = deps
  const { journal, policies } = run
  const { context, history, user } = step
  const { error, outcome } = attempt
  const message = { ...attempt.message, ...figuresOf(addSpent(spent, run.generator.spent)) }
  const failed = { ...attempt, message }
  switch (decision.type) {
    case "quarantine":
      await journal.commit([...decision.writes, ...removalWrites(deps, run, step, { message, spent })])
      policies.note("quarantine")
      return again("files-quarantined")
    case "make-room":
      try {
        const overflow = { context, history, user, checked: ready.checked, refusal: decision.refusal }
        const goesOn = await makeRoom(deps, run, overflow)
        await journal.commit(removalWrites(deps, run, step, { message, spent }))
        return goesOn ? again("room-made") : COMPACTED
      } catch (cause) {
        await journal.commit([giveUpWrite(store, message, cause)])
        return TAKEN
      }
    case "nudge":
      await journal.commit([...cutOff(store, message), ...nudgeMessage(store, user, message.id, decision.text)])
      return TAKEN
    case "give-up": {
      const { fallback, model } = context
      const isTaken = await policies.beforeGivingUp(journal, { user, fallback, model: model.ref }, failed)
      if (!isTaken) await journal.commit([giveUpWrite(store, message, error, decision)])
      return isTaken && !outcome.called ? again("other-model") : TAKEN
    }
    case "retry":
      return retry(deps, run, ready, { failed, delay: decision.delay })
  }
}

/** Waits, and asks the budget again. If calls ran, they are stored: the next step waits, and sends their results. */
async function retry(
  deps: StepDeps,
  { journal, signal, budget }: StepHandles,
  { estimate }: Pick<ReadyStep, "estimate">,
  { failed, delay }: { readonly failed: BrokenAttempt; readonly delay: number },
): Promise<Retry | StepResult> {
  const { store } = deps
  const { message } = failed
  const part = retryPart(store, failed, { next: store.now() + delay })
  await journal.commit(retryWrites(store, failed, part))
  if (failed.outcome.called) return TAKEN
  if (!(await waitToRetry(deps, part, delay, signal))) {
    await journal.commit([giveUpWrite(store, message, signal.reason)])
    return TAKEN
  }
  try {
    const reservation = await budget.ask(estimate, signal)
    if (reservation.type === "asked") return { type: "retry", reservation }
    await journal.commit(cutOff(store, message))
    return { type: "end", end: reservation }
  } catch (error) {
    await journal.commit([giveUpWrite(store, message, error)])
    return TAKEN
  }
}

/** Removes the message of the attempts, and stores their usage with the user's message. */
function removalWrites(
  { store }: Pick<StepDeps, "store">,
  { budget }: Pick<StepHandles, "budget">,
  { context: { agent, model }, user }: Pick<StepInput, "context" | "user">,
  { message, spent }: { readonly message: AssistantMessage; readonly spent: Spent },
): Write[] {
  const of = { sessionID: user.sessionID, messageID: user.id, purpose: "retry", model: model.ref } as const
  const part = usagePart(store, { ...of, agent: agent.name }, spent)
  budget.told(user.id)
  return [
    { type: "message.remove", messageID: message.id },
    { type: "part.put", part },
  ]
}
