import { loadedTools } from "../tool/deferred.ts"
import type { Deadlines } from "../deadlines.ts"
import { createGenerator } from "./generate.ts"
import type { Budget } from "./limits.ts"
import type { MessageWithParts, UserMessage } from "./message.ts"
import type { RequestHooks } from "./request-hooks.ts"
import type { RunScene } from "./respond.ts"
import type { SharedScene } from "./scene.ts"

/** What steps have in common, for one that begins with these messages and answers this one. */
export function forStep(
  deps: { readonly deadlines: Pick<Deadlines, "firstEvent" | "idle">; readonly hooks: RequestHooks },
  { budget }: { readonly budget: Budget },
  shared: SharedScene,
  messages: readonly MessageWithParts[],
  message: UserMessage,
): RunScene {
  const { agent, model, rootSessionID } = shared
  const sessionID = messages[0]?.info.sessionID ?? shared.rootSessionID
  return {
    ...shared,
    tools: loadedTools(shared.tools, messages),
    generator: createGenerator(deps, { sessionID, asked: { rootSessionID, agent, message }, model, budget }),
    isSpent: (unpaid) => budget.reached(unpaid) !== undefined,
  }
}
