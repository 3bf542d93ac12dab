import type { ContextHeads } from "../../request/context-head.ts"
import { createGenerator, type GeneratorDeps } from "../../generate/generate.ts"
import type { Budget } from "../../budget/budget.ts"
import type { MessageWithParts, UserMessage } from "../../record/message.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"
import type { SharedScene } from "./scene.ts"
import { type HeadDeps, withHead } from "./step-head.ts"
import { whileAlive } from "../../base/while-alive.ts"

export interface StepRun {
  readonly heads: ContextHeads
  readonly budget: Budget
  readonly alive: () => void
  /** Milliseconds that those above wait for a sign of life. */
  readonly patience: number
}

/** What steps have in common, for one that begins with these messages and answers this one. */
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
      // Its turn may take as long as a request of another session does.
      ask: (estimate, signal) => whileAlive({ alive, inactivity: patience }, () => budget.ask(estimate, signal)),
    },
  }
}
