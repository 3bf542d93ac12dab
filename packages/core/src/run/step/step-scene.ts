import type { ContextHeads } from "../../request/context-head.ts"
import { createGenerator, type GeneratorDeps } from "../../generate/generate.ts"
import type { Budget } from "../../budget/budget.ts"
import type { MessageWithParts, UserMessage } from "../../record/message.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"
import type { SharedScene } from "./contexts.ts"
import { type HeadDeps, withHead } from "./step-head.ts"
import { whileAlive } from "../../base/while-alive.ts"

export interface StepRun {
  readonly heads: ContextHeads
  readonly budget: Budget
  readonly alive: () => void
  /** Milliseconds that the runs above wait for a signal of progress. */
  readonly patience: number
}

/** Returns the scene of a step that begins with these messages and answers `message`. */
export function forStep(
  deps: GeneratorDeps & HeadDeps,
  { heads, budget, alive, patience }: StepRun,
  shared: SharedScene,
  messages: readonly MessageWithParts[],
  message: UserMessage,
): RunScene {
  const { agent, model, rootSessionID } = shared
  const sessionID = messages[0]?.info.sessionID ?? shared.rootSessionID
  return {
    ...shared,
    ...withHead(deps, heads, shared, messages),
    generator: createGenerator(deps, { sessionID, asked: { rootSessionID, agent, message }, model, budget }),
    budget: {
      ...budget,
      // The wait for a permit may take as long as a request of another session.
      ask: (estimate, signal) => whileAlive({ alive, inactivity: patience }, () => budget.ask(estimate, signal)),
    },
  }
}
